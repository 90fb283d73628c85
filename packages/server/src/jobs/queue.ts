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
import { payloadCodec } from './payload.ts';

const appIn = (payload: { appId?: unknown }): string | undefined =>
  typeof payload.appId === 'string' ? payload.appId : undefined;

/**
 * Enqueues a job in the transaction that requires it, so that both happen or neither. Owners share each lane equally.
 * The owner is that of the context unless specified.
 */
export async function enqueue<P extends object>(
  ctx: Pick<Deps, 'db' | 'newId' | 'clock' | 'wakeJobs'>,
  job: Job<P>,
  payload: P,
  { runAt, owner = workOwner(ctx, appIn(payload)) }: { runAt?: number; owner?: string } = {},
): Promise<string> {
  if (!ctx.db.inTransaction) throw new Error(`${job.name} was enqueued outside a transaction`);
  const id = ctx.newId();
  const now = ctx.clock.now();
  const { name, lane } = job;
  const row = { id, name, lane, owner, payload: payloadCodec.serialize(payload), created_at: now, dueAt: runAt ?? now };
  await insertJob.run(ctx.db, row);
  ctx.db.afterCommit(ctx.wakeJobs);
  return id;
}

/** Cancels a job. Returns true if no worker had claimed it yet. */
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
  /** When it may run; for a running job, the end of its lease. Undefined for a dead letter. */
  dueAt: number | undefined;
  lastError: string | undefined;
  failedAt: number | undefined;
}

const toJob = (row: JobRow): QueuedJob => ({
  id: row.id,
  name: row.name,
  payload: payloadCodec.parse(row.payload),
  attempts: row.attempts,
  createdAt: row.created_at,
  dueAt: row.due_at ?? undefined,
  lastError: row.last_error ?? undefined,
  failedAt: row.failed_at ?? undefined,
});

const sorts = { created_at: 'time', name: 'name' } satisfies Sorts<string>;
export type JobSort = keyof typeof sorts;

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
  /** How long the oldest due job has been waiting, in ms. */
  delay: number;
}

/** Counts jobs by state, and measures the delay of the queue. */
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

export interface JobProblems {
  /** When the oldest due job became due; undefined if none is due. */
  oldestDueAt: number | undefined;
  /** True if a job with the name `lost` became a dead letter since then. */
  isLost: boolean;
}

/** Detects that known jobs are not being run. */
export async function findJobProblems(
  ctx: Pick<Deps, 'db' | 'clock'>,
  { names, lost, since }: { names: readonly string[]; lost: string; since: number },
): Promise<JobProblems> {
  const [oldest] = await findOldestDue(ctx.db, names, ctx.clock.now());
  return {
    oldestDueAt: oldest?.due_at ?? undefined,
    isLost: (await findDeadSince.first(ctx.db, { name: lost, since })) !== undefined,
  };
}

/** Makes a dead letter due with all its attempts again. Returns the name of the job. */
export const replayJob = (ctx: Deps, id: string): Promise<string> =>
  tx(ctx, async (ctx) => {
    const revived = await reviveJob.first(ctx.db, { id, now: ctx.clock.now() });
    if (!revived) throw notFound('dead letter', id);
    ctx.db.afterCommit(ctx.wakeJobs);
    return revived.name;
  });

/** Deletes a dead letter. Returns the name of the job. */
export const deleteDeadJob = (ctx: Deps, id: string): Promise<string> =>
  tx(ctx, async (ctx) => {
    const deleted = await deleteDeadJobRow.first(ctx.db, { id });
    if (!deleted) throw notFound('dead letter', id);
    return deleted.name;
  });
