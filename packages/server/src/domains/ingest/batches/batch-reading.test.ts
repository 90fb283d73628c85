import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';
import { tx } from '../../../db/tx.ts';
import { DAY } from '../../../kernel/clock.ts';
import { noCounts } from '../counts.store.ts';
import { addLogs, createWriting, type Received } from '../intake/batch-writing.ts';
import { listAppsWithNews, passBatches, readBatches, readReceived, sweepBatches } from './batches.ts';
import { definedConsumers, type LogConsumer } from './consumers.ts';

const consumer = (name: string): LogConsumer => ({
  name,
  types: new Set(['event']),
  job: { name: 'none.run', maxAttempts: 1, lane: 'own' as const },
});
const [first, second] = [consumer('first'), consumer('second')];

const body = Buffer.from(JSON.stringify({ logs: [{ type: 'event' }] }));
const batch = (appId: string, size = body.length): Received => ({
  appId,
  installId: randomUUID(),
  stored: { encoding: 'identity', body, size },
  counts: { ...noCounts(), batches: 1, logs: 1 },
  invalid: [],
});
const batches = (appId: string, count: number): Received[] => Array.from({ length: count }, () => batch(appId));

async function withApps(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada');
  const [a = '', b = ''] = [(await app.addApp(ada, 'a')).id, (await app.addApp(ada, 'b')).id].sort();
  const write = (...received: Received[]) => createWriting()(app.deps, received);
  const pass = async (who: LogConsumer, appId: string, limit?: number) => {
    const range = await readBatches(app.deps, who, appId, limit === undefined ? {} : { limit });
    await tx(app.deps, (ctx) => passBatches(ctx, who, range));
    return [range.from, range.to];
  };
  const listBatchNumbers = async (appId: string) => {
    const rows = await app.database.query((q) => q.selectFrom('ingest_batches').select(['app_id', 'number']));
    return rows.flatMap(({ app_id, number }) => (app_id === appId ? number : [])).sort((x, y) => x - y);
  };
  const sweep = () => sweepBatches(systemCtx(app.deps));
  return { app, a, b, write, pass, listBatchNumbers, sweep };
}

eachDatabase('reading batches', (dialect) => {
  test('consumers skip batches without their log types and read batches of unknown types', async () => {
    const { app, a, write } = await withApps(dialect);
    const broken = { encoding: 'identity', body: Buffer.from('{'), size: 1 } as const;
    await write(
      { ...batch(a), types: new Set(['event', 'page']) },
      { ...batch(a), types: new Set(['page', 'managedError']), stored: broken },
      batch(a),
    );
    const { to, batches } = await readBatches(app.deps, first, a);
    expect(to).toBe(3);
    expect(batches.map(({ logs }) => logs.length)).toEqual([1, 0, 1]);
    await expect(readBatches(app.deps, { ...first, types: new Set(['managedError']) }, a)).rejects.toThrow('JSON');
  });

  test('each app has its own numbers, and each consumer its own cursors', async () => {
    const { app, a, b, write, pass } = await withApps(dialect);
    await write(...batches(a, 3), ...batches(b, 2));
    expect(await pass(first, a, 2)).toEqual([0, 2]);
    expect(await pass(first, b)).toEqual([0, 2]);
    expect(await pass(second, a, 1)).toEqual([0, 1]);
    expect(await listAppsWithNews(app.deps, first)).toEqual([a]);
    expect(await listAppsWithNews(app.deps, second)).toEqual([a, b]);
    expect(await pass(first, a)).toEqual([2, 3]);
    expect(await pass(second, a)).toEqual([1, 3]);
    await write(...batches(b, 1));
    expect(await pass(first, b)).toEqual([2, 3]);
    expect(await pass(second, b)).toEqual([0, 3]);
    expect(await listAppsWithNews(app.deps, first)).toEqual([]);
  });

  test('reads at most a thousand and at least one', async () => {
    const { app, a, write } = await withApps(dialect);
    await write(...batches(a, 1001));
    expect((await readBatches(app.deps, first, a)).to).toBe(1000);
    expect((await readBatches(app.deps, first, a, { limit: 5000 })).to).toBe(1000);
    expect((await readBatches(app.deps, first, a, { limit: 0 })).to).toBe(1);
    const shown = await readReceived(app.deps, a, { after: 0, limit: 5000 });
    expect([shown.batches.length, shown.isMore]).toEqual([1000, true]);
  });

  test('reads up to the byte limit, exactly', async () => {
    const { app, a, b, write } = await withApps(dialect);
    // A log counts 500 bytes in addition to its text.
    const half = 16 * 1024 * 1024 - 500;
    await write(batch(a, half), batch(a, half), batch(a, 1));
    expect((await readBatches(app.deps, first, a)).to).toBe(2);
    const shown = 1024 * 1024 - 500;
    await write(batch(b, shown), batch(b, shown), batch(b, 1));
    const { batches, isMore } = await readReceived(app.deps, b, { after: 0, limit: 10 });
    expect([batches.map(({ number }) => number), isMore]).toEqual([[1, 2], true]);
  });

  test('shows logs of the requested types and this app, and reports whether there are more', async () => {
    const { app, a, b } = await withApps(dialect);
    const add = (appId: string, ...types: string[]) =>
      addLogs(app.deps, { appId, installId: randomUUID().toUpperCase(), logs: types.map((type) => ({ type })) });
    await add(a, 'event', 'page', 'event');
    await add(b, 'event');
    await add(a, 'page');
    const types = new Set(['page']);
    const { batches, isMore } = await readReceived(app.deps, a, { after: 0, limit: 2, types });
    expect(batches.map(({ logs }) => logs.map(({ type }) => type))).toEqual([['page'], ['page']]);
    expect(isMore).toBe(false);
    expect(batches.every(({ installId }) => installId === installId.toLowerCase())).toBe(true);
    const [minute] = await app.database.query((q) =>
      q.selectFrom('ingest_minutes').selectAll().orderBy('logs', 'desc'),
    );
    expect(minute).toMatchObject({ app_id: a, batches: 2, logs: 4, invalid: 0, refused: 0 });
  });
});

eachDatabase('sweeping batches', (dialect) => {
  test('continues until all processed batches are deleted, and does not affect other apps', async () => {
    const { app, a, b, write, pass, listBatchNumbers, sweep } = await withApps(dialect);
    await write(...batches(a, 401), ...batches(b, 2));
    for (const each of definedConsumers()) {
      await pass(each, a);
      await pass(each, b, 1);
    }
    app.advance(DAY);
    await sweep();
    expect([await listBatchNumbers(a), await listBatchNumbers(b)]).toEqual([[], [2]]);
  });

  test('keeps batches of this UTC day, from its start', async () => {
    const { app, a, write, pass, listBatchNumbers, sweep } = await withApps(dialect);
    const midnight = 15 * 60 * 60 * 1000;
    app.advance(midnight - 1);
    await write(...batches(a, 1));
    app.advance(1);
    await write(...batches(a, 1));
    for (const each of definedConsumers()) await pass(each, a);
    await sweep();
    expect(await listBatchNumbers(a)).toEqual([2]);
  });

  test('keeps batches that a consumer has not started with, regardless of their age', async () => {
    const { app, a, write, listBatchNumbers, sweep } = await withApps(dialect);
    await write(...batches(a, 2));
    app.advance(40 * DAY);
    await sweep();
    expect(await listBatchNumbers(a)).toEqual([1, 2]);
  });
});

eachDatabase('notifying consumers', (dialect) => {
  test('is repeated in the last second, for each app, and after the clock was set back', async () => {
    const { app, a, b } = await withApps(dialect);
    const write = createWriting();
    const consumers = definedConsumers().length;
    const countJobs = async (appId: string) => {
      const jobs = await app.database.query((q) => q.selectFrom('jobs').select('payload'));
      return jobs.filter(({ payload }) => payload.includes(appId)).length / consumers;
    };
    await write(app.deps, [batch(a)]);
    app.advance(1999);
    await write(app.deps, [batch(a), batch(b)]);
    expect([await countJobs(a), await countJobs(b)]).toEqual([1, 1]);
    app.advance(1);
    await write(app.deps, [batch(a)]);
    expect([await countJobs(a), await countJobs(b)]).toEqual([2, 1]);
    app.advance(-1);
    await write(app.deps, [batch(a)]);
    expect(await countJobs(a)).toBe(3);
  });

  test('is skipped for logs that are not stored', async () => {
    const { app, a, write } = await withApps(dialect);
    const { stored: _, ...nothing } = batch(a);
    await write(nothing);
    const jobs = await app.database.query((q) => q.selectFrom('jobs').select('payload'));
    expect(jobs.filter(({ payload }) => payload.includes(a))).toEqual([]);
    expect(await app.database.query((q) => q.selectFrom('ingest_minutes').select(['app_id', 'logs']))).toEqual([
      { app_id: a, logs: 1 },
    ]);
  });

  test('is rolled back with a failed transaction', async () => {
    const { app, a } = await withApps(dialect);
    const write = createWriting();
    const failing = tx(app.deps, async (ctx) => {
      await write(ctx, [batch(a)]);
      throw new Error('no room');
    });
    await expect(failing).rejects.toThrow('no room');
    await write(app.deps, [batch(a)]);
    const jobs = await app.database.query((q) => q.selectFrom('jobs').select('payload'));
    expect(jobs.filter(({ payload }) => payload.includes(a))).toHaveLength(definedConsumers().length);
  });
});
