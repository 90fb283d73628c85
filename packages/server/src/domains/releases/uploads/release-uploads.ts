import { Type } from '@mooring/contract';
import type { AppCtx, Ctx, Deps } from '../../../context.ts';
import { sweep } from '../../../db/rows/sweep.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue, publish } from '../../../jobs/index.ts';
import { DAY } from '../../../kernel/clock.ts';
import { createSharedWork } from '../../../kernel/concurrency/shared-work.ts';
import { conflict, Failure, notFound } from '../../../kernel/errors.ts';
import { jsonCodec, objectOutline } from '../../../kernel/text/json-codec.ts';
import {
  beginUpload,
  cancelUpload,
  defineUploadPurpose,
  deleteTakenFile,
  type Incoming,
  readContentRange,
  receiveRange,
  takeUpload,
  type UploadedFile,
  uploadAddresses,
} from '../../../uploads/index.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { type AppRef, adoptIcon, getApp, getAppRef, hasIcon } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { claimAvatar, storeAvatar } from '../../avatars/index.ts';
import { linkPackageRelease, packageReleased } from '../../packages/index.ts';
import { refuseOverQuota } from '../../usage/index.ts';
import type { ReleaseUploadsTable } from '../releases.tables.ts';
import { releaseSubject } from '../releases.ts';
import { type ReadPackage, type RequestedVersions, readPackage } from './package-reading.ts';
import {
  deleteOldReleaseUploads,
  findReleaseUpload,
  insertHash,
  insertRelease,
  insertReleaseUpload,
  lockReleaseUpload,
  saveReleaseUpload,
  takeReleaseId,
} from './release-uploads.store.ts';

const fileCodec = jsonCodec(
  'release_uploads.file',
  objectOutline<UploadedFile>({ key: Type.String(), size: Type.Integer(), sha256: Type.String(), name: Type.String() }),
);

export const releasePackages = defineUploadPurpose('releases');

/** An upload of a package that becomes a release. */
export interface ReleaseUpload {
  id: string;
  status: ReleaseUploadsTable['status'];
  errorDetails: string | undefined;
  releaseId: number | undefined;
}

const toReleaseUpload = (row: ReleaseUploadsTable): ReleaseUpload => ({
  id: row.id,
  status: row.status,
  errorDetails: row.error_details ?? undefined,
  releaseId: row.release_id ?? undefined,
});

/** Retried after errors that may be temporary; the file itself has arrived. */
export const packageRead = defineJob<{ uploadId: string }>('package.read', { maxAttempts: 8 });

const rowFor = (ctx: AppCtx, id: string, { buildVersion, buildNumber }: RequestedVersions) => ({
  id,
  app_id: ctx.app.id,
  build_version: buildVersion ?? null,
  build_number: buildNumber ?? null,
  status: 'uploadStarted' as const,
  error_details: null,
  file: null,
  release_id: null,
  created_at: ctx.clock.now(),
});

const uploadSubject = ({ app }: AppCtx, id: string) =>
  ({ kind: 'release', id, name: `${app.ownerName}/${app.name}`, appId: app.id, orgId: app.ownerId }) as const;

export const createReleaseUpload = (ctx: AppCtx, requested: RequestedVersions) =>
  tx(ctx, async (ctx) => {
    await refuseOverQuota(ctx, 'storage_bytes');
    const upload = await beginUpload(ctx, releasePackages, { ownerId: ctx.app.id });
    await insertReleaseUpload.run(ctx.db, rowFor(ctx, upload.id, requested));
    await record(ctx, 'release.upload', uploadSubject(ctx, upload.id), { after: { status: 'uploadStarted' } });
    return { id: upload.id, ...uploadAddresses(ctx, upload) };
  });

export async function getReleaseUpload(ctx: AppCtx, id: string): Promise<ReleaseUpload> {
  return toReleaseUpload(ofApp(await findReleaseUpload.first(ctx.db, { id }), ctx, id));
}

const ofApp = (row: ReleaseUploadsTable | undefined, { app }: AppCtx, id: string): ReleaseUploadsTable => {
  if (row?.app_id !== app.id) throw notFound('upload', id);
  return row;
};

/** Marks the file as arrived, so that a job reads it. Calling it again changes nothing. */
export const finishReleaseUpload = (ctx: AppCtx, id: string): Promise<ReleaseUpload> =>
  tx(ctx, async (ctx) => {
    const row = ofApp(await lockReleaseUpload.first(ctx.db, { id }), ctx, id);
    if (row.status === 'uploadCanceled') throw conflict('This upload was canceled. Start a new one.');
    if (row.status === 'uploadStarted') {
      const file = await takeUpload(ctx, releasePackages, { id, ownerId: ctx.app.id });
      await save(ctx, id, { status: 'uploadFinished', file: JSON.stringify(file) });
      await enqueue(ctx, packageRead, { uploadId: id });
    }
    await record(ctx, 'release.upload', uploadSubject(ctx, id), { after: { status: 'uploadFinished' } });
    return getReleaseUpload(ctx, id);
  });

export const cancelReleaseUpload = async (ctx: AppCtx, id: string): Promise<ReleaseUpload> => {
  const cancelled = await tx(ctx, async (ctx) => {
    const row = ofApp(await lockReleaseUpload.first(ctx.db, { id }), ctx, id);
    if (row.status === 'uploadStarted') await save(ctx, id, { status: 'uploadCanceled' });
    else if (row.status !== 'uploadCanceled')
      throw conflict('The upload is already committed. Delete the release instead.');
    await record(ctx, 'release.upload', uploadSubject(ctx, id), { after: { status: 'uploadCanceled' } });
    return getReleaseUpload(ctx, id);
  });
  await cancelUpload(ctx, { id });
  return cancelled;
};

interface Saved {
  status: ReleaseUploadsTable['status'];
  file?: string;
  errorDetails?: string;
  releaseId?: number;
}

const save = ({ db }: Pick<Ctx, 'db'>, id: string, { status, file, errorDetails, releaseId }: Saved) =>
  saveReleaseUpload.run(db, {
    id,
    status,
    file: file ?? null,
    errorDetails: errorDetails ?? null,
    releaseId: releaseId ?? null,
  });

export interface PutPackage {
  id: string;
  fileName: string;
  contentRange: string | undefined;
  file: Incoming;
  requested: RequestedVersions;
}

/** Mooring's own upload: the file as the body, whole or in ranges. A complete file is processed immediately. */
export async function putReleasePackage(ctx: AppCtx, { id, fileName, contentRange, file, requested }: PutPackage) {
  const range = readContentRange(contentRange);
  await tx(ctx, async (ctx) => {
    await refuseOverQuota(ctx, 'storage_bytes');
    await insertReleaseUpload.run(ctx.db, rowFor(ctx, id, requested));
    await getReleaseUpload(ctx, id);
  });
  const { upload, received } = await receiveRange(
    ctx,
    releasePackages,
    { id, ownerId: ctx.app.id, fileName },
    { range, file },
  );
  if (upload.state === 'finished') await finishReleaseUpload(ctx, id);
  else {
    await tx(ctx, (ctx) => record(ctx, 'release.upload', uploadSubject(ctx, id), { after: { received } }));
  }
  return { ...(await getReleaseUpload(ctx, id)), received, size: upload.size };
}

/** A waiting client and the job of the same upload share one read. */
const processing = createSharedWork<void>({ maxEntries: 0 });

/** Creates a release from an uploaded package, or records why it cannot. Running it again changes nothing. */
export const processReleaseUpload = (ctx: Ctx, id: string): Promise<void> =>
  processing(id, undefined, () => makeRelease(ctx, id));

async function makeRelease(ctx: Ctx, id: string): Promise<void> {
  const row = await findReleaseUpload.first(ctx.db, { id });
  if (row?.status !== 'uploadFinished' || row.file === null) return;
  const file = fileCodec.parse(row.file);
  const requested = { buildVersion: row.build_version ?? undefined, buildNumber: row.build_number ?? undefined };
  try {
    const app = await getAppRef(ctx, row.app_id);
    const { os } = await getApp({ ...ctx, app, permission: 'manager' });
    await saveRelease(ctx, { id, app, file, read: await readPackage(ctx, file, { os, requested }) });
  } catch (error) {
    // Other errors may be temporary, so the job is retried.
    const isTheirs = error instanceof Unreadable || (error instanceof Failure && error.code === 'NotFound');
    if (!isTheirs) throw error;
    await tx(ctx, (ctx) => save(ctx, id, { status: 'error', errorDetails: error.message }));
    await deleteTakenFile(ctx, file.key);
  }
}

/** Skips an icon that is invalid or too large: the icon is optional. */
const storeIcon = async (ctx: Ctx, icon: ReadPackage['metadata']['icon']) =>
  icon &&
  storeAvatar(ctx, { type: icon.type, bytes: Buffer.from(icon.bytes) }).catch((error: unknown) => {
    if (error instanceof Failure && error.code !== 'ServiceUnavailable') return undefined;
    throw error;
  });

async function saveRelease(
  ctx: Ctx,
  { id, app, file, read }: { id: string; app: AppRef; file: UploadedFile; read: ReadPackage },
): Promise<void> {
  const { kind, version, shortVersion, metadata } = read;
  const { hashes = [], icon, bundleIdentifier, minOs, minApiLevel, deviceFamily, ...rest } = metadata;
  const stored = await storeIcon(ctx, icon);
  // A copy, because the release may be deleted before the app.
  const forApp = stored && !(await hasIcon(ctx, app.id)) ? await storeIcon(ctx, icon) : undefined;
  await tx(ctx, async (ctx) => {
    const row = await lockReleaseUpload.first(ctx.db, { id });
    if (row?.status !== 'uploadFinished') return;
    if (stored) await claimAvatar(ctx, stored);
    if (forApp) await adoptIcon(ctx, app, forApp);
    const taken = await takeReleaseId.first(ctx.db, { app_id: app.id, last_id: 1 });
    const releaseId = taken?.last_id ?? 1;
    await insertRelease.run(ctx.db, {
      app_id: app.id,
      id: releaseId,
      version,
      short_version: shortVersion,
      kind,
      file_name: file.name,
      size: file.size,
      sha256: file.sha256,
      blob_key: file.key,
      icon_path: stored?.path ?? null,
      bundle_identifier: bundleIdentifier ?? null,
      min_os: minOs ?? null,
      min_api_level: minApiLevel ?? null,
      device_family: deviceFamily ?? null,
      hashes: JSON.stringify(hashes),
      facts: JSON.stringify(rest),
      notes: null,
      is_enabled: 1,
      build: null,
      signatures: null,
      uploaded_at: ctx.clock.now(),
    });
    await linkPackageRelease(ctx, app.id, file.sha256, releaseId);
    await publish(ctx, packageReleased, { appId: app.id, sha256: file.sha256, releaseId });
    for (const hash of hashes) await insertHash.run(ctx.db, { app_id: app.id, release_id: releaseId, hash });
    await save(ctx, id, { status: 'readyToBePublished', releaseId });
    await record(ctx, 'release.create', releaseSubject(app, releaseId), {
      after: { version, short_version: shortVersion, file_name: file.name, size: file.size },
    });
  });
}

/** For clients that wait for the release: reads the package before responding. */
export async function commitReleaseUpload(ctx: AppCtx, id: string): Promise<ReleaseUpload> {
  await finishReleaseUpload(ctx, id);
  await processReleaseUpload(ctx, id);
  const upload = await getReleaseUpload(ctx, id);
  if (upload.status === 'error') throw new Failure('BadRequest', upload.errorDetails ?? 'The package cannot be read.');
  return upload;
}

const RETENTION_MS = 30 * DAY;

export const sweepReleaseUploads = async (deps: Deps): Promise<void> => {
  const before = deps.clock.now() - RETENTION_MS;
  await sweep(deps, (db, limit) => deleteOldReleaseUploads.run(db, { before, limit }));
};
