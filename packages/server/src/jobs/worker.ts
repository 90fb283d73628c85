import { type Deps, systemCtx } from '../context.ts';
import { tx } from '../db/tx.ts';
import { HOUR, MINUTE, SECOND } from '../kernel/clock.ts';
import { type Job, type JobHandler, matchHandlers } from './define.ts';
import {
  buryJob,
  claimStatements,
  deleteJob,
  postponeJob,
  renewLeases,
  repeatJob,
  saveSchedule,
} from './jobs.store.ts';
import { createPump, LEASE } from './pump.ts';

const FIRST_WAIT = 10 * SECOND;
const LONGEST_WAIT = HOUR;

/** Twice as long after every failure, up to an hour; half of it by chance, so that what failed together does not return together. */
export const backOff = (attempts: number, chance = Math.random()): number =>
  Math.round(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempts - 1)) * (0.5 + chance / 2));

export interface Worker {
  /** From now on jobs run as soon as they are due, schedules among them. */
  start(): Promise<void>;
  /** Says that a job may be due; does nothing before `start`. */
  wake(): void;
  /** Runs what is due now, to its end; says how many runs that were. */
  runDue(): Promise<number>;
  /** Tells the others that the jobs running here still do. */
  renew(): Promise<void>;
  /** Takes no more jobs and waits for those that run. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  /** Everything that may be enqueued, of one lane. */
  jobs: readonly Job[];
  handlers: readonly JobHandler[];
  /** How many jobs run at the same time. */
  concurrency?: number;
}

interface Claimed {
  id: string;
  name: string;
  owner: string;
  payload: string;
  attempts: number;
  last_error: string | null;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 2000);

/** Jobs that one owner may run concurrently: a quarter of the slots, and one at least, stays free for others. */
const slotsPerOwner = (slots: number): number => Math.max(1, slots - Math.max(1, Math.floor(slots / 4)));
/** Time between two searches for jobs that processes of earlier versions have added. */
const LANE_CHECK = MINUTE;
/** Owner id that no owner has. */
const NO_OWNER = '-';

export function createWorker(deps: Deps, { jobs, handlers, concurrency = 4 }: WorkerOptions): Worker {
  const { clock, log } = deps;
  const lane = jobs[0]?.lane ?? 'own';
  const byName = matchHandlers(jobs, handlers);
  // Jobs of a newer version are left to processes that know them.
  const { findNextOwner, claimOldest, findWithoutLane, addLane } = claimStatements(lane, [...byName.keys()]);
  const lease = deps.newId();
  const running = new Set<Promise<void>>();
  const slots = slotsPerOwner(concurrency);
  const slotsTaken = new Map<string, number>();
  let lastOwner = '';
  let lanesCheckedAt = Number.NEGATIVE_INFINITY;

  /** At most one owner can be at its limit, which is more than half of the slots. */
  const busyOwner = (): string => [...slotsTaken].find(([, taken]) => taken >= slots)?.[0] ?? NO_OWNER;

  const nextOwner = async (db: Deps['db'], now: number): Promise<string | undefined> =>
    (await findNextOwner.first(db, { now, last: lastOwner, busy: busyOwner() }))?.owner;

  async function addMissingLanes(now: number): Promise<void> {
    if (now - lanesCheckedAt < LANE_CHECK) return;
    if (await findWithoutLane.first(deps.db)) await tx(deps, ({ db }) => addLane.run(db));
    lanesCheckedAt = now;
  }

  const takeSlot = (owner: string): void => void slotsTaken.set(owner, (slotsTaken.get(owner) ?? 0) + 1);

  function freeSlot(owner: string): void {
    const left = (slotsTaken.get(owner) ?? 1) - 1;
    if (left > 0) slotsTaken.set(owner, left);
    else slotsTaken.delete(owner);
  }

  function start(job: Claimed): void {
    const { owner } = job;
    takeSlot(owner);
    const run = runJob(job).finally(() => {
      running.delete(run);
      freeSlot(owner);
      pump.wake();
    });
    running.add(run);
  }

  async function claim(): Promise<number> {
    const free = concurrency - running.size;
    const now = clock.now();
    if (free <= 0 || byName.size === 0) return 0;
    // Before the search: a lane that is never empty must not hide them.
    await addMissingLanes(now);
    // Searching first costs no write lock, and usually finds nothing.
    const first = await nextOwner(deps.db, now);
    if (first === undefined) return 0;
    const claimed = await tx(deps, ({ db }) => claimInTurn(db, { now, first, limit: free }));
    for (const job of claimed) start(job);
    return claimed.length;
  }

  /** One job of each owner in turn, until there is no free slot or no due job. */
  async function claimInTurn(
    db: Deps['db'],
    { now, first, limit }: { now: number; first: string; limit: number },
  ): Promise<Claimed[]> {
    const claimed: Claimed[] = [];
    let owner: string | undefined = first;
    try {
      for (let turn = 0; turn < limit && owner !== undefined; turn += 1) {
        lastOwner = owner;
        const job = await claimOldest.first(db, { now, owner, lease, until: now + LEASE });
        // Without a job, another process was faster.
        if (job) {
          claimed.push(job);
          takeSlot(owner);
        }
        owner = await nextOwner(db, now);
      }
      return claimed;
    } finally {
      // A transaction that fails claims nothing; after one that is committed, jobs take their slots when they start.
      for (const { owner } of claimed) freeSlot(owner);
    }
  }

  async function runJob({ id, name, owner, payload, attempts, last_error }: Claimed): Promise<void> {
    const start = performance.now();
    const handler = byName.get(name);
    const maxAttempts = handler?.job.maxAttempts ?? 0;
    const run = { id, lease, attempts };
    const line = () => ({ job: name, id, attempt: attempts, ms: Math.round(performance.now() - start) });
    try {
      if (attempts > maxAttempts) {
        const error = last_error ?? 'Whoever ran it ended before it did.';
        await tx(deps, ({ db }) => buryJob.run(db, { ...run, at: clock.now(), error }));
        log.error(line(), 'job given up');
        return;
      }
      await handler?.run(systemCtx(deps, owner), JSON.parse(payload));
      const every = handler?.job.every;
      await tx(deps, ({ db }) =>
        every === undefined ? deleteJob.run(db, run) : repeatJob.run(db, { ...run, dueAt: clock.now() + every }),
      );
      log[every === undefined ? 'info' : 'debug'](line(), 'job done');
    } catch (err) {
      const isLast = attempts >= maxAttempts;
      log[isLast ? 'error' : 'warn'](
        { ...line(), err },
        isLast ? 'job given up' : 'job failed; it will be tried again',
      );
      await settleFailure(run, isLast, messageOf(err), handler?.job.every);
    }
  }

  /** If not even this can be written, the lease runs out and the job is taken again. */
  async function settleFailure(
    run: { id: string; lease: string; attempts: number },
    isLast: boolean,
    error: string,
    longestWait = LONGEST_WAIT,
  ): Promise<void> {
    const now = clock.now();
    try {
      await tx(deps, ({ db }) =>
        isLast
          ? buryJob.run(db, { ...run, at: now, error })
          : postponeJob.run(db, { ...run, dueAt: now + Math.min(longestWait, backOff(run.attempts)), error }),
      );
    } catch (err) {
      log.error({ job: run.id, err }, 'the failure of a job could not be written');
    }
  }

  const renew = async (): Promise<void> => {
    if (running.size > 0) await tx(deps, ({ db }) => renewLeases.run(db, { lease, until: clock.now() + LEASE }));
  };
  const pump = createPump({ log, take: claim, renew });

  return {
    async start() {
      const now = clock.now();
      await tx(deps, async ({ db }) => {
        for (const { name, every } of jobs) {
          if (every !== undefined)
            await saveSchedule.run(db, { id: `every:${name}`, name, lane, now, latest: now + every });
        }
      });
      pump.start();
    },
    wake: pump.wake,
    async runDue() {
      for (let ran = 0; ; ) {
        ran += await claim();
        if (running.size === 0) return ran;
        await Promise.all(running);
      }
    },
    renew,
    stop: () => pump.stop(() => Promise.all(running)),
  };
}
