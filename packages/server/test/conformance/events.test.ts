import { CompiledQuery } from 'kysely';
import Type from 'typebox';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { systemCtx } from '../../src/context.ts';
import { keyValue } from '../../src/db/key-values.ts';
import { openDatabase } from '../../src/db/open.ts';
import { tx } from '../../src/db/tx.ts';
import {
  checkEvents,
  createWorker,
  defineEvent,
  type Event,
  handlersOf,
  onAsJob,
  onInTransaction,
  publish,
} from '../../src/jobs/index.ts';
import { LEASE } from '../../src/jobs/pump.ts';
import { HOUR } from '../../src/kernel/clock.ts';
import { eachDatabase, emptyDatabase } from '../harness/databases.ts';
import { openProcesses } from '../harness/processes.ts';

// What is defined here belongs to no program: the next file begins with modules of its own.
afterAll(() => void vi.resetModules());

/** Not defined: the program has no such event. */
const schema = Type.Object({ ship: Type.String() });
const launched: Event<typeof schema> = { name: 'ship.launched', schema };
const sunk: Event<typeof schema> = { name: 'ship.sunk', schema };

const told: string[] = [];
let isDeaf = false;
const crew = onAsJob(launched, 'crew.cheer', async (_ctx, { ship }) => {
  told.push(`crew: ${ship}`);
});
const town = onAsJob(launched, 'town.cheer', async (_ctx, { ship }) => {
  if (isDeaf) throw new Error('the town is deaf');
  told.push(`town: ${ship}`);
});
const log = keyValue('test.log');

test('an event has a name of two words, which no other has', () => {
  expect(() => defineEvent('launched', schema)).toThrow('The event "launched" has no name of two words');
  expect(defineEvent('test.defined', schema).name).toBe('test.defined');
  expect(() => defineEvent('test.defined', schema)).toThrow('The event test.defined is defined twice.');
});

eachDatabase('an event', (dialect) => {
  test('is told to every listener in the transaction in which it happens; one that refuses undoes all of it', async () => {
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

  /** A process that has these two listeners only. */
  async function world() {
    told.length = 0;
    isDeaf = false;
    const { deps, advance, left } = await openProcesses(dialect);
    const handlers = handlersOf([crew, town]);
    const work = () => createWorker(deps, { jobs: handlers.map(({ job }) => job), handlers });
    const ctx = { ...systemCtx(deps), listeners: [crew, town] };
    const launch = (ship: string) => tx(ctx, (ctx) => publish(ctx, launched, { ship }));
    return { deps, ctx, advance, left, work, launch };
  }

  test('is told to listeners after its transaction by a job each, which fail and are tried again each for itself', async () => {
    const { advance, launch, left, work } = await world();
    await launch('Beagle');
    expect((await left()).map(({ name, payload }) => `${name} ${payload}`).sort()).toEqual([
      'crew.cheer {"ship":"Beagle"}',
      'town.cheer {"ship":"Beagle"}',
    ]);
    isDeaf = true;
    await work().runDue();
    expect(told).toEqual(['crew: Beagle']);
    isDeaf = false;
    advance(HOUR);
    await work().runDue();
    expect(told).toEqual(['crew: Beagle', 'town: Beagle']);
  });

  test('is told to those listeners at least once, also if a process ends while it tells them', async () => {
    const { deps, advance, launch, work } = await world();
    await launch('Beagle');
    // A process took the jobs and is gone: its lease runs out.
    const lost = { lease: 'gone', due_at: deps.clock.now() + LEASE, attempts: 1 };
    await tx(deps, ({ db }) => db.query((q) => q.updateTable('jobs').set(lost).where('name', 'like', '%.cheer')));
    await work().runDue();
    expect(told).toEqual([]);
    advance(LEASE);
    await work().runDue();
    expect(told.sort()).toEqual(['crew: Beagle', 'town: Beagle']);
  });

  test('of a transaction that is undone is told to nobody', async () => {
    const { ctx, work } = await world();
    const undone = tx(ctx, async (ctx) => {
      await publish(ctx, launched, { ship: 'Vasa' });
      throw new Error('she sank');
    });
    await expect(undone).rejects.toThrow('she sank');
    await work().runDue();
    expect(told).toEqual([]);
  });

  test('is not published with what does not fit its schema', async () => {
    const { ctx } = await world();
    const wrong = JSON.parse('{"ship":7}');
    await expect(tx(ctx, (ctx) => publish(ctx, launched, wrong))).rejects.toThrow('does not fit its schema');
  });

  test('is not published outside a transaction', async () => {
    const app = await openProcesses(dialect);
    await expect(publish(systemCtx(app.deps), launched, { ship: 'Beagle' })).rejects.toThrow('outside the transaction');
  });
});

test('a server does not start with an event that nobody lists, that two list, or a listener to one that nobody lists', () => {
  const listener = onInTransaction(sunk, async () => undefined);
  expect(() => checkEvents([launched], [launched], [])).not.toThrow();
  expect(() => checkEvents([launched, sunk], [launched], [])).toThrow('ship.sunk is in no domain');
  expect(() => checkEvents([], [launched, { ...launched }], [])).toThrow('ship.launched is listed twice');
  expect(() => checkEvents([launched], [launched], [listener])).toThrow('listens to ship.sunk');
});

eachDatabase('a value of all processes', (dialect) => {
  test('is decided by whoever is first, changed by whoever saves it, and taken once', async () => {
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

  test('of before each had an owner in its name is found under the new name', async () => {
    const database = openDatabase({ location: await emptyDatabase(dialect), poolSize: 1 });
    onTestFinished(() => database.close());
    await database.migrate('0014-versions');
    const insert = { compile: () => CompiledQuery.raw("insert into server_facts values ('tenant_id', 'ours')") };
    await database.transaction((db) => db.query(() => insert));
    await database.migrate();
    expect(await keyValue('identity.tenant_id').find(database)).toBe('ours');
  });
});
