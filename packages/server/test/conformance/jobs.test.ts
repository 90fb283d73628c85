import { afterAll, expect, test, vi } from 'vitest';
import type { Deps } from '../../src/context.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { tx } from '../../src/db/tx.ts';
import {
  cancelJob,
  countJobs,
  createWorker,
  defineJob,
  defineSchedule,
  deleteDeadJob,
  enqueue,
  handleJob,
  type JobHandler,
  type JobState,
  listJobs,
  replayJob,
} from '../../src/jobs/index.ts';
import { LEASE } from '../../src/jobs/pump.ts';
import { backOff } from '../../src/jobs/worker.ts';
import { HOUR, SECOND } from '../../src/kernel/clock.ts';
import { whileLocked } from '../harness/races.ts';
import { eachDatabase } from '../harness/services/databases.ts';
import { openProcesses } from '../harness/services/processes.ts';

// Jobs defined here belong to no program: the next file starts with its own modules.
afterAll(() => void vi.resetModules());

const tick = defineSchedule('clock.tick', HOUR);
const greet = defineJob<{ name: string }>('greeting.say', { maxAttempts: 3 });

async function processes(dialect: DialectName, count = 1) {
  const opened = await openProcesses(dialect, count);
  const say = (name: string, options?: { runAt?: number; owner?: string }) =>
    tx(opened.deps, (ctx) => enqueue(ctx, greet, { name }, options));
  return { ...opened, say };
}

const createTestWorker = (deps: Deps, run: (name: string) => Promise<void> | void, concurrency?: number) =>
  createWorker(deps, {
    jobs: [greet],
    handlers: [handleJob(greet, async (_ctx, { name }) => run(name))],
    ...(concurrency ? { concurrency } : {}),
  });

eachDatabase('jobs', (dialect) => {
  test('runs a job with its payload after the commit, and deletes it', async () => {
    const { deps, say, left } = await processes(dialect);
    const ran: string[] = [];
    const worker = createTestWorker(deps, (name) => void ran.push(name));
    await say("Ada's");
    expect(await worker.runDue()).toBe(1);
    expect(ran).toEqual(["Ada's"]);
    expect(await worker.runDue()).toBe(0);
    expect(await left()).toEqual([]);
  });

  test('discards a job with its rolled-back transaction, and wakes no worker', async () => {
    const { deps, left } = await processes(dialect);
    let woken = 0;
    deps.wake = () => {
      woken += 1;
    };
    const undone = tx(deps, async (ctx) => {
      await enqueue(ctx, greet, { name: 'Ada' });
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect([await left(), woken]).toEqual([[], 0]);
  });

  test('refuses a job outside a transaction', async () => {
    const { deps, left } = await processes(dialect);
    await expect(enqueue(deps, greet, { name: 'Ada' })).rejects.toThrow('outside');
    expect(await left()).toEqual([]);
  });

  test('runs a job at its time', async () => {
    const { deps, say, advance } = await processes(dialect);
    const ran: string[] = [];
    const worker = createTestWorker(deps, (name) => void ran.push(name));
    await say('later', { runAt: deps.clock.now() + HOUR });
    await say('now');
    await worker.runDue();
    advance(HOUR - 1);
    await worker.runDue();
    expect(ran).toEqual(['now']);
    advance(1);
    await worker.runDue();
    expect(ran).toEqual(['now', 'later']);
  });

  test('cancels a job until a worker claims it', async () => {
    const { deps, say, left } = await processes(dialect);
    const cancel = (id: string) => tx(deps, (ctx) => cancelJob(ctx, id));
    const ran: string[] = [];
    const cancelled: boolean[] = [];
    let running = '';
    const worker = createTestWorker(deps, async (name) => {
      cancelled.push(await cancel(running));
      ran.push(name);
    });
    const unwanted = await say('unwanted');
    expect([await cancel(unwanted), await cancel(unwanted)]).toEqual([true, false]);
    running = await say('wanted');
    await worker.runDue();
    expect([ran, cancelled, await left()]).toEqual([['wanted'], [false], []]);
  });

  test('workers of several processes run each job exactly once', async () => {
    const { all, deps } = await processes(dialect, 3);
    const ran: string[] = [];
    const names = Array.from({ length: 60 }, (_, n) => `n${n}`);
    await tx(deps, async (ctx) => {
      for (const name of names) await enqueue(ctx, greet, { name });
    });
    const workers = all.map((each) => createTestWorker(each, (name) => void ran.push(name)));
    const runs = await Promise.all(workers.map((worker) => worker.runDue()));
    expect(ran.sort()).toEqual(names.sort());
    expect(runs.reduce((sum, count) => sum + count)).toBe(60);
  });

  test('leaves a job to the process that is claiming it', async () => {
    const { all, location, say } = await processes(dialect, 2);
    const ran: string[] = [];
    const workers = all.map((each) => createTestWorker(each, (name) => void ran.push(name)));
    await say('Ada');
    const runs = workers.map((worker) => () => worker.runDue());
    await whileLocked({ dialect, location }, 'SELECT id FROM jobs FOR UPDATE', runs);
    for (const run of runs) await run();
    expect(ran).toEqual(['Ada']);
  });

  test('retries a failed job after growing delays, then keeps it as a dead letter with its error', async () => {
    const { deps, say, advance, left } = await processes(dialect);
    let tries = 0;
    const worker = createTestWorker(deps, () => {
      tries += 1;
      throw new Error(`no luck at ${tries}`);
    });
    const id = await say('Ada');
    await worker.runDue();
    expect(tries).toBe(1);
    advance(4 * SECOND);
    await worker.runDue();
    expect(tries).toBe(1);
    expect((await left())[0]).toMatchObject({ id, attempts: 1, lease: null, last_error: 'no luck at 1' });
    advance(6 * SECOND);
    await worker.runDue();
    expect(tries).toBe(2);
    advance(20 * SECOND);
    await worker.runDue();
    advance(24 * HOUR);
    expect(await worker.runDue()).toBe(0);
    const { values } = await listJobs(deps);
    expect(values).toMatchObject([
      { id, name: 'greeting.say', payload: { name: 'Ada' }, attempts: 3, lastError: 'no luck at 3' },
    ]);
  });

  test('replays a dead letter with all attempts, and refuses other jobs', async () => {
    const { deps, say, advance, left } = await processes(dialect);
    let isBroken = true;
    const ran: string[] = [];
    const worker = createTestWorker(deps, (name) => {
      if (isBroken) throw new Error('broken');
      ran.push(name);
    });
    const id = await say('Ada');
    await expect(replayJob(deps, id)).rejects.toThrow('dead letter');
    for (let n = 0; n < 3; n++) {
      await worker.runDue();
      advance(HOUR);
    }
    isBroken = false;
    await replayJob(deps, id);
    expect((await left())[0]).toMatchObject({ attempts: 0, failed_at: null });
    await worker.runDue();
    expect([ran, await left()]).toEqual([['Ada'], []]);
    await expect(replayJob(deps, id)).rejects.toThrow('dead letter');
  });

  test('dead letters are paged newest first, without gaps or repetition', async () => {
    const { deps, say, advance } = await processes(dialect);
    const worker = createTestWorker(deps, () => {
      throw new Error('broken');
    });
    const ids = [await say('a'), await say('b'), await say('c')];
    for (let n = 0; n < 3; n++) {
      await worker.runDue();
      advance(HOUR);
    }
    const first = await listJobs(deps, { limit: 2 });
    const second = await listJobs(deps, { limit: 2, cursor: first.nextCursor });
    expect([...first.values, ...second.values].map(({ id }) => id)).toEqual(ids.reverse());
    expect(second.nextCursor).toBeUndefined();
  });

  test('counts jobs by state, and measures how long the oldest due job has waited', async () => {
    const { deps, say, advance } = await processes(dialect);
    const none = { dead: 0, waiting: 0, running: 0 };
    expect(await countJobs(deps)).toEqual({ counts: none, delay: 0 });
    await say('due');
    await say('later', { runAt: deps.clock.now() + 2 * HOUR });
    advance(HOUR);
    expect(await countJobs(deps)).toEqual({ counts: { ...none, waiting: 2 }, delay: HOUR });
    const during: Record<JobState, number>[] = [];
    const worker = createTestWorker(deps, async () => {
      during.push((await countJobs(deps)).counts);
      throw new Error('broken');
    });
    for (let n = 0; n < 3; n++) {
      await worker.runDue();
      advance(20 * SECOND);
    }
    expect(during).toEqual(Array(3).fill({ ...none, waiting: 1, running: 1 }));
    expect(await countJobs(deps)).toEqual({ counts: { ...none, waiting: 1, dead: 1 }, delay: 0 });
  });

  test('lists jobs by state, and deletes only dead letters', async () => {
    const { deps, say, advance } = await processes(dialect);
    const worker = createTestWorker(deps, () => {
      throw new Error('broken');
    });
    const dead = await say('dead');
    for (let n = 0; n < 3; n++) {
      await worker.runDue();
      advance(HOUR);
    }
    const waiting = await say('waiting');
    const ids = async (state: JobState) => (await listJobs(deps, { state })).values.map(({ id }) => id);
    expect([await ids('dead'), await ids('waiting'), await ids('running')]).toEqual([[dead], [waiting], []]);
    await expect(deleteDeadJob(deps, waiting)).rejects.toThrow('dead letter');
    expect(await deleteDeadJob(deps, dead)).toBe('greeting.say');
    expect([await ids('dead'), await ids('waiting')]).toEqual([[], [waiting]]);
  });

  test('a schedule runs once for all processes, again after its time, and a failure does not end it', async () => {
    const { all, deps, advance } = await processes(dialect, 3);
    let runs = 0;
    let isBroken = false;
    const workers = all.map((each) =>
      createWorker(each, {
        jobs: [tick],
        handlers: [
          handleJob(tick, async () => {
            runs += 1;
            if (isBroken) throw new Error('broken');
          }),
        ],
      }),
    );
    for (const worker of workers) {
      await worker.start();
      await worker.stop();
    }
    const runAll = () => Promise.all(workers.map((worker) => worker.runDue()));
    await runAll();
    expect(runs).toBe(1);
    advance(HOUR - 1);
    await runAll();
    expect(runs).toBe(1);
    isBroken = true;
    for (let n = 1; n <= 20; n++) {
      advance(HOUR);
      await runAll();
      expect(runs).toBe(1 + n);
    }
    isBroken = false;
    advance(HOUR);
    await runAll();
    const { values } = await listJobs(deps, { state: 'waiting' });
    expect(values).toMatchObject([{ name: 'clock.tick', attempts: 0, lastError: undefined }]);
    expect(values[0]?.dueAt).toBe(deps.clock.now() + HOUR);
  });

  test('runs a schedule earlier if its interval was shortened', async () => {
    const { deps, advance } = await processes(dialect);
    let runs = 0;
    const count = () => {
      runs += 1;
    };
    const workerEvery = (every: number) => {
      const job = { ...tick, every };
      return createWorker(deps, { jobs: [job], handlers: [handleJob(job, async () => count())] });
    };
    const slow = workerEvery(24 * HOUR);
    await slow.start();
    await slow.stop();
    await slow.runDue();
    const fast = workerEvery(SECOND);
    await fast.start();
    await fast.stop();
    advance(SECOND);
    await fast.runDue();
    expect(runs).toBe(2);
  });

  test('claims the job of a dead worker after its lease expires; the dead one changes nothing', async () => {
    const { all, say, advance, left } = await processes(dialect, 2);
    const [here, there] = all;
    if (!here || !there) throw new Error('no process');
    const stuck = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const dying = createTestWorker(here, () => {
      began.resolve();
      return stuck.promise;
    });
    let taken = 0;
    const other = createTestWorker(there, () => {
      taken += 1;
      throw new Error('not yet');
    });
    await say('Ada');
    const dead = dying.runDue();
    await began.promise;
    advance(LEASE - 1);
    expect(await other.runDue()).toBe(0);
    advance(1);
    expect([await other.runDue(), taken]).toEqual([1, 1]);
    stuck.resolve();
    await dead;
    expect(await left()).toMatchObject([{ attempts: 2, last_error: 'not yet' }]);
  });

  test('a worker that renews its lease keeps its job', async () => {
    const { all, say, advance, left } = await processes(dialect, 2);
    const [here, there] = all;
    if (!here || !there) throw new Error('no process');
    const slow = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const worker = createTestWorker(here, () => {
      began.resolve();
      return slow.promise;
    });
    const other = createTestWorker(there, () => undefined);
    await say('Ada');
    const done = worker.runDue();
    await began.promise;
    for (let n = 0; n < 3; n++) {
      advance(LEASE - 1);
      await worker.renew();
      expect(await other.runDue()).toBe(0);
    }
    slow.resolve();
    expect([await done, await left()]).toEqual([1, []]);
  });

  test('stops retrying a job that ends its process each time', async () => {
    const { deps, say, advance } = await processes(dialect);
    await say('Ada');
    for (let n = 0; n < 3; n++) {
      const began = Promise.withResolvers<void>();
      // It never returns within this process.
      void createTestWorker(deps, () => {
        began.resolve();
        return new Promise(() => undefined);
      }).runDue();
      await began.promise;
      advance(LEASE);
    }
    let ran = 0;
    const worker = createTestWorker(deps, () => {
      ran += 1;
    });
    await worker.runDue();
    expect([ran, (await listJobs(deps)).values[0]?.lastError]).toEqual([0, expect.stringContaining('ended before')]);
  });

  test('a commit wakes a started worker, and stopping waits for running jobs', async () => {
    const { deps, say, left } = await processes(dialect);
    const began = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<void>();
    const worker = createTestWorker(deps, () => {
      began.resolve();
      return slow.promise;
    });
    deps.wake = worker.wake;
    await worker.start();
    await say('Ada');
    await began.promise;
    let isStopped = false;
    const stopped = worker.stop().then(() => {
      isStopped = true;
    });
    await say('too late');
    expect(isStopped).toBe(false);
    slow.resolve();
    await stopped;
    expect((await left()).map(({ payload }) => payload)).toEqual(['{"name":"too late"}']);
  });

  test('limits concurrent jobs, and runs the others afterwards', async () => {
    const { deps, say } = await processes(dialect);
    let now = 0;
    let most = 0;
    const worker = createTestWorker(
      deps,
      async () => {
        now += 1;
        most = Math.max(most, now);
        await deps.db.query((q) => q.selectFrom('jobs').select('id'));
        now -= 1;
      },
      2,
    );
    for (let n = 0; n < 5; n++) await say(`n${n}`, { owner: `owner${n}` });
    expect([await worker.runDue(), most]).toEqual([5, 2]);
  });

  test('leaves unknown jobs to a program that knows them', async () => {
    const { deps, say, left } = await processes(dialect);
    const other = { name: 'other.do', maxAttempts: 3, lane: 'own' as const };
    const worker = createWorker(deps, { jobs: [other], handlers: [handleJob(other, async () => undefined)] });
    await say('Ada');
    expect(await worker.runDue()).toBe(0);
    expect(await left()).toMatchObject([{ attempts: 0, lease: null }]);
  });

  test('a worker claims its own jobs although those of another are older', async () => {
    const { deps, say, left } = await processes(dialect);
    for (let n = 0; n < 5; n++) await say(`n${n}`);
    const read = { name: 'news.read', maxAttempts: 3, lane: 'logs' as const };
    await tx(deps, (ctx) => enqueue(ctx, read, {}));
    const worker = createWorker(deps, { jobs: [read], handlers: [handleJob(read, async () => undefined)] });
    expect(await worker.runDue()).toBe(1);
    expect(await left()).toHaveLength(5);
  });

  test('runs work after the commit once, after the outermost transaction', async () => {
    const { deps } = await processes(dialect);
    const order: string[] = [];
    await tx(deps, async (outer) => {
      await tx(outer, async (inner) => inner.db.afterCommit(() => order.push('after')));
      order.push('inside');
    });
    expect(order).toEqual(['inside', 'after']);
    expect(() => deps.db.afterCommit(() => undefined)).toThrow('needs a transaction');
  });
});

test('refuses a job without a handler, or with two, before anything starts', async () => {
  const { deps } = await processes('sqlite');
  const handler: JobHandler = handleJob(greet, async () => undefined);
  expect(() => createWorker(deps, { jobs: [greet], handlers: [] })).toThrow('greeting.say has 0 handlers');
  expect(() => createWorker(deps, { jobs: [greet], handlers: [handler, handler] })).toThrow('has 2 handlers');
  expect(() => defineJob('greeting.say')).toThrow('The job greeting.say is defined twice.');
  for (const name of ['', 'greeting', 'Greeting.say', 'a.b.c']) expect(() => defineJob(name)).toThrow('two words');
});

test('delays double up to an hour, with a random half', () => {
  expect([1, 2, 3, 30].map((attempts) => backOff(attempts, 1))).toEqual([10_000, 20_000, 40_000, HOUR]);
  expect(backOff(1, 0)).toBe(5000);
});
