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
import { payloadCodec } from './payload.ts';
import { createPump, LEASE } from './pump.ts';

const FIRST_WAIT = 10 * SECOND;
const MAX_RETRY_WAIT = HOUR;

/**
 * Doubles the delay after every failure, up to an hour. Half of it is random, so that jobs that failed together are not
 * retried together.
 */
export const backOff = (attempts: number, chance = Math.random()): number =>
  Math.round(Math.min(MAX_RETRY_WAIT, FIRST_WAIT * 2 ** (attempts - 1)) * (0.5 + chance / 2));

export interface Worker {
  /** Runs jobs, including schedules, as soon as they are due. */
  start(): Promise<void>;
  /** Signals that a job may be due. Does nothing before `start`. */
  wake(): void;
  /** Runs all due jobs and waits for them. Returns the number of runs. */
  runDue(): Promise<number>;
  /** Renews the leases of running jobs. */
  renew(): Promise<void>;
  /** Stops claiming jobs, and waits for running ones. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  /** All jobs of one lane. */
  jobs: readonly Job[];
  handlers: readonly JobHandler[];
  /** Number of jobs that run concurrently. */
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

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 2000);

/** Jobs that one owner may run concurrently: a quarter of the slots, and one at least, stays free for others. */
const slotsPerOwner = (slots: number): number => Math.max(1, slots - Math.max(1, Math.floor(slots / 4)));
/** Interval of the search for jobs of processes with earlier versions. */
const LANE_CHECK = MINUTE;
/** An ID that no owner has. */
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
    // Before the search, because a lane that is never empty must not hide them.
    await addMissingLanes(now);
    // Searching first needs no write lock, and usually finds nothing.
    const first = await nextOwner(deps.db, now);
    if (first === undefined) return 0;
    const claimed = await tx(deps, ({ db }) => claimInTurn(db, { now, first, limit: free }));
    for (const job of claimed) start(job);
    return claimed.length;
  }

  /** Claims one job of each owner in turn, until no slot or due job is left. */
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
      // A failed transaction has claimed nothing; after a commit, jobs take their slots when they start.
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
        const error = last_error ?? 'The process that ran the job ended before the job did.';
        await tx(deps, ({ db }) => buryJob.run(db, { ...run, at: clock.now(), error }));
        log.error(line(), 'job failed for the last time, moved to dead letters');
        return;
      }
      await handler?.run(systemCtx(deps, owner), payloadCodec.parse(payload));
      const every = handler?.job.every;
      await tx(deps, ({ db }) =>
        every === undefined ? deleteJob.run(db, run) : repeatJob.run(db, { ...run, dueAt: clock.now() + every }),
      );
      log[every === undefined ? 'info' : 'debug'](line(), 'job done');
    } catch (err) {
      const isLast = attempts >= maxAttempts;
      log[isLast ? 'error' : 'warn'](
        { ...line(), err },
        isLast ? 'job failed for the last time, moved to dead letters' : 'job failed, will be retried',
      );
      await saveFailure(run, isLast, toMessage(err), handler?.job.every);
    }
  }

  /** If this write fails, too, the lease expires and the job is claimed again. */
  async function saveFailure(
    run: { id: string; lease: string; attempts: number },
    isLast: boolean,
    error: string,
    longestWait = MAX_RETRY_WAIT,
  ): Promise<void> {
    const now = clock.now();
    try {
      await tx(deps, ({ db }) =>
        isLast
          ? buryJob.run(db, { ...run, at: now, error })
          : postponeJob.run(db, { ...run, dueAt: now + Math.min(longestWait, backOff(run.attempts)), error }),
      );
    } catch (err) {
      log.error({ job: run.id, err }, 'failed to save the failure of a job');
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
