import { RUNNER_LEASE_SECONDS } from '@mooring/contract';
import type { Ctx, Deps } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { publish } from '../../jobs/index.ts';
import { SECOND } from '../../kernel/clock.ts';
import { randomBase62, sha256 } from '../../kernel/crypto.ts';
import { open, seal } from '../../kernel/sealed.ts';
import { addToLog } from './job-logs.ts';
import type { Runner } from './runner.ts';
import {
  claimJob,
  deleteJobRow,
  endJobRow,
  extendLease,
  findJobRow,
  findJobRowByToken,
  insertJob,
  type JobRow,
  listLost,
  listQueuedFor,
  listRunningOf,
  lockJobRow,
  markCancelled,
  readQueue,
  returnJob,
} from './runner-jobs.store.ts';
import { jobEnded, jobReturned, jobTaken } from './runners.events.ts';
import { findRunnerRow } from './runners.store.ts';

const PURPOSE = 'runner-job';
const LEASE = RUNNER_LEASE_SECONDS * SECOND;
/** A runner that is lost twice takes the job with it. */
const MOST_ATTEMPTS = 2;
const LOOKED_AT = 200;

export interface NewJob {
  appId: string;
  kind: 'build';
  /** What a runner must have, by label or tool. */
  needs: readonly string[];
  work: object;
}

export interface TakenJob {
  id: string;
  kind: 'build';
  token: string;
  logOffset: number;
  work: Record<string, unknown>;
}

/** Puts a job into the queue, in the caller's transaction. */
export async function queueJob(ctx: Ctx, { appId, kind, needs, work }: NewJob): Promise<string> {
  const id = ctx.newId();
  await insertJob.run(ctx.db, {
    id,
    app_id: appId,
    kind,
    needs: JSON.stringify(needs),
    work: seal(ctx.secretKey, PURPOSE, JSON.stringify(work)),
    state: 'queued',
    runner_id: null,
    token_hash: null,
    lease_until: null,
    attempts: 0,
    is_cancelled: 0,
    log_size: 0,
    created_at: ctx.clock.now(),
    ended_at: null,
  });
  return id;
}

const eventOf = ({ id, app_id, kind }: Pick<JobRow, 'id' | 'app_id' | 'kind'>) => ({ jobId: id, appId: app_id, kind });

export interface Ending {
  result: 'succeeded' | 'failed' | 'canceled';
  reason?: string | undefined;
  found?: Record<string, unknown> | undefined;
}

/** In the caller's transaction, which has locked it. */
async function endJob(ctx: Ctx, row: JobRow, { result, reason, found }: Ending): Promise<void> {
  await endJobRow.run(ctx.db, { id: row.id, now: ctx.clock.now() });
  await publish(ctx, jobEnded, {
    ...eventOf(row),
    result,
    ...(reason === undefined ? {} : { reason }),
    ...(found === undefined ? {} : { found }),
  });
}

/** The runner says how it went; one that was told to stop has stopped. */
export const finishJob = (ctx: Ctx & { job: { id: string } }, ending: Ending): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await lockJobRow.first(ctx.db, ctx.job);
    if (row?.state === 'running') await endJob(ctx, row, ending);
  });

/** What waits ends at once; what runs, when its runner hears of it. */
export async function cancelJob(ctx: Ctx, id: string): Promise<'ended' | 'stopping'> {
  const row = await lockJobRow.first(ctx.db, { id });
  if (!row || row.state === 'ended') return 'ended';
  if (row.state === 'queued') {
    await endJob(ctx, row, { result: 'canceled' });
    return 'ended';
  }
  await markCancelled.run(ctx.db, { id });
  return 'stopping';
}

/** Deletes a job with its log; its files are swept. */
export const deleteJob = async (ctx: Ctx, id: string): Promise<void> => {
  await deleteJobRow.run(ctx.db, { id });
};

async function giveUp(ctx: Ctx, id: string, what: string): Promise<void> {
  const row = await lockJobRow.first(ctx.db, { id });
  if (row?.state !== 'running') return;
  const isLast = row.attempts >= MOST_ATTEMPTS;
  const next = row.is_cancelled || isLast ? '' : ' The job goes back to the queue.';
  await addToLog(ctx, row, `\n## ${what}${next}\n`);
  if (row.is_cancelled) return endJob(ctx, row, { result: 'canceled' });
  if (isLast) return endJob(ctx, row, { result: 'failed', reason: `${what} It was the second time.` });
  await returnJob.run(ctx.db, { id });
  await publish(ctx, jobReturned, eventOf(row));
}

/** Jobs of runners that were not heard of for too long. */
export async function returnLostJobs(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  for (const { id } of await listLost.all(ctx.db, { now, limit: LOOKED_AT })) {
    await tx(ctx, async (ctx) => {
      const row = await findJobRow.first(ctx.db, { id });
      if (row?.lease_until && row.lease_until < now) await giveUp(ctx, id, 'The runner was lost.');
    });
  }
}

/** In the transaction in which a runner is removed. */
export async function returnJobsOf(ctx: Ctx, runner: { id: string; name: string }): Promise<void> {
  for (const { id } of await listRunningOf.all(ctx.db, { runnerId: runner.id })) {
    await giveUp(ctx, id, `The runner ${runner.name} was removed.`);
  }
}

const canDo = ({ labels, tools }: Runner, needs: readonly string[]): boolean =>
  needs.every((need) => labels.includes(need) || tools.some(({ name }) => name === need));

/** The oldest job that the runner may and can do. */
export async function takeJob(ctx: Ctx & { runner: Runner }): Promise<TakenJob | undefined> {
  const { runner } = ctx;
  if (runner.trouble !== undefined) return undefined;
  await returnLostJobs(ctx);
  const queued = await listQueuedFor.all(ctx.db, {
    appId: runner.appId ?? '',
    orgId: runner.orgId ?? '',
    all: runner.serves === 'server' ? 1 : 0,
    limit: LOOKED_AT,
  });
  const fitting = queued.filter(({ needs }) => canDo(runner, JSON.parse(needs) as string[]));
  if (fitting.length === 0) return undefined;
  return tx(ctx, async (ctx) => {
    // It may have been removed while it waited.
    if (!(await findRunnerRow.first(ctx.db, { id: runner.id }))) return undefined;
    const running = await listRunningOf.all(ctx.db, { runnerId: runner.id });
    if (running.length >= runner.slots) return undefined;
    for (const { id } of fitting) {
      const taken = await claim(ctx, id);
      if (taken) return taken;
    }
    return undefined;
  });
}

async function claim(ctx: Ctx & { runner: Runner }, id: string): Promise<TakenJob | undefined> {
  const token = `mjt_${randomBase62(43)}`;
  const leaseUntil = ctx.clock.now() + LEASE;
  const row = await claimJob.first(ctx.db, { id, runnerId: ctx.runner.id, tokenHash: sha256(token), leaseUntil });
  if (!row) return undefined;
  const work = open(ctx.secretKey, PURPOSE, row.work);
  if (work === undefined) {
    const reason = 'What is to be done was sealed with another MOORING_SECRET_KEY; queue it again.';
    await endJob(ctx, row, { result: 'failed', reason });
    return undefined;
  }
  await publish(ctx, jobTaken, eventOf(row));
  return {
    id,
    kind: 'build',
    token,
    logOffset: row.log_size,
    work: JSON.parse(work) as Record<string, unknown>,
  };
}

export async function findJobByToken({ db }: Pick<Deps, 'db'>, id: string, token: string) {
  if (!/^mjt_[0-9A-Za-z]{43}$/.test(token)) return undefined;
  const row = await findJobRowByToken.first(db, { id, tokenHash: sha256(token) });
  return row && { id: row.id, appId: row.app_id, kind: row.kind };
}

/** Says whether to stop. */
export const beatJob = async (ctx: Ctx & { job: { id: string } }): Promise<{ isCancelled: boolean }> => {
  const leaseUntil = ctx.clock.now() + LEASE;
  const row = await tx(ctx, ({ db }) => extendLease.first(db, { id: ctx.job.id, leaseUntil }));
  return { isCancelled: !row || row.is_cancelled === 1 };
};

export const queueVersion = async ({ db }: Pick<Deps, 'db'>): Promise<string> => {
  const queue = await readQueue.first(db);
  return `${queue?.count} ${queue?.newest}`;
};
