import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { CompiledQuery } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { type Deps, systemCtx } from '../../../context.ts';
import { openDatabase } from '../../../db/open.ts';
import { tx } from '../../../db/tx.ts';
import { DAY } from '../../../kernel/clock.ts';
import { noCounts } from '../counts.store.ts';
import { createWriting, type Received } from '../intake/batch-writing.ts';
import { listAppsWithNews, passBatches, readBatches, readReceived, sweepBatches } from './batches.ts';
import { definedConsumers, type LogConsumer } from './consumers.ts';
import { batchReader, findReading, releaseBatches, retainBatches } from './readers.ts';
import { type StoredBody, toStored } from './stored-body.ts';

const consumer = (name: string, types: string[]): LogConsumer => ({
  name,
  types: new Set(types),
  job: { name: 'none.run', maxAttempts: 1, lane: 'own' as const },
});
const events = consumer('events', ['event']);
const sessions = consumer('sessions', ['startSession']);

const log = (type: string, name = '') => ({ type, name, timestamp: '2026-11-01T08:00:00.000Z', device: {} });

const received = (appId: string, stored: StoredBody): Received => ({
  appId,
  installId: randomUUID(),
  stored,
  counts: { ...noCounts(), batches: 1, logs: 1 },
  invalid: [],
});

const createBatch = async (appId: string, ...logs: object[]): Promise<Received> =>
  received(appId, await toStored(Buffer.from(JSON.stringify({ logs }))));

async function withApp(dialect: 'sqlite' | 'postgres') {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada');
  const { id } = await app.addApp(ada, 'buoy');
  const write = (...batches: Received[]) => createWriting()(app.deps, batches);
  const pass = (who: LogConsumer, range: { appId: string; from: number; to: number }) =>
    tx(app.deps, (ctx) => passBatches(ctx, who, range));
  return { app, ada, id, write, pass };
}

const listNames = (batches: readonly { logs: readonly { value: Readonly<Record<string, unknown>> }[] }[]) =>
  batches.flatMap(({ logs }) => logs.map(({ value }) => value.name));

eachDatabase('batches', (dialect) => {
  test("are returned in the order of writing, with the logs of the consumer's types", async () => {
    const { id, write, app } = await withApp(dialect);
    await write(await createBatch(id, log('event', 'a'), log('startSession'), log('event', 'b')));
    await write(await createBatch(id, log('startSession')), await createBatch(id, log('event', 'c')));
    const read = await readBatches(app.deps, events, id);
    expect(read).toMatchObject({ appId: id, from: 0, to: 3 });
    expect(read.batches.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(read.batches.map(({ logs }) => logs.length)).toEqual([2, 0, 1]);
    expect(listNames(read.batches)).toEqual(['a', 'b', 'c']);
    expect(read.batches[0]?.logs[0]?.at).toBe(Date.parse('2026-11-01T08:00:00Z'));
    const times = read.batches.map(({ receivedAt }) => receivedAt);
    expect(new Set(times).size).toBe(3);
    expect(times).toEqual([...times].sort());
  });

  test('returns a body as sent, compressed by the sender, by the server, or uncompressed', async () => {
    const { id, write, app } = await withApp(dialect);
    const large = Buffer.from(JSON.stringify({ logs: [log('event', 'ü'.repeat(5000))] }));
    await write(
      received(id, { encoding: 'gzip', body: gzipSync(large), size: large.length }),
      received(id, await toStored(large)),
      received(id, { encoding: 'identity', body: large, size: large.length }),
    );
    const { batches } = await readBatches(app.deps, events, id);
    expect(listNames(batches)).toEqual(Array(3).fill('ü'.repeat(5000)));
    const rows = await app.database.query((q) => q.selectFrom('ingest_batches').select(['encoding', 'body']));
    expect(rows.map(({ encoding }) => encoding)).toEqual(['gzip', 'zstd', 'identity']);
    expect(Buffer.from(rows[0]?.body ?? [])).toEqual(gzipSync(large));
  });

  test('each consumer continues at its cursor, and has a backlog until it has passed', async () => {
    const { id, write, pass, app } = await withApp(dialect);
    await write(await createBatch(id, log('event', 'a')), await createBatch(id, log('event', 'b')));
    expect(await listAppsWithNews(app.deps, events)).toEqual([id]);
    const first = await readBatches(app.deps, events, id, { limit: 1 });
    expect(listNames(first.batches)).toEqual(['a']);
    await pass(events, first);
    expect(listNames((await readBatches(app.deps, events, id)).batches)).toEqual(['b']);
    await pass(events, await readBatches(app.deps, events, id));
    expect(await listAppsWithNews(app.deps, events)).toEqual([]);
    expect(await listAppsWithNews(app.deps, sessions)).toEqual([id]);
    await pass(events, await readBatches(app.deps, events, id));
  });

  test('batches that two processes read concurrently are processed by one', async () => {
    const { id, write, pass, app } = await withApp(dialect);
    const round = async () => {
      await write(await createBatch(id, log('event')));
      const ranges = [await readBatches(app.deps, events, id), await readBatches(app.deps, events, id)];
      const outcomes = await Promise.allSettled(ranges.map((range) => pass(events, range)));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    };
    // The first round creates the cursor, later rounds move it.
    await round();
    await round();
  });

  test('a cursor does not move when the transaction of its consumer fails, or outside of one', async () => {
    const { id, write, app } = await withApp(dialect);
    await write(await createBatch(id, log('event', 'a')));
    const range = await readBatches(app.deps, events, id);
    const failing = tx(app.deps, async (ctx) => {
      await passBatches(ctx, events, range);
      throw new Error('no room');
    });
    await expect(failing).rejects.toThrow('no room');
    await expect(passBatches(app.deps, events, range)).rejects.toThrow('outside a transaction');
    expect(listNames((await readBatches(app.deps, events, id)).batches)).toEqual(['a']);
  });

  test('a read returns no more than fits into memory, and at least one batch', async () => {
    const { id, write, app } = await withApp(dialect);
    const body = Buffer.from(JSON.stringify({ logs: [log('event')] }));
    const sizes = [40_000_000, 20_000_000, 20_000_000];
    await write(...sizes.map((size) => received(id, { encoding: 'identity', body, size })));
    expect((await readBatches(app.deps, events, id)).batches).toHaveLength(1);
  });

  test('batches since a time are available to all readers, even after processing', async () => {
    const { id, write, pass, app } = await withApp(dialect);
    await write(await createBatch(id, log('event', 'a')));
    await pass(events, await readBatches(app.deps, events, id));
    const received = (after: number, limit = 10) => readReceived(app.deps, id, { after, limit });
    const first = (await received(0)).batches[0]?.receivedAt ?? 0;
    await write(await createBatch(id, log('event', 'b')), await createBatch(id, log('event', 'c')));
    const later = await received(first);
    expect([listNames(later.batches), later.isMore]).toEqual([['b', 'c'], false]);
    const one = await received(first, 1);
    expect([listNames(one.batches), one.isMore]).toEqual([['b'], true]);
    expect(await received(later.batches.at(-1)?.receivedAt ?? 0)).toEqual({ batches: [], isMore: false });
  });

  test('limits a read to what can be parsed quickly and reports that there is more', async () => {
    const { id, write, app } = await withApp(dialect);
    for (const name of ['a', 'b', 'c']) await write(await createBatch(id, log('event', name.repeat(1_500_000))));
    const { batches, isMore } = await readReceived(app.deps, id, { after: 0, limit: 10 });
    expect([batches.length, isMore]).toEqual([1, true]);
  });

  test('arrival times continue when the clock is set back slightly, and follow it when it is set back a lot', async () => {
    const { id, write, app } = await withApp(dialect);
    const now = app.deps.clock.now();
    const listTimes = async () =>
      (await readReceived(app.deps, id, { after: 0, limit: 10 })).batches.map(({ receivedAt }) => receivedAt - now);
    await write(await createBatch(id, log('event')), await createBatch(id, log('event')));
    app.advance(-30_000);
    await write(await createBatch(id, log('event')));
    expect(await listTimes()).toEqual([0, 1, 2]);
    app.advance(-DAY);
    await write(await createBatch(id, log('event')));
    expect(await listTimes()).toEqual([-DAY - 30_000, 0, 1, 2]);
    expect((await readBatches(app.deps, events, id)).batches.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  test('with more than a thousand batches per second, times run slightly ahead of the clock, and never back', async () => {
    const { id, write, app } = await withApp(dialect);
    const now = app.deps.clock.now();
    const listTimes = async () =>
      (await app.database.query((q) => q.selectFrom('ingest_batches').select('received_at').orderBy('number'))).map(
        ({ received_at }) => received_at - now,
      );
    const one = await createBatch(id, log('event'));
    const ahead = (lead: number) =>
      app.database.transaction((db) =>
        db.query((q) => q.updateTable('ingest_apps').set({ last_received_at: now + lead })),
      );
    await write(one);
    await ahead(44_998);
    await write(one, one);
    await write(one, one);
    await write(one);
    expect(await listTimes()).toEqual([0, 44_999, 45_000, 45_001, 45_001, 45_001]);
    // The clock of the other process is ten seconds behind.
    app.advance(-10_000);
    await write(one);
    expect((await listTimes()).at(-1)).toBe(45_001);
    app.advance(70_000);
    await write(one, one);
    expect((await listTimes()).slice(-2)).toEqual([60_000, 60_001]);
  });

  test('deletes old batches once every consumer has passed them; keeps those of this day and of a slow consumer', async () => {
    const { id, write, pass, app } = await withApp(dialect);
    const sweep = async () => {
      await sweepBatches(systemCtx(app.deps));
      return (await app.database.query((q) => q.selectFrom('ingest_batches').select('number').orderBy('number'))).map(
        ({ number }) => number,
      );
    };
    const passAll = async () => {
      for (const each of definedConsumers()) await pass(each, await readBatches(app.deps, each, id, { limit: 1 }));
    };
    expect(definedConsumers().length).toBeGreaterThan(0);
    await write(await createBatch(id, log('event')), await createBatch(id, log('event')));
    await passAll();
    expect(await sweep()).toEqual([1, 2]);
    app.advance(DAY);
    await write(await createBatch(id, log('event')));
    expect(await sweep()).toEqual([2, 3]);
    await passAll();
    await passAll();
    expect(await sweep()).toEqual([3]);
    await write(await createBatch(id, log('event')));
    expect(await sweep()).toEqual([3, 4]);
  });

  test('stay until every reader has passed them or was removed', async () => {
    const { id, write, app } = await withApp(dialect);
    const reader = batchReader('slow', ['event']);
    const sweep = async () => {
      app.advance(DAY);
      await sweepBatches(systemCtx(app.deps));
      const rows = await app.database.query((q) => q.selectFrom('ingest_batches').select('number').orderBy('number'));
      return rows.map(({ number }) => number);
    };
    const passAll = async () => {
      for (const each of definedConsumers()) {
        const range = await readBatches(app.deps, each, id);
        await tx(app.deps, (ctx) => passBatches(ctx, each, range));
      }
    };
    await write(await createBatch(id, log('event', 'a')));
    await tx(app.deps, (ctx) => retainBatches(ctx, reader, id));
    await write(await createBatch(id, log('event', 'b')), await createBatch(id, log('event', 'c')));
    await passAll();
    expect(await sweep()).toEqual([2, 3]);
    expect(await findReading(app.deps, reader, id)).toMatchObject({ number: 1, waiting: 2 });
    const { batches, isMore, ...range } = await readBatches(app.deps, reader, id, { limit: 1 });
    expect([listNames(batches), isMore]).toEqual([['b'], true]);
    await tx(app.deps, (ctx) => passBatches(ctx, reader, range));
    expect(await sweep()).toEqual([3]);
    const other = batchReader('other', ['event']);
    await tx(app.deps, (ctx) => retainBatches(ctx, other, id, { isFromOldest: true }));
    expect(await findReading(app.deps, other, id)).toMatchObject({ number: 2, waiting: 1 });
    await tx(app.deps, (ctx) => releaseBatches(ctx, reader, id));
    expect(await sweep()).toEqual([3]);
    await tx(app.deps, (ctx) => releaseBatches(ctx, other, id));
    expect(await sweep()).toEqual([]);
    expect(await findReading(app.deps, other, id)).toBeUndefined();
  });

  test('notifies consumers once within a few seconds, by a job in the transaction of the batch', async () => {
    const { id, app } = await withApp(dialect);
    const write = createWriting();
    const news = async () =>
      (await app.database.query((q) => q.selectFrom('jobs').select(['name', 'payload', 'due_at']))).filter(
        ({ payload }) => payload.includes(id),
      );
    const due_at = app.deps.clock.now() + 3000;
    const expectedJobs = definedConsumers().map(({ job }) => ({ name: job.name, due_at }));
    for (let n = 0; n < 3; n++) await write(app.deps, [await createBatch(id, log('event'))]);
    expect(await news()).toMatchObject(expectedJobs);
    app.advance(2500);
    await write(app.deps, [await createBatch(id, log('event'))]);
    expect(await news()).toHaveLength(2 * expectedJobs.length);
  });

  test('the next sweep deletes batches of a deleted app', async () => {
    const { id, ada, write, app } = await withApp(dialect);
    await write(await createBatch(id, log('event')));
    await app.call('DELETE', '/v0.1/apps/ada/buoy', { token: await app.userToken(ada) });
    await sweepBatches(systemCtx(app.deps));
    expect(await app.database.query((q) => q.selectFrom('ingest_batches').select('number'))).toEqual([]);
    expect(await app.database.query((q) => q.selectFrom('ingest_apps').select('app_id'))).toEqual([]);
  });
});

const raw = (text: string) => ({ compile: () => CompiledQuery.raw(text) });
const waiting = raw(`SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`);

/** Two processes write concurrently; the first to start commits last. */
async function overlapping(
  app: TestApp,
  write: (deps: Deps, name: string) => Promise<void>,
  read: () => Promise<void>,
) {
  const other = openDatabase({ location: app.deps.config.databaseUrl ?? '', poolSize: 2 });
  onTestFinished(() => other.close());
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow = tx(app.deps, async (ctx) => {
    await write(ctx, 'slow');
    begun.resolve();
    await held.promise;
  });
  await Promise.race([begun.promise, slow]);
  let isDone = false;
  const quick = tx({ ...app.deps, db: other }, (ctx) => write(ctx, 'quick')).then(() => {
    isDone = true;
  });
  while (!isDone && (await app.database.query(() => waiting)).length === 0) await setImmediate();
  await read();
  held.resolve();
  await Promise.all([slow, quick]);
  await read();
}

test('a reader misses a sequence number that is committed late', async () => {
  const app = await testApp('postgres');
  await tx(app.deps, ({ db }) =>
    db.query(() => raw('CREATE TABLE naive (number bigint GENERATED ALWAYS AS IDENTITY, name text)')),
  );
  const seen: string[] = [];
  let cursor = 0;
  await overlapping(
    app,
    async ({ db }, name) => void (await db.query(() => raw(`INSERT INTO naive (name) VALUES ('${name}')`))),
    async () => {
      const rows = await app.database.query<{ number: number; name: string }>(() =>
        raw(`SELECT number, name FROM naive WHERE number > ${cursor} ORDER BY number`),
      );
      for (const { number, name } of rows) {
        seen.push(name);
        cursor = number;
      }
    },
  );
  expect(seen).toEqual(['quick']);
});

test('a reader between two writers misses no batch', async () => {
  const { app, id, pass } = await withApp('postgres');
  const seen: unknown[] = [];
  await overlapping(
    app,
    async (deps, name) => createWriting()(deps, [await createBatch(id, log('event', name))]),
    async () => {
      const range = await readBatches(app.deps, events, id);
      seen.push(...listNames(range.batches));
      await pass(events, range);
    },
  );
  expect(seen).toEqual(['slow', 'quick']);
});
