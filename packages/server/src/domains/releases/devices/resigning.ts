import type { AppCtx, Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { badRequest, conflict, Failure, notFound } from '../../../kernel/errors.ts';
import { jsonCodec, StringList } from '../../../kernel/text/json-codec.ts';
import { carryDownloads, deleteTakenFile } from '../../../uploads/index.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { getApp, getAppRef } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { linkPackageRelease } from '../../packages/index.ts';
import { type JobFile, listJobFiles, readWholeLog } from '../../runners/index.ts';
import { dropHandover, handOver, missingFor } from '../handovers.ts';
import { lockReleaseRow } from '../releases.store.ts';
import type { ReleaseResigningsTable } from '../releases.tables.ts';
import {
  changeRelease,
  findRelease,
  getRelease,
  isProvisioned,
  type Release,
  releaseDiscard,
  releaseSubject,
} from '../releases.ts';
import { type ReadPackage, readPackage } from '../uploads/package-reading.ts';
import { insertHash } from '../uploads/release-uploads.store.ts';
import {
  deleteResigning,
  findResigning,
  insertResigning,
  listOpenResignings,
  listReleaseDevices,
  listResignings,
  replacePackage,
  saveResigning,
} from './resigning.store.ts';

const udidsCodec = jsonCodec('release_resignings.udids', StringList);

/** Signing a release again for more devices. */
export interface Resigning {
  id: string;
  status: ReleaseResigningsTable['status'];
  deviceCount: number;
  /** Why it failed, or what it is waiting for. */
  error: string | undefined;
  createdAt: number;
}

const WHAT = 'resign-apple';
const MAX_DEVICES = 1000;

/** The reason for waiting is determined on each read, because runners come and go. */
async function toResignings(ctx: AppCtx, rows: readonly ReleaseResigningsTable[]): Promise<Resigning[]> {
  const isWaiting = rows.some(({ status }) => status === 'submitted');
  const missing = isWaiting ? await missingFor(ctx, WHAT) : undefined;
  return rows.map(({ id, status, error, device_count, created_at }) => ({
    id,
    status,
    deviceCount: device_count,
    error: error ?? (status === 'submitted' ? missing : undefined),
    createdAt: created_at,
  }));
}

/** Queues a job that signs a release for the devices of all its testers; replaces one that is still queued. */
export const resignRelease = (ctx: AppCtx, releaseId: number): Promise<Resigning> =>
  changeRelease(ctx, releaseId, async (ctx, release) => {
    const { profile } = release.metadata;
    if (!profile) throw badRequest('This release has no provisioning profile; only iOS apps have one.');
    if (profile.type !== 'adhoc') {
      throw badRequest(
        `A provisioning profile of type ${profile.type} lists no devices, so none can be added. Upload a build with an ad hoc profile.`,
      );
    }
    const which = { appId: ctx.app.id, releaseId };
    const devices = await listReleaseDevices.all(ctx.db, { ...which, limit: MAX_DEVICES + 1 });
    if (devices.length > MAX_DEVICES) {
      throw badRequest(
        `This release was distributed to more than ${MAX_DEVICES} devices, the maximum of an Apple provisioning profile. Distribute it to fewer testers.`,
      );
    }
    if (devices.length === 0) {
      throw badRequest(
        'No tester of this release has registered a device. Distribute it to testers with registered devices first.',
      );
    }
    for (const { id, status } of await listOpenResignings.all(ctx.db, which)) {
      if (status === 'processing')
        throw conflict('A runner is already re-signing this release. Wait until it has finished.');
      await dropHandover(ctx, id);
      await deleteResigning.run(ctx.db, { id });
    }
    const named = [...new Map(devices.map((one) => [one.udid, one])).values()];
    const id = await handOver(ctx, {
      what: WHAT,
      release,
      facts: { devices: named.map(({ udid, model, owner_name }) => ({ udid, name: `${owner_name}'s ${model}` })) },
    });
    const row: ReleaseResigningsTable = {
      id,
      app_id: ctx.app.id,
      release_id: releaseId,
      status: 'submitted',
      error: null,
      device_count: named.length,
      udids: JSON.stringify(named.map(({ udid }) => udid)),
      created_at: ctx.clock.now(),
    };
    await insertResigning.run(ctx.db, row);
    await record(ctx, 'release.resign', releaseSubject(ctx.app, releaseId), { after: { devices: named.length } });
    return (await toResignings(ctx, [row]))[0] as Resigning;
  });

export async function listReleaseResignings(ctx: AppCtx, releaseId: number): Promise<Resigning[]> {
  await getRelease(ctx, releaseId);
  return toResignings(ctx, await listResignings.all(ctx.db, { appId: ctx.app.id, releaseId }));
}

async function getRow(ctx: AppCtx, releaseId: number, id: string): Promise<ReleaseResigningsTable> {
  await getRelease(ctx, releaseId);
  const row = await findResigning.first(ctx.db, { id: id.toLowerCase() });
  if (row?.app_id !== ctx.app.id || row.release_id !== releaseId) throw notFound('re-signing of this release', id);
  return row;
}

export async function getResigning(ctx: AppCtx, releaseId: number, id: string): Promise<Resigning> {
  return (await toResignings(ctx, [await getRow(ctx, releaseId, id)]))[0] as Resigning;
}

/** Returns the output of the command; without any, the reason for waiting. */
export async function readResigningLog(ctx: AppCtx, releaseId: number, id: string): Promise<string> {
  const { status, error } = await getResigning(ctx, releaseId, id);
  const text = (await readWholeLog(ctx, id.toLowerCase())).trimEnd();
  return text === '' ? `Not started yet: ${status}.${error === undefined ? '' : ` ${error}`}\n` : `${text}\n`;
}

export const packageResigned = defineJob<{ id: string }>('package.resigned', { maxAttempts: 8 });

const save = ({ db }: Pick<Ctx, 'db'>, row: ReleaseResigningsTable, status: Resigning['status'], error?: string) =>
  saveResigning.run(db, {
    id: row.id,
    status,
    error: error ?? null,
    udids: status === 'submitted' || status === 'processing' ? row.udids : '[]',
  });

interface JobUpdate {
  jobId: string;
  result?: 'succeeded' | 'failed' | 'canceled';
  reason?: string | undefined;
}

/** Updates the re-signing, in the transaction that changes the job. Another job reads the new package. */
export async function noteResigning(ctx: Ctx, what: 'taken' | 'returned' | 'ended', update: JobUpdate): Promise<void> {
  const row = await findResigning.first(ctx.db, { id: update.jobId });
  if (!row) return;
  if (what !== 'ended') await save(ctx, row, what === 'taken' ? 'processing' : 'submitted');
  else if (update.result === 'succeeded') await enqueue(ctx, packageResigned, { id: row.id });
  else await save(ctx, row, 'failed', update.reason ?? 'The job was canceled.');
}

/** The file of the attempt that succeeded. */
const newest = (files: readonly JobFile[]): JobFile | undefined =>
  files.toSorted((one, other) => other.attempt - one.attempt)[0];

function checkSame(release: Release, { version, shortVersion, metadata }: ReadPackage, udids: readonly string[]): void {
  if (metadata.bundleIdentifier !== release.bundleIdentifier) {
    throw new Unreadable(`The re-signed package is another app: ${metadata.bundleIdentifier}.`);
  }
  if (version !== release.version || shortVersion !== release.shortVersion) {
    throw new Unreadable(`The re-signed package has another version: ${shortVersion} (${version}).`);
  }
  const { profile } = metadata;
  const left = udids.filter((udid) => !profile || !isProvisioned(profile, udid));
  if (left.length > 0) {
    throw new Unreadable(
      `The profile of the re-signed package lacks ${left.length} of the devices: ${left.slice(0, 5).join(', ')}.`,
    );
  }
}

/** Replaces the package with the re-signed one; a repeated run changes nothing. */
export async function takeResigned(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const row = await findResigning.first(ctx.db, { id });
  if (row?.status !== 'processing') return;
  try {
    await readResigned(ctx, row);
  } catch (error) {
    // Other errors may be temporary, so the job is retried.
    const isTheirs = error instanceof Unreadable || (error instanceof Failure && error.code === 'NotFound');
    if (!isTheirs) throw error;
    await tx(ctx, (ctx) => save(ctx, row, 'failed', error.message));
  }
}

async function readResigned(ctx: Ctx, row: ReleaseResigningsTable): Promise<void> {
  const inApp = { ...ctx, app: await getAppRef(ctx, row.app_id) };
  const release = await findRelease(inApp, row.release_id);
  if (!release) return;
  const file = newest(await listJobFiles(ctx, row.id));
  if (!file) throw new Unreadable('The signing command produced no package.');
  const { os } = await getApp({ ...inApp, permission: 'manager' });
  const read = await readPackage(ctx, file, { os, requested: { buildVersion: undefined, buildNumber: undefined } });
  checkSame(release, read, udidsCodec.parse(row.udids));
  const blob = await ctx.blobs.get(file.key);
  if (!blob) throw new Unreadable('The re-signed package no longer exists.');
  // A copy: the job may be deleted before the release.
  const key = `releases/resigned-${row.id}`;
  const content = blob.stream as AsyncIterable<Buffer>;
  await ctx.blobs.put(key, content, { type: 'application/octet-stream', maxBytes: file.size });
  await replace(inApp, row, { read, key, file });
}

async function replace(
  ctx: Ctx & { app: AppCtx['app'] },
  row: ReleaseResigningsTable,
  { read, key, file }: { read: ReadPackage; key: string; file: JobFile },
): Promise<void> {
  const {
    hashes = [],
    icon: _icon,
    bundleIdentifier: _id,
    minOs: _os,
    minApiLevel: _api,
    deviceFamily: _family,
    ...rest
  } = read.metadata;
  const isReplaced = await tx(ctx, async (ctx) => {
    const { app_id: appId, release_id: releaseId } = row;
    await lockReleaseRow.first(ctx.db, { appId, id: releaseId });
    const before = await findRelease(ctx, releaseId);
    const now = await findResigning.first(ctx.db, { id: row.id });
    if (!before || now?.status !== 'processing') return before?.key === key;
    // Keeps the hashes of the old package, so that devices which have it are not offered the same version as an update.
    const all = [...new Set([...before.hashes, ...hashes])];
    await replacePackage.run(ctx.db, {
      appId,
      releaseId,
      key,
      size: file.size,
      sha256: file.sha256,
      hashes: JSON.stringify(all),
      facts: JSON.stringify({ ...before.metadata, ...rest }),
    });
    for (const hash of hashes) await insertHash.run(ctx.db, { app_id: appId, release_id: releaseId, hash });
    await carryDownloads(ctx, before.key, key);
    await enqueue(ctx, releaseDiscard, { key: before.key });
    await linkPackageRelease(ctx, appId, file.sha256, releaseId);
    await save(ctx, row, 'completed');
    await record(ctx, 'release.resign', releaseSubject(ctx.app, releaseId), {
      before: { sha256: before.sha256 },
      after: { sha256: file.sha256 },
    });
    return true;
  });
  if (!isReplaced) await deleteTakenFile(ctx, key);
}
