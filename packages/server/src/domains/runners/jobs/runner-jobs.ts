import { type jobKinds, RUNNER_LEASE_SECONDS } from '@mooring/contract';
import type { Ctx, Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { randomBase62, sha256 } from '../../../kernel/crypto/crypto.ts';
import { open, seal } from '../../../kernel/crypto/sealed.ts';
import { jsonCodec, objectOutline } from '../../../kernel/text/json-codec.ts';
import { fits, needsCodec, noteDevice, quarantined, type RequestedDevice, requestedDeviceCodec } from '../devices.ts';
import { type Device, type Runner, SEEN_EVERY, toRunner } from '../runner.ts';
import { jobEnded, jobReturned, jobTaken } from '../runners.events.ts';
import { listRunnersSeen, lockRunnerRow, noteSeen } from '../runners.store.ts';
import { prepareEnd } from './before-end.ts';
import { addToLog } from './job-logs.ts';
import {
  claimJob,
  clearWork,
  countRunningByApp,
  countRunningByOwner,
  deleteJobRow,
  deleteLimit,
  endJobRow,
  extendLease,
  findJobRowByToken,
  findLimit,
  insertJob,
  type JobRow,
  listLimits,
  listLost,
  listOpenByApp,
  listQueuedFor,
  listReturned,
  listRunningByRunner,
  lockJobRow,
  markCancelled,
  readQueue,
  returnJob,
  saveLimit,
  setPriority,
} from './runner-jobs.store.ts';

const workCodec = jsonCodec('runner_jobs.work', objectOutline<Record<string, unknown>>());

const PURPOSE = 'runner-job';
const LEASE = RUNNER_LEASE_SECONDS * SECOND;
/** A job fails when its second runner is lost. */
const MAX_ATTEMPTS = 2;
const LOOKED_AT = 200;
const OF_EACH_OWNER = 500;
const OF_ALL = 5000;

export type JobKind = (typeof jobKinds)[number];

export interface NewJob {
  appId: string;
  kind: JobKind;
  /** Labels or tools that the runner must have. */
  needs: readonly string[];
  /** Of the jobs of an owner, the highest priority runs first. */
  priority?: number;
  /**
   * The device that it needs exclusively while it runs; `work.device.key` tells the runner which of its devices that is.
   */
  device?: RequestedDevice | undefined;
  /** Files that the runner may download, by ID. */
  sources?: Record<string, JobSource>;
  work: object;
}

/** A blob; the domain that queues the job keeps it until the job has ended. */
export interface JobSource {
  key: string;
  name: string;
}

export interface TakenJob {
  id: string;
  kind: JobKind;
  token: string;
  logOffset: number;
  work: Record<string, unknown>;
}

/** Queues a job, in the caller's transaction. */
export async function queueJob(
  ctx: Ctx,
  { appId, kind, needs, priority = 0, device, sources = {}, work }: NewJob,
): Promise<string> {
  const id = ctx.newId();
  await insertJob.run(ctx.db, {
    id,
    app_id: appId,
    kind,
    needs: JSON.stringify(needs),
    work: seal(ctx.secretKey, PURPOSE, JSON.stringify(work)),
    device: device === undefined ? null : JSON.stringify(device),
    device_key: null,
    sources: JSON.stringify(sources),
    state: 'queued',
    runner_id: null,
    token_hash: null,
    lease_until: null,
    priority,
    attempts: 0,
    is_cancelled: 0,
    log_size: 0,
    event_count: 0,
    event_bytes: 0,
    created_at: ctx.clock.now(),
    ended_at: null,
  });
  return id;
}

const toJobEvent = ({ id, app_id, kind }: Pick<JobRow, 'id' | 'app_id' | 'kind'>) => ({
  jobId: id,
  appId: app_id,
  kind,
});

export interface Ending {
  result: 'succeeded' | 'failed' | 'canceled';
  reason?: string | undefined;
  found?: Record<string, unknown> | undefined;
  /** The device failed, not the test. */
  isDeviceBroken?: boolean | undefined;
}

/** Ends a job, in the caller's transaction, which has locked it. */
export async function endJob(ctx: Ctx, row: JobRow, { result, reason, found, isDeviceBroken }: Ending): Promise<void> {
  await endJobRow.run(ctx.db, { id: row.id, now: ctx.clock.now() });
  // A broken test suite is no sign of a broken device.
  if (isDeviceBroken || result === 'succeeded') await noteDevice(ctx, row, isDeviceBroken === true);
  await publish(ctx, jobEnded, {
    ...toJobEvent(row),
    result,
    ...(reason === undefined ? {} : { reason }),
    ...(found === undefined ? {} : { found }),
  });
}

/** Records the result that the runner reports, also for a canceled job. */
export async function finishJob(ctx: Ctx & { job: { id: string; kind: string } }, ending: Ending): Promise<void> {
  await prepareEnd(ctx, ctx.job);
  await tx(ctx, async (ctx) => {
    const row = await lockJobRow.first(ctx.db, ctx.job);
    if (row?.state === 'running') await endJob(ctx, row, ending);
  });
}

/**
 * Locks jobs for domains that also lock their rows: lock the jobs first, as every change of a job does, to avoid deadlocks.
 */
export async function lockJobs({ db }: Ctx, ids: readonly string[]): Promise<void> {
  for (const id of ids.toSorted()) await lockJobRow.first(db, { id });
}

/** Ends a queued job; a running one ends when its runner learns of it. */
export async function cancelJob(ctx: Ctx, id: string): Promise<'ended' | 'stopping' | 'over'> {
  const row = await lockJobRow.first(ctx.db, { id });
  if (!row || row.state === 'ended') return 'over';
  if (row.state === 'queued') {
    await endJob(ctx, row, { result: 'canceled' });
    return 'ended';
  }
  await markCancelled.run(ctx.db, { id });
  return 'stopping';
}

/** Queued and running jobs contain credentials of the previous owner. */
export async function cancelAppJobs(ctx: Ctx, appId: string): Promise<void> {
  for (const { id } of await listOpenByApp.all(ctx.db, { appId })) await cancelJob(ctx, id);
  await clearWork.run(ctx.db, { appId });
}

/** Deletes a job with its log; its files are swept. */
export const deleteJob = async (ctx: Ctx, id: string): Promise<void> => {
  await deleteJobRow.run(ctx.db, { id });
};

async function requeueJob(
  ctx: Ctx,
  id: string,
  what: string,
  isLost: (row: JobRow) => boolean = () => true,
): Promise<void> {
  const row = await lockJobRow.first(ctx.db, { id });
  if (row?.state !== 'running' || !isLost(row)) return;
  const isLast = row.attempts >= MAX_ATTEMPTS;
  const next = row.is_cancelled || isLast ? '' : ' The job returns to the queue.';
  await addToLog(ctx, row, `\n## ${what}${next}\n`);
  if (row.is_cancelled) return endJob(ctx, row, { result: 'canceled' });
  if (isLast)
    return endJob(ctx, row, { result: 'failed', reason: `${what} This was the second attempt.`, isDeviceBroken: true });
  await noteDevice(ctx, row, true);
  await returnJob.run(ctx.db, { id });
  await publish(ctx, jobReturned, toJobEvent(row));
}

/** Returns the jobs of runners that have been silent for too long to the queue. */
export async function returnLostJobs(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const isLost = ({ lease_until }: JobRow) => lease_until !== null && lease_until < now;
  for (const { id } of await listLost.all(ctx.db, { now, limit: LOOKED_AT })) {
    await tx(ctx, (ctx) => requeueJob(ctx, id, 'The runner stopped responding.', isLost));
  }
  await endStranded(ctx);
}

type Returned = Awaited<ReturnType<typeof listReturned.all>>[number];

const serves = ({ serves, appId, orgId }: Runner, { app_id, owner_id }: Returned): boolean =>
  serves === 'server' || appId === app_id || orgId === owner_id;

/** Ends jobs that lost their runner and wait for a device that no available runner has. */
async function endStranded(ctx: Ctx): Promise<void> {
  const returned = await listReturned.all(ctx.db, { limit: LOOKED_AT });
  if (returned.length === 0) return;
  const there = (await listRunnersSeen.all(ctx.db, { since: ctx.clock.now() - LEASE })).map(toRunner);
  const canRun = (job: Returned, requested: RequestedDevice | undefined) =>
    there.some(
      (runner) => serves(runner, job) && runner.devices.some((device) => requested && fits(device, requested)),
    );
  for (const job of returned.filter((one) => !canRun(one, getRequestedDevice(one)))) {
    await tx(ctx, async (ctx) => {
      const row = await lockJobRow.first(ctx.db, { id: job.id });
      if (row?.state !== 'queued') return;
      const reason = 'The runner stopped responding, and no other runner has this device.';
      await addToLog(ctx, row, `\n## ${reason}\n`);
      await endJob(ctx, row, { result: 'failed', reason });
    });
  }
}

/** Returns the jobs of a runner to the queue with a reason, in the caller's transaction. */
export async function returnRunnerJobs(ctx: Ctx, runner: { id: string }, why: string): Promise<void> {
  for (const { id } of await listRunningByRunner.all(ctx.db, { runnerId: runner.id })) await requeueJob(ctx, id, why);
}

export const canDo = ({ labels, tools }: Pick<Runner, 'labels' | 'tools'>, needs: readonly string[]): boolean =>
  needs.every((need) => labels.includes(need) || tools.some(({ name }) => name === need));

interface Queued {
  id: string;
  app_id: string;
  kind: string;
  /** Position among the jobs of its owner. */
  place: number;
  needs: string;
  device: string | null;
  owner_id: string;
}

/** Sorts fairly: owners with the fewest running jobs first; within an owner by priority, then by age. */
async function inFairOrder<Q extends Queued>({ db }: Pick<Deps, 'db'>, queued: readonly Q[]): Promise<Q[]> {
  if (new Set(queued.map(({ owner_id }) => owner_id)).size < 2) return [...queued];
  const running = new Map((await countRunningByOwner.all(db)).map(({ owner_id, count }) => [owner_id, Number(count)]));
  const busy = ({ owner_id }: Queued) => running.get(owner_id) ?? 0;
  return queued.toSorted(
    (one, other) => busy(one) - busy(other) || Number(one.place) - Number(other.place) || (one.id < other.id ? -1 : 1),
  );
}

/** Determines which jobs would exceed the limits of their apps; locks, so that no other runner takes the last place. */
async function beyondLimits(ctx: Ctx, queued: readonly Queued[]): Promise<(job: Queued) => boolean> {
  const toLimitKey = ({ app_id, kind }: Pick<Queued, 'app_id' | 'kind'>) => `${app_id} ${kind}`;
  const limits = new Map((await listLimits.all(ctx.db)).map((row) => [toLimitKey(row), row.most]));
  const getMaxRunning = (job: Queued) =>
    limits.get(toLimitKey(job)) ?? (ctx.config.runnerJobsPerApp || Number.POSITIVE_INFINITY);
  if (!queued.some((job) => Number.isFinite(getMaxRunning(job)))) return () => false;
  await lock(ctx, 'runner-limits');
  const running = new Map((await countRunningByApp.all(ctx.db)).map((row) => [toLimitKey(row), Number(row.count)]));
  return (job) => (running.get(toLimitKey(job)) ?? 0) >= getMaxRunning(job);
}

/** Limits the running jobs of an app by kind; without a number, the limit of the server applies. */
export async function limitJobs(ctx: Ctx, appId: string, kind: JobKind, most: number | undefined): Promise<void> {
  if (most === undefined) await deleteLimit.run(ctx.db, { appId, kind });
  else await saveLimit.run(ctx.db, { app_id: appId, kind, most });
}

export const findJobLimit = async (
  { db }: Pick<Deps, 'db'>,
  appId: string,
  kind: JobKind,
): Promise<number | undefined> => (await findLimit.first(db, { appId, kind }))?.most;

/** Changes the priority of a queued job; false if it is not queued. */
export const prioritizeJob = async ({ db }: Pick<Ctx, 'db'>, id: string, priority: number): Promise<boolean> =>
  (await setPriority.first(db, { id, priority })) !== undefined;

const getRequestedDevice = ({ device }: Pick<Queued, 'device'>): RequestedDevice | undefined =>
  device === null ? undefined : requestedDeviceCodec.parse(device);

/** Claims the next job that the runner may and can run, on a free device. */
export async function takeJob(ctx: Ctx & { runner: Runner }): Promise<TakenJob | undefined> {
  const { runner } = ctx;
  if (runner.problem !== undefined) return undefined;
  await returnLostJobs(ctx);
  const queued = await listQueuedFor.all(ctx.db, {
    appId: runner.appId ?? '',
    orgId: runner.orgId ?? '',
    all: runner.serves === 'server' ? 1 : 0,
    ofEach: OF_EACH_OWNER,
    limit: OF_ALL,
  });
  const fitting = queued.filter(({ needs }) => canDo(runner, needsCodec.parse(needs)));
  if (fitting.length === 0) return undefined;
  return tx(ctx, async (ctx) => {
    // The runner may have been removed or declared again while it waited.
    const row = await lockRunnerRow.first(ctx.db, { id: runner.id });
    if (!row) return undefined;
    const { slots, devices } = toRunner(row);
    const running = await listRunningByRunner.all(ctx.db, { runnerId: runner.id });
    if (running.length >= slots) return undefined;
    const isBusy = new Set(running.map(({ device_key }) => device_key));
    const isOut = await quarantined(ctx, runner.id);
    const free = devices.filter(({ key }) => !isBusy.has(key) && !isOut.has(key));
    const isBeyond = await beyondLimits(ctx, fitting);
    for (const job of await inFairOrder(ctx, fitting)) {
      if (isBeyond(job)) continue;
      const requested = getRequestedDevice(job);
      const device = requested && free.find((one) => fits(one, requested));
      if (requested && !device) continue;
      const taken = await claim(ctx, job.id, device);
      if (taken) return taken;
    }
    return undefined;
  });
}

async function claim(
  ctx: Ctx & { runner: Runner },
  id: string,
  device: Device | undefined,
): Promise<TakenJob | undefined> {
  const token = `mjt_${randomBase62(43)}`;
  const row = await claimJob.first(ctx.db, {
    id,
    runnerId: ctx.runner.id,
    tokenHash: sha256(token),
    leaseUntil: ctx.clock.now() + LEASE,
    deviceKey: device?.key ?? null,
  });
  if (!row) return undefined;
  const text = open(ctx.secretKey, PURPOSE, row.work);
  if (text === undefined) {
    const reason = 'The job was encrypted with another MOORING_SECRET_KEY. Queue it again.';
    await endJob(ctx, { ...row, device_key: null }, { result: 'failed', reason });
    return undefined;
  }
  await publish(ctx, jobTaken, toJobEvent(row));
  const work = workCodec.parse(text);
  return {
    id,
    kind: row.kind as JobKind,
    token,
    logOffset: row.log_size,
    work: device ? { ...work, device: { ...(work.device as object), key: device.key } } : work,
  };
}

export async function findJobByToken({ db }: Pick<Deps, 'db'>, id: string, token: string) {
  if (!/^mjt_[0-9A-Za-z]{43}$/.test(token)) return undefined;
  const row = await findJobRowByToken.first(db, { id, tokenHash: sha256(token) });
  return row && { id: row.id, appId: row.app_id, kind: row.kind, attempt: row.attempts, sources: row.sources };
}

/** Extends the lease of a job; returns whether it was canceled. */
export const beatJob = async (ctx: Ctx & { job: { id: string } }): Promise<{ isCancelled: boolean }> => {
  const now = ctx.clock.now();
  const row = await tx(ctx, async ({ db }) => {
    const extended = await extendLease.first(db, { id: ctx.job.id, leaseUntil: now + LEASE });
    // A fully busy runner does not ask for jobs, but counts as online.
    if (extended?.runner_id) await noteSeen.run(db, { id: extended.runner_id, now, before: now - SEEN_EVERY });
    return extended;
  });
  return { isCancelled: !row || row.is_cancelled === 1 };
};

export const queueVersion = async ({ db }: Pick<Deps, 'db'>): Promise<string> => {
  const states = await readQueue.all(db);
  return states.map(({ state, count, newest }) => `${state} ${count} ${newest}`).join();
};
