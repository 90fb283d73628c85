import { type Deps, workOwner } from '../context.ts';
import { tx } from '../db/tx.ts';
import { notFound } from '../kernel/errors.ts';
import { type ListInput, type Page, readList, type Sorts } from '../kernel/paging.ts';
import type { Job } from './define.ts';
import {
  countJobRows,
  deleteDeadJobRow,
  deleteWaitingJob,
  findDeadSince,
  findJobsVersion,
  findOldestDue,
  insertJob,
  type JobRow,
  type JobState,
  pageJobs,
  reviveJob,
} from './jobs.store.ts';

const appIn = (payload: { appId?: unknown }): string | undefined =>
  typeof payload.appId === 'string' ? payload.appId : undefined;

/**
 * Asks for work, in the transaction that makes it necessary: both happen, or neither. Owners share each lane equally; the
 * owner is that of the context, unless the caller knows better.
 */
export async function enqueue<P extends object>(
  ctx: Pick<Deps, 'db' | 'newId' | 'clock' | 'wakeJobs'>,
  job: Job<P>,
  payload: P,
  { runAt, owner = workOwner(ctx, appIn(payload)) }: { runAt?: number; owner?: string } = {},
): Promise<string> {
  if (!ctx.db.inTransaction) throw new Error(`${job.name} was enqueued outside the transaction that asks for it`);
  const id = ctx.newId();
  const now = ctx.clock.now();
  const { name, lane } = job;
  const row = { id, name, lane, owner, payload: JSON.stringify(payload), created_at: now, dueAt: runAt ?? now };
  await insertJob.run(ctx.db, row);
  ctx.db.afterCommit(ctx.wakeJobs);
  return id;
}

/** Takes a job back that is not needed any more; says whether it was in time, before a worker took it. */
export async function cancelJob(ctx: Pick<Deps, 'db'>, id: string): Promise<boolean> {
  return (await deleteWaitingJob.first(ctx.db, { id })) !== undefined;
}

export type { JobState };

export interface QueuedJob {
  id: string;
  name: string;
  payload: object;
  attempts: number;
  createdAt: number;
  /** When it may run; of a running one, until when it is held. A dead letter has none. */
  dueAt: number | undefined;
  lastError: string | undefined;
  failedAt: number | undefined;
}

const toJob = (row: JobRow): QueuedJob => ({
  id: row.id,
  name: row.name,
  payload: JSON.parse(row.payload),
  attempts: row.attempts,
  createdAt: row.created_at,
  dueAt: row.due_at ?? undefined,
  lastError: row.last_error ?? undefined,
  failedAt: row.failed_at ?? undefined,
});

export type JobSort = 'created_at' | 'name';
const sorts: Sorts<JobSort> = { created_at: 'time', name: 'name' };

export const listJobs = (
  ctx: Pick<Deps, 'db'>,
  { state = 'dead', ...input }: ListInput<JobSort> & { state?: JobState | undefined } = {},
): Promise<Page<QueuedJob>> =>
  readList(
    input,
    sorts,
    (listing) => pageJobs(ctx.db, state, listing),
    (row) => toJob(row),
  );

export interface JobCounts {
  counts: Record<JobState, number>;
  /** How long the job that waits longest has been due, in ms. */
  delay: number;
}

/** How many jobs there are of each kind, and how far behind they are. */
export async function countJobs({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<JobCounts> {
  const now = clock.now();
  const row = await countJobRows.first(db, { now });
  return {
    counts: { dead: Number(row?.dead ?? 0), waiting: Number(row?.waiting ?? 0), running: Number(row?.running ?? 0) },
    delay: now - (row?.oldestDueAt ?? now),
  };
}

export const jobsVersion = async ({ db }: Pick<Deps, 'db'>): Promise<string> =>
  Object.values((await findJobsVersion.first(db)) ?? {}).join('.');

export interface JobTrouble {
  /** When the job that waits longest became due; none if nothing is due. */
  oldestDueAt: number | undefined;
  /** Whether a job of that name was given up since. */
  isLost: boolean;
}

/** Signs that jobs are not done, of those that this program knows. */
export async function findJobTrouble(
  ctx: Pick<Deps, 'db' | 'clock'>,
  { names, lost, since }: { names: readonly string[]; lost: string; since: number },
): Promise<JobTrouble> {
  const [oldest] = await findOldestDue(ctx.db, names, ctx.clock.now());
  return {
    oldestDueAt: oldest?.due_at ?? undefined,
    isLost: (await findDeadSince.first(ctx.db, { name: lost, since })) !== undefined,
  };
}

/** Gives a dead letter all its attempts again, from now on; says which job it is. */
export const replayJob = (ctx: Deps, id: string): Promise<string> =>
  tx(ctx, async (ctx) => {
    const revived = await reviveJob.first(ctx.db, { id, now: ctx.clock.now() });
    if (!revived) throw notFound('dead letter', id);
    ctx.db.afterCommit(ctx.wakeJobs);
    return revived.name;
  });

/** Throws a dead letter away; says which job it was. */
export const deleteDeadJob = (ctx: Deps, id: string): Promise<string> =>
  tx(ctx, async (ctx) => {
    const deleted = await deleteDeadJobRow.first(ctx.db, { id });
    if (!deleted) throw notFound('dead letter', id);
    return deleted.name;
  });
