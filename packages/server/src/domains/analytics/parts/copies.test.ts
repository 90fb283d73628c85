import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { wireEvent, withApps } from '../../../../test/harness/analytics.ts';
import { hasClickhouse, type RunningClickhouse, startClickhouse } from '../../../../test/harness/clickhouse.ts';
import { systemCtx } from '../../../context.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { finishDeletions } from './compaction.ts';

const away = { code: 'ServiceUnavailable', message: expect.stringContaining('cannot be reached') };

describe.runIf(hasClickhouse)('copies of parts in ClickHouse', () => {
  let server: RunningClickhouse;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server.remove());

  test('what is deleted is gone from it when the server says that it is gone', async () => {
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
    const held = async (id: string) =>
      Number(await server.ask(`SELECT count() FROM mooring_logs WHERE device = toUUID('${id}')`));
    expect([await held(ann), await held(bob)]).toEqual([1, 2]);
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
    expect([await held(ann), await held(bob)]).toEqual([0, 2]);
    expect(await figures()).toHaveLength(2);
  });

  test('apps are spread over the servers of several shards, each on one, and stay there', async () => {
    const other = await startClickhouse();
    onTestFinished(() => other.remove());
    const servers = [server, other];
    const { app, open } = await withApps('sqlite', { telemetryUrl: servers.map(({ url }) => url.href).join(' ') });
    const rowsOn = async ({ ask }: RunningClickhouse, device: string): Promise<number> =>
      (await ask('EXISTS TABLE mooring_logs')) === '1\n'
        ? Number(await ask(`SELECT count() FROM mooring_logs WHERE device = toUUID('${device}')`))
        : 0;
    const rowsOf = (device: string) => Promise.all(servers.map((each) => rowsOn(each, device)));
    const used = new Map<string, string>();
    // Which shard an app has is as good as chance.
    for (let tries = 0; used.size < 2 && tries < 40; tries += 1) {
      const { get, send, compact } = await open();
      const device = randomUUID();
      await send(device, wireEvent('open'), wireEvent('open'));
      await compact();
      const { events } = await get('events', { start: '2026-11-01' });
      expect(events).toMatchObject([{ name: 'open', count: 2 }]);
      used.set(String(await rowsOf(device)), device);
    }
    expect([...used.keys()].sort()).toEqual(['0,2', '2,0']);
    app.advance(10 * MINUTE);
    await finishDeletions(systemCtx(app.deps));
    for (const [rows, device] of used) expect(String(await rowsOf(device))).toBe(rows);
  });
});
