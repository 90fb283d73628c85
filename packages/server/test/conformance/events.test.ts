import { CompiledQuery } from 'kysely';
import Type from 'typebox';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { systemCtx } from '../../src/context.ts';
import { openDatabase } from '../../src/db/open.ts';
import { keyValue } from '../../src/db/rows/key-values.ts';
import { tx } from '../../src/db/tx.ts';
import {
  checkEvents,
  createWorker,
  defineEvent,
  type Event,
  listHandlers,
  onAsJob,
  onInTransaction,
  publish,
} from '../../src/jobs/index.ts';
import { LEASE } from '../../src/jobs/pump.ts';
import { HOUR } from '../../src/kernel/clock.ts';
import { eachDatabase, emptyDatabase } from '../harness/services/databases.ts';
import { openProcesses } from '../harness/services/processes.ts';

// Events defined here belong to no program: the next file starts with its own modules.
afterAll(() => void vi.resetModules());

/** Not defined, so the program has no such event. */
const schema = Type.Object({ ship: Type.String() });
const launched: Event<typeof schema> = { name: 'ship.launched', schema };
const sunk: Event<typeof schema> = { name: 'ship.sunk', schema };

const received: string[] = [];
let isDeaf = false;
const crew = onAsJob(launched, 'crew.cheer', async (_ctx, { ship }) => {
  received.push(`crew: ${ship}`);
});
const town = onAsJob(launched, 'town.cheer', async (_ctx, { ship }) => {
  if (isDeaf) throw new Error('the town is deaf');
  received.push(`town: ${ship}`);
});
const log = keyValue('test.log');

test('an event has a unique name of two words', () => {
  expect(() => defineEvent('launched', schema)).toThrow('The event name "launched" is invalid.');
  expect(defineEvent('test.defined', schema).name).toBe('test.defined');
  expect(() => defineEvent('test.defined', schema)).toThrow('The event test.defined is defined twice.');
});

eachDatabase('an event', (dialect) => {
  test('reaches every listener in the same transaction; one that throws rolls it back', async () => {
    const app = await openProcesses(dialect);
    const listeners = [
      onInTransaction(launched, ({ db }, { ship }) => log.save(db, ship)),
      onInTransaction(launched, async (_ctx, { ship }) => {
        if (ship === 'Vasa') throw new Error('she would sink');
      }),
      onInTransaction(sunk, ({ db }) => log.save(db, 'nothing')),
    ];
    const ctx = { ...systemCtx(app.deps), listeners };
    const launch = (ship: string) => tx(ctx, (ctx) => publish(ctx, launched, { ship }));
    await launch('Beagle');
    await expect(launch('Vasa')).rejects.toThrow('she would sink');
    expect(await log.find(app.deps.db)).toBe('Beagle');
  });

  /** A process with only these two listeners. */
  async function openApp() {
    received.length = 0;
    isDeaf = false;
    const { deps, advance, left } = await openProcesses(dialect);
    const handlers = listHandlers([crew, town]);
    const work = () => createWorker(deps, { jobs: handlers.map(({ job }) => job), handlers });
    const ctx = { ...systemCtx(deps), listeners: [crew, town] };
    const launch = (ship: string) => tx(ctx, (ctx) => publish(ctx, launched, { ship }));
    return { deps, ctx, advance, left, work, launch };
  }

  test('reaches each listener after its transaction in a separate job, which is retried on its own', async () => {
    const { advance, launch, left, work } = await openApp();
    await launch('Beagle');
    expect((await left()).map(({ name, payload }) => `${name} ${payload}`).sort()).toEqual([
      'crew.cheer {"ship":"Beagle"}',
      'town.cheer {"ship":"Beagle"}',
    ]);
    isDeaf = true;
    await work().runDue();
    expect(received).toEqual(['crew: Beagle']);
    isDeaf = false;
    advance(HOUR);
    await work().runDue();
    expect(received).toEqual(['crew: Beagle', 'town: Beagle']);
  });

  test('reaches those listeners at least once, even if a process ends meanwhile', async () => {
    const { deps, advance, launch, work } = await openApp();
    await launch('Beagle');
    // A process claimed the jobs and died; its lease expires.
    const lost = { lease: 'gone', due_at: deps.clock.now() + LEASE, attempts: 1 };
    await tx(deps, ({ db }) => db.query((q) => q.updateTable('jobs').set(lost).where('name', 'like', '%.cheer')));
    await work().runDue();
    expect(received).toEqual([]);
    advance(LEASE);
    await work().runDue();
    expect(received.sort()).toEqual(['crew: Beagle', 'town: Beagle']);
  });

  test('of a rolled-back transaction reaches no listener', async () => {
    const { ctx, work } = await openApp();
    const undone = tx(ctx, async (ctx) => {
      await publish(ctx, launched, { ship: 'Vasa' });
      throw new Error('she sank');
    });
    await expect(undone).rejects.toThrow('she sank');
    await work().runDue();
    expect(received).toEqual([]);
  });

  test('is not published with a payload that does not match its schema', async () => {
    const { ctx } = await openApp();
    const wrong = JSON.parse('{"ship":7}');
    await expect(tx(ctx, (ctx) => publish(ctx, launched, wrong))).rejects.toThrow('does not match its schema');
  });

  test('is not published outside a transaction', async () => {
    const app = await openProcesses(dialect);
    await expect(publish(systemCtx(app.deps), launched, { ship: 'Beagle' })).rejects.toThrow('outside a transaction');
  });
});

test('the server does not start with unlisted events, duplicates, or listeners of unlisted events', () => {
  const listener = onInTransaction(sunk, async () => undefined);
  expect(() => checkEvents([launched], [launched], [])).not.toThrow();
  expect(() => checkEvents([launched, sunk], [launched], [])).toThrow('No domain lists the event ship.sunk');
  expect(() => checkEvents([], [launched, { ...launched }], [])).toThrow('Two domains list the event ship.launched');
  expect(() => checkEvents([launched], [launched], [listener])).toThrow('uses the event ship.sunk');
});

eachDatabase('a value shared by all processes', (dialect) => {
  test('is set by the first process, changed by any, and taken once', async () => {
    const { deps } = await openProcesses(dialect);
    const value = keyValue('test.value');
    const inTx = <T>(work: (db: typeof deps.db) => Promise<T>) => tx(deps, ({ db }) => work(db));
    expect(await value.find(deps.db)).toBeUndefined();
    expect(await inTx((db) => value.addOrFind(db, 'one'))).toBe('one');
    expect(await inTx((db) => value.addOrFind(db, 'two'))).toBe('one');
    await inTx((db) => value.save(db, 'three'));
    expect(await inTx((db) => value.lock(db))).toBe('three');
    expect(await inTx((db) => value.take(db, 'four'))).toBe(false);
    expect(await inTx((db) => value.take(db, 'three'))).toBe(true);
    expect(await inTx((db) => value.take(db, 'three'))).toBe(false);
  });

  test('of an earlier version is found under its new name, which starts with its domain', async () => {
    const database = openDatabase({ location: await emptyDatabase(dialect), poolSize: 1 });
    onTestFinished(() => database.close());
    await database.migrate('0014-versions');
    const insert = { compile: () => CompiledQuery.raw("insert into server_facts values ('tenant_id', 'ours')") };
    await database.transaction((db) => db.query(() => insert));
    await database.migrate();
    expect(await keyValue('identity.tenant_id').find(database)).toBe('ours');
  });
});
