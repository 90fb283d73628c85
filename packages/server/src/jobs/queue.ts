import type { Deps } from '../context.ts';
import { tx } from '../db/tx.ts';
import { notFound } from '../kernel/errors.ts';
import { decodeCursor, type Page, toPage } from '../kernel/paging.ts';
import type { Job } from './define.ts';
import { deleteWaitingJob, insertJob, type JobRow, pageDeadJobs, reviveJob } from './jobs.store.ts';

/** Asks for work, in the transaction that makes it necessary: both happen, or neither. */
export async function enqueue<P extends object>(
  ctx: Deps,
  job: Job<P>,
  payload: P,
  { runAt }: { runAt?: number } = {},
): Promise<string> {
  if (!ctx.db.inTransaction) throw new Error(`${job.name} was enqueued outside the transaction that asks for it`);
  const id = ctx.newId();
  const now = ctx.clock.now();
  const row = { id, name: job.name, payload: JSON.stringify(payload), created_at: now, dueAt: runAt ?? now };
  await insertJob.run(ctx.db, row);
  ctx.db.afterCommit(ctx.wakeJobs);
  return id;
}

/** Takes a job back that is not needed any more; says whether it was in time, before a worker took it. */
export async function cancelJob(ctx: Pick<Deps, 'db'>, id: string): Promise<boolean> {
  return (await deleteWaitingJob.first(ctx.db, { id })) !== undefined;
}

/** A job that failed as often as it may. */
export interface DeadJob {
  id: string;
  name: string;
  payload: object;
  attempts: number;
  lastError: string;
  createdAt: number;
  failedAt: number;
}

const toDeadJob = (row: JobRow): DeadJob => ({
  id: row.id,
  name: row.name,
  payload: JSON.parse(row.payload),
  attempts: row.attempts,
  lastError: row.last_error ?? '',
  createdAt: row.created_at,
  failedAt: row.failed_at ?? 0,
});

/** Sorts after every id. */
const LAST = '~';

export async function listDeadJobs(
  ctx: Pick<Deps, 'db'>,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
): Promise<Page<DeadJob>> {
  const [before] = cursor ? decodeCursor(cursor, ['string']) : [LAST];
  const rows = await pageDeadJobs.all(ctx.db, { before: String(before), limit: limit + 1 });
  return toPage(rows, limit, (row) => [row.id], toDeadJob);
}

/** Gives a dead letter all its attempts again, from now on. */
export const replayJob = (ctx: Deps, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    if (!(await reviveJob.first(ctx.db, { id, now: ctx.clock.now() }))) throw notFound('dead letter', id);
    ctx.db.afterCommit(ctx.wakeJobs);
  });
