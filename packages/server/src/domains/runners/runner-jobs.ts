import { type jobKinds, RUNNER_LEASE_SECONDS } from '@mooring/contract';
import type { Ctx, Deps } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { publish } from '../../jobs/index.ts';
import { SECOND } from '../../kernel/clock.ts';
import { randomBase62, sha256 } from '../../kernel/crypto.ts';
import { open, seal } from '../../kernel/sealed.ts';
import { prepareEnd } from './before-end.ts';
import { fits, noteDevice, quarantined, type WantedDevice } from './devices.ts';
import { addToLog } from './job-logs.ts';
import { type Device, type Runner, SEEN_EVERY, toRunner } from './runner.ts';
import {
  claimJob,
  clearWork,
  countRunningOfApps,
  countRunningOfOwners,
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
  listOpenOf,
  listQueuedFor,
  listReturned,
  listRunningOf,
  lockJobRow,
  markCancelled,
  readQueue,
  returnJob,
  saveLimit,
  setPriority,
} from './runner-jobs.store.ts';
import { jobEnded, jobReturned, jobTaken } from './runners.events.ts';
import { listRunnersSeen, lockRunnerRow, noteSeen } from './runners.store.ts';

const PURPOSE = 'runner-job';
const LEASE = RUNNER_LEASE_SECONDS * SECOND;
/** A runner that is lost twice takes the job with it. */
const MOST_ATTEMPTS = 2;
const LOOKED_AT = 200;
const OF_EACH_OWNER = 500;
const OF_ALL = 5000;

export type JobKind = (typeof jobKinds)[number];

export interface NewJob {
  appId: string;
  kind: JobKind;
  /** What a runner must have, by label or tool. */
  needs: readonly string[];
  /** The highest of an owner is taken first. */
  priority?: number;
  /** Which it needs for itself while it runs; `work.device.key` tells the runner which of its own that is. */
  device?: WantedDevice | undefined;
  /** Files that its runner may fetch, by id. */
  sources?: Record<string, JobSource>;
  work: object;
}

/** A file among the blobs; whoever queues the job keeps it until that has ended. */
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

/** Puts a job into the queue, in the caller's transaction. */
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

const eventOf = ({ id, app_id, kind }: Pick<JobRow, 'id' | 'app_id' | 'kind'>) => ({ jobId: id, appId: app_id, kind });

export interface Ending {
  result: 'succeeded' | 'failed' | 'canceled';
  reason?: string | undefined;
  found?: Record<string, unknown> | undefined;
  /** What has failed is the device, not what ran on it. */
  isDeviceBroken?: boolean | undefined;
}

/** In the caller's transaction, which has locked it. */
export async function endJob(ctx: Ctx, row: JobRow, { result, reason, found, isDeviceBroken }: Ending): Promise<void> {
  await endJobRow.run(ctx.db, { id: row.id, now: ctx.clock.now() });
  // A suite that is broken says nothing of the device, neither good nor bad.
  if (isDeviceBroken || result === 'succeeded') await noteDevice(ctx, row, isDeviceBroken === true);
  await publish(ctx, jobEnded, {
    ...eventOf(row),
    result,
    ...(reason === undefined ? {} : { reason }),
    ...(found === undefined ? {} : { found }),
  });
}

/** The runner says how it went; one that was told to stop has stopped. */
export async function finishJob(ctx: Ctx & { job: { id: string; kind: string } }, ending: Ending): Promise<void> {
  await prepareEnd(ctx, ctx.job);
  await tx(ctx, async (ctx) => {
    const row = await lockJobRow.first(ctx.db, ctx.job);
    if (row?.state === 'running') await endJob(ctx, row, ending);
  });
}

/**
 * For whoever locks a row of their own before jobs end: what becomes of a job locks the job first, then what it is of, and two
 * that lock in another order wait for each other.
 */
export async function lockJobs({ db }: Ctx, ids: readonly string[]): Promise<void> {
  for (const id of ids.toSorted()) await lockJobRow.first(db, { id });
}

/** What waits ends at once; what runs, when its runner hears of it. */
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

/** What waits or runs holds credentials of whoever had the app. */
export async function cancelJobsOf(ctx: Ctx, appId: string): Promise<void> {
  for (const { id } of await listOpenOf.all(ctx.db, { appId })) await cancelJob(ctx, id);
  await clearWork.run(ctx.db, { appId });
}

/** Deletes a job with its log; its files are swept. */
export const deleteJob = async (ctx: Ctx, id: string): Promise<void> => {
  await deleteJobRow.run(ctx.db, { id });
};

async function giveUp(
  ctx: Ctx,
  id: string,
  what: string,
  isLost: (row: JobRow) => boolean = () => true,
): Promise<void> {
  const row = await lockJobRow.first(ctx.db, { id });
  if (row?.state !== 'running' || !isLost(row)) return;
  const isLast = row.attempts >= MOST_ATTEMPTS;
  const next = row.is_cancelled || isLast ? '' : ' The job goes back to the queue.';
  await addToLog(ctx, row, `\n## ${what}${next}\n`);
  if (row.is_cancelled) return endJob(ctx, row, { result: 'canceled' });
  if (isLast)
    return endJob(ctx, row, { result: 'failed', reason: `${what} It was the second time.`, isDeviceBroken: true });
  await noteDevice(ctx, row, true);
  await returnJob.run(ctx.db, { id });
  await publish(ctx, jobReturned, eventOf(row));
}

/** Jobs of runners that were not heard of for too long. */
export async function returnLostJobs(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const isLost = ({ lease_until }: JobRow) => lease_until !== null && lease_until < now;
  for (const { id } of await listLost.all(ctx.db, { now, limit: LOOKED_AT })) {
    await tx(ctx, (ctx) => giveUp(ctx, id, 'The runner was lost.', isLost));
  }
  await endStranded(ctx);
}

type Returned = Awaited<ReturnType<typeof listReturned.all>>[number];

const serves = ({ serves, appId, orgId }: Runner, { app_id, owner_id }: Returned): boolean =>
  serves === 'server' || appId === app_id || orgId === owner_id;

/** Jobs that lost their runner and wait for a device that no runner which is there has: nobody knows whether one ever will. */
async function endStranded(ctx: Ctx): Promise<void> {
  const returned = await listReturned.all(ctx.db, { limit: LOOKED_AT });
  if (returned.length === 0) return;
  const there = (await listRunnersSeen.all(ctx.db, { since: ctx.clock.now() - LEASE })).map(toRunner);
  const canRun = (job: Returned, wanted: WantedDevice | undefined) =>
    there.some((runner) => serves(runner, job) && runner.devices.some((device) => wanted && fits(device, wanted)));
  for (const job of returned.filter((one) => !canRun(one, wantedBy(one)))) {
    await tx(ctx, async (ctx) => {
      const row = await lockJobRow.first(ctx.db, { id: job.id });
      if (row?.state !== 'queued') return;
      const reason = 'The runner was lost, and no other that is there has this device.';
      await addToLog(ctx, row, `\n## ${reason}\n`);
      await endJob(ctx, row, { result: 'failed', reason });
    });
  }
}

/** In the transaction in which a runner loses what it had taken, with the reason. */
export async function returnJobsOf(ctx: Ctx, runner: { id: string }, why: string): Promise<void> {
  for (const { id } of await listRunningOf.all(ctx.db, { runnerId: runner.id })) await giveUp(ctx, id, why);
}

export const canDo = ({ labels, tools }: Pick<Runner, 'labels' | 'tools'>, needs: readonly string[]): boolean =>
  needs.every((need) => labels.includes(need) || tools.some(({ name }) => name === need));

interface Queued {
  id: string;
  app_id: string;
  kind: string;
  /** Among those of its owner. */
  place: number;
  needs: string;
  device: string | null;
  owner_id: string;
}

/** Whoever has the fewest jobs that run comes first; of one owner, the most urgent, and the oldest of those. */
async function inFairOrder<Q extends Queued>({ db }: Pick<Deps, 'db'>, queued: readonly Q[]): Promise<Q[]> {
  if (new Set(queued.map(({ owner_id }) => owner_id)).size < 2) return [...queued];
  const running = new Map((await countRunningOfOwners.all(db)).map(({ owner_id, count }) => [owner_id, Number(count)]));
  const busy = ({ owner_id }: Queued) => running.get(owner_id) ?? 0;
  return queued.toSorted(
    (one, other) => busy(one) - busy(other) || Number(one.place) - Number(other.place) || (one.id < other.id ? -1 : 1),
  );
}

/** Which of them would be more than their apps may have running; nobody else takes the last place meanwhile. */
async function beyondLimits(ctx: Ctx, queued: readonly Queued[]): Promise<(job: Queued) => boolean> {
  const keyOf = ({ app_id, kind }: Pick<Queued, 'app_id' | 'kind'>) => `${app_id} ${kind}`;
  const limits = new Map((await listLimits.all(ctx.db)).map((row) => [keyOf(row), row.most]));
  const mostOf = (job: Queued) => limits.get(keyOf(job)) ?? (ctx.config.runnerJobsPerApp || Number.POSITIVE_INFINITY);
  if (!queued.some((job) => Number.isFinite(mostOf(job)))) return () => false;
  await lock(ctx, 'runner-limits');
  const running = new Map((await countRunningOfApps.all(ctx.db)).map((row) => [keyOf(row), Number(row.count)]));
  return (job) => (running.get(keyOf(job)) ?? 0) >= mostOf(job);
}

/** How many jobs of a kind an app may have running at a time; without a number, as many as the server says. */
export async function limitJobs(ctx: Ctx, appId: string, kind: JobKind, most: number | undefined): Promise<void> {
  if (most === undefined) await deleteLimit.run(ctx.db, { appId, kind });
  else await saveLimit.run(ctx.db, { app_id: appId, kind, most });
}

export const limitOf = async ({ db }: Pick<Deps, 'db'>, appId: string, kind: JobKind): Promise<number | undefined> =>
  (await findLimit.first(db, { appId, kind }))?.most;

/** Whether it still waits, and so has another priority now. */
export const prioritizeJob = async ({ db }: Pick<Ctx, 'db'>, id: string, priority: number): Promise<boolean> =>
  (await setPriority.first(db, { id, priority })) !== undefined;

const wantedBy = ({ device }: Pick<Queued, 'device'>): WantedDevice | undefined =>
  device === null ? undefined : (JSON.parse(device) as WantedDevice);

/** The next job that the runner may and can do, on a device that nothing else runs on. */
export async function takeJob(ctx: Ctx & { runner: Runner }): Promise<TakenJob | undefined> {
  const { runner } = ctx;
  if (runner.trouble !== undefined) return undefined;
  await returnLostJobs(ctx);
  const queued = await listQueuedFor.all(ctx.db, {
    appId: runner.appId ?? '',
    orgId: runner.orgId ?? '',
    all: runner.serves === 'server' ? 1 : 0,
    ofEach: OF_EACH_OWNER,
    limit: OF_ALL,
  });
  const fitting = queued.filter(({ needs }) => canDo(runner, JSON.parse(needs) as string[]));
  if (fitting.length === 0) return undefined;
  return tx(ctx, async (ctx) => {
    // It may have been removed while it waited, or have declared itself anew.
    const row = await lockRunnerRow.first(ctx.db, { id: runner.id });
    if (!row) return undefined;
    const { slots, devices } = toRunner(row);
    const running = await listRunningOf.all(ctx.db, { runnerId: runner.id });
    if (running.length >= slots) return undefined;
    const isBusy = new Set(running.map(({ device_key }) => device_key));
    const isOut = await quarantined(ctx, runner.id);
    const free = devices.filter(({ key }) => !isBusy.has(key) && !isOut.has(key));
    const isBeyond = await beyondLimits(ctx, fitting);
    for (const job of await inFairOrder(ctx, fitting)) {
      if (isBeyond(job)) continue;
      const wanted = wantedBy(job);
      const device = wanted && free.find((one) => fits(one, wanted));
      if (wanted && !device) continue;
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
    const reason = 'What is to be done was sealed with another MOORING_SECRET_KEY; queue it again.';
    await endJob(ctx, { ...row, device_key: null }, { result: 'failed', reason });
    return undefined;
  }
  await publish(ctx, jobTaken, eventOf(row));
  const work = JSON.parse(text) as Record<string, unknown>;
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

/** Says whether to stop. */
export const beatJob = async (ctx: Ctx & { job: { id: string } }): Promise<{ isCancelled: boolean }> => {
  const now = ctx.clock.now();
  const row = await tx(ctx, async ({ db }) => {
    const extended = await extendLease.first(db, { id: ctx.job.id, leaseUntil: now + LEASE });
    // One that has its hands full does not ask for work, and is there all the same.
    if (extended?.runner_id) await noteSeen.run(db, { id: extended.runner_id, now, before: now - SEEN_EVERY });
    return extended;
  });
  return { isCancelled: !row || row.is_cancelled === 1 };
};

export const queueVersion = async ({ db }: Pick<Deps, 'db'>): Promise<string> => {
  const states = await readQueue.all(db);
  return states.map(({ state, count, newest }) => `${state} ${count} ${newest}`).join();
};
