import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
});
