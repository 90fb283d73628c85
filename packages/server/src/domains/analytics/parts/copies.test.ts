import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { wireEvent, withApps } from '../../../../test/harness/analytics.ts';
import {
  hasClickhouse,
  type RunningClickhouse,
  startClickhouse,
} from '../../../../test/harness/services/clickhouse.ts';
import { systemCtx } from '../../../context.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { finishDeletions } from './compaction.ts';

const away = {
  code: 'ServiceUnavailable',
  message: expect.stringContaining('ClickHouse, which answers telemetry queries, is unavailable'),
};

describe.runIf(hasClickhouse)('copies of segments in ClickHouse', () => {
  let server: RunningClickhouse;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server.remove());

  test('contain no erased data once the server reports the erasure as complete', async () => {
    const { app, open } = await withApps('sqlite', { telemetryUrl: server.url.href });
    const { get, send, compact, call } = await open();
    const [ann, bob] = [randomUUID(), randomUUID()];
    await send(ann, wireEvent('open'));
    await send(bob, wireEvent('open'), wireEvent('close'));
    await compact();
    const figures = async () => {
      const { events } = await get('events', { start: '2026-11-01' });
      return events.map(({ name, count }: { name: string; count: number }) => [name, count]);
    };
    expect(await figures()).toEqual([
      ['open', 2],
      ['close', 1],
    ]);
    const countRows = async (id: string) =>
      Number(await server.query(`SELECT count() FROM mooring_logs WHERE device = toUUID('${id}')`));
    expect([await countRows(ann), await countRows(bob)]).toEqual([1, 2]);
    await call('DELETE', `installs/${ann}`);
    expect(await figures()).toEqual([
      ['close', 1],
      ['open', 1],
    ]);
    app.advance(MINUTE);
    await app.runJobs();
    expect(await figures()).toHaveLength(2);
    app.advance(2 * MINUTE);
    await server.stop();
    await expect(finishDeletions(systemCtx(app.deps))).rejects.toMatchObject(away);
    await server.start();
    await finishDeletions(systemCtx(app.deps));
    expect([await countRows(ann), await countRows(bob)]).toEqual([0, 2]);
    expect(await figures()).toHaveLength(2);
  });

  test('are distributed over shards, one per app, and stay there', async () => {
    const other = await startClickhouse();
    onTestFinished(() => other.remove());
    const servers = [server, other];
    const { app, open } = await withApps('sqlite', { telemetryUrl: servers.map(({ url }) => url.href).join(' ') });
    const rowsOn = async ({ query: queryRows }: RunningClickhouse, device: string): Promise<number> =>
      (await queryRows('EXISTS TABLE mooring_logs')) === '1\n'
        ? Number(await queryRows(`SELECT count() FROM mooring_logs WHERE device = toUUID('${device}')`))
        : 0;
    const countAllRows = (device: string) => Promise.all(servers.map((each) => rowsOn(each, device)));
    const used = new Map<string, string>();
    // The app IDs are random, and so are their shards.
    for (let tries = 0; used.size < 2 && tries < 40; tries += 1) {
      const { get, send, compact } = await open();
      const device = randomUUID();
      await send(device, wireEvent('open'), wireEvent('open'));
      await compact();
      const { events } = await get('events', { start: '2026-11-01' });
      expect(events).toMatchObject([{ name: 'open', count: 2 }]);
      used.set(String(await countAllRows(device)), device);
    }
    expect([...used.keys()].sort()).toEqual(['0,2', '2,0']);
    app.advance(10 * MINUTE);
    await finishDeletions(systemCtx(app.deps));
    for (const [rows, device] of used) expect(String(await countAllRows(device))).toBe(rows);
  });
});
