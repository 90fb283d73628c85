import type { AppCtx, Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { refusalIn } from '../../../kernel/errors.ts';
import { getAppRef } from '../../apps/index.ts';
import { refuseOverQuota } from '../../usage/index.ts';
import { distributeTo } from '../release-destinations.ts';
import { type Build, updateRelease } from '../releases.ts';
import { findReleaseUpload, insertReleaseUpload, saveReleaseUpload } from './release-uploads.store.ts';
import { processReleaseUpload } from './release-uploads.ts';

/** A package that was built here, with its destinations. */
export interface BuiltPackage {
  appId: string;
  uploadId: string;
  key: string;
  name: string;
  size: number;
  sha256: string;
  build: Build;
  buildNumber: string;
  notes?: string;
  isMandatory: boolean;
  isTold: boolean;
  destinations: { id: string; type: 'store' | 'group' | 'tester' }[];
}

export const packageRelease = defineJob<BuiltPackage>('package.release', { maxAttempts: 8 });

/** Creates the upload, in the caller's transaction, so that the caller can read it immediately. */
export async function expectPackage(ctx: Ctx, built: BuiltPackage): Promise<void> {
  await insertReleaseUpload.run(ctx.db, {
    id: built.uploadId,
    app_id: built.appId,
    build_version: null,
    build_number: null,
    status: 'uploadStarted',
    error_details: null,
    file: null,
    release_id: null,
    created_at: ctx.clock.now(),
  });
  await enqueue(ctx, packageRelease, built);
}

const fail = (ctx: Ctx, id: string, errorDetails: string, releaseId: number | null = null) =>
  tx(ctx, ({ db }) =>
    saveReleaseUpload.run(db, {
      id,
      status: releaseId === null ? 'error' : 'readyToBePublished',
      file: null,
      errorDetails,
      releaseId,
    }),
  );

/** Copies the file: the build may be deleted before the release, and vice versa. */
async function copyPackage(ctx: Ctx, { uploadId, key, name, size, sha256 }: BuiltPackage): Promise<boolean> {
  const blob = await ctx.blobs.get(key);
  if (!blob) return false;
  const copy = `releases/${uploadId}`;
  await ctx.blobs.put(copy, blob.stream as AsyncIterable<Buffer>, { type: 'application/octet-stream', maxBytes: size });
  const file = JSON.stringify({ key: copy, name, size, sha256 });
  await tx(ctx, ({ db }) =>
    saveReleaseUpload.run(db, { id: uploadId, status: 'uploadFinished', file, errorDetails: null, releaseId: null }),
  );
  return true;
}

/** Creates the release and distributes it; a failure is recorded in the upload. */
export async function releaseBuilt(ctx: Ctx, built: BuiltPackage): Promise<void> {
  const { appId, uploadId: id } = built;
  const row = await findReleaseUpload.first(ctx.db, { id });
  if (row?.status === 'uploadStarted') {
    const inApp = { ...ctx, app: await getAppRef(ctx, appId) };
    const refusal = await refuseOverQuota(inApp, 'storage_bytes').then(() => undefined, refusalIn);
    if (refusal !== undefined) await fail(ctx, id, refusal);
    else if (!(await copyPackage(ctx, built))) await fail(ctx, id, 'The file of the build no longer exists.');
  }
  await processReleaseUpload(ctx, id);
  const read = await findReleaseUpload.first(ctx.db, { id });
  if (read?.status !== 'readyToBePublished' || read.release_id === null) return;
  const app = await getAppRef(ctx, appId);
  // The server acts for the user who configured or distributed the build.
  const inApp = { ...ctx, app, permission: 'manager' } as AppCtx;
  try {
    await updateRelease(inApp, read.release_id, { notes: built.notes, build: built.build });
    for (const destination of built.destinations)
      await distributeTo(inApp, read.release_id, destination, {
        isMandatory: built.isMandatory,
        notifyTesters: built.isTold,
      });
  } catch (error) {
    await fail(ctx, id, refusalIn(error), read.release_id);
  }
}
