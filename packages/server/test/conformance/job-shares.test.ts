import { afterAll, expect, test, vi } from 'vitest';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { tx } from '../../src/db/tx.ts';
import { createWorker, defineJob, enqueue, handleJob } from '../../src/jobs/index.ts';
import { query } from '../../src/jobs/jobs.tables.ts';
import { eachDatabase } from '../harness/services/databases.ts';
import { openProcesses } from '../harness/services/processes.ts';

// Jobs defined here belong to no program, so the next file loads its own modules.
afterAll(() => void vi.resetModules());

const pack = defineJob<{ name: string }>('parcel.pack');
const send = defineJob<{ name: string }>('parcel.send');

async function withQueue(dialect: DialectName) {
  const opened = await openProcesses(dialect, 1);
  const { deps } = opened;
  const add = (owner: string, ...names: string[]) =>
    tx(deps, async (ctx) => {
      for (const name of names) await enqueue(ctx, pack, { name }, { owner });
    });
  const work = (run: (name: string) => Promise<void> | void, concurrency: number) =>
    createWorker(deps, {
      jobs: [pack],
      handlers: [handleJob(pack, async (_ctx, { name }) => run(name))],
      concurrency,
    });
  return { ...opened, add, work };
}

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

eachDatabase('shares of jobs', (dialect) => {
  test.each(['aaa', 'zzz'])('owners take turns, however many jobs one of them adds (%s)', async (honest) => {
    const { add, work } = await withQueue(dialect);
    await add('hostile', ...numbered('h', 40));
    await add(honest, 'one', 'two', 'three');
    const ran: string[] = [];
    await work((name) => void ran.push(name), 1).runDue();
    expect(ran).toHaveLength(43);
    // At most one job of the other owner before each.
    expect(ran.indexOf('one')).toBeLessThanOrEqual(1);
    expect(ran.indexOf('two')).toBeLessThanOrEqual(3);
    expect(ran.indexOf('three')).toBeLessThanOrEqual(5);
    expect(ran.filter((name) => name.startsWith('h'))).toEqual(numbered('h', 40));
  });

  test('endless jobs of one owner leave a slot for others', async () => {
    const { deps, add, work } = await withQueue(dialect);
    await add('hostile', ...numbered('h', 10));
    const end = Promise.withResolvers<void>();
    const started: string[] = [];
    const occupied = Promise.withResolvers<void>();
    const honest = Promise.withResolvers<void>();
    const worker = work(async (name) => {
      started.push(name);
      if (started.length === 3) occupied.resolve();
      if (name === 'one') honest.resolve();
      else await end.promise;
    }, 4);
    deps.wake = worker.wake;
    await worker.start();
    await occupied.promise;
    await add('honest', 'one');
    await honest.promise;
    expect(started).toEqual(['h0', 'h1', 'h2', 'one']);
    end.resolve();
    await worker.stop();
  });

  test('charges a job that a job adds to the same owner', async () => {
    const { deps, add, left } = await withQueue(dialect);
    await add('ada', 'book');
    const worker = createWorker(deps, {
      jobs: [pack],
      handlers: [handleJob(pack, (ctx, { name }) => tx(ctx, async (ctx) => void (await enqueue(ctx, send, { name }))))],
    });
    await worker.runDue();
    expect(await left()).toMatchObject([{ name: 'parcel.send', lane: 'own', owner: 'ada' }]);
  });

  test('a failed claim occupies no slot of its owner', async () => {
    const { deps, add, left } = await withQueue(dialect);
    await add('ada', 'book');
    const { db } = deps;
    let statements = 0;
    // The first job is claimed, then the search for the next owner fails.
    const transaction: typeof db.transaction = (work) =>
      db.transaction((inner) => {
        const run: typeof inner.run = (...statement) => {
          statements += 1;
          return statements === 2 ? Promise.reject(new Error('the connection broke')) : inner.run(...statement);
        };
        return work({ ...inner, run });
      });
    const ran: string[] = [];
    const worker = createWorker(
      { ...deps, db: { ...db, transaction } },
      { jobs: [pack], handlers: [handleJob(pack, async (_ctx, { name }) => void ran.push(name))], concurrency: 1 },
    );
    await expect(worker.runDue()).rejects.toThrow('the connection broke');
    await worker.runDue();
    expect([ran, await left()]).toEqual([['book'], []]);
  });

  test('finds jobs of an earlier version while the lane is never empty', async () => {
    const { deps, add, work } = await withQueue(dialect);
    await add('ada', 'old');
    await tx(deps, ({ db }) => query(db, (q) => q.updateTable('jobs').set({ lane: '', owner: '' })));
    await add('ada', 'new');
    const ran: string[] = [];
    await work(async (name) => {
      ran.push(name);
      if (!ran.includes('old') && ran.length < 10) await add('ada', 'next');
    }, 1).runDue();
    expect(ran).toContain('old');
    expect(ran.length).toBeLessThan(10);
  });

  test('finds jobs of an earlier version', async () => {
    const { deps, add, work, left } = await withQueue(dialect);
    await add('ada', 'book');
    await tx(deps, ({ db }) => query(db, (q) => q.updateTable('jobs').set({ lane: '', owner: '' })));
    const ran: string[] = [];
    await work((name) => void ran.push(name), 4).runDue();
    expect(ran).toEqual(['book']);
    expect(await left()).toEqual([]);
  });
});
