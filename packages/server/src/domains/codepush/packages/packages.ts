import path from 'node:path';
import { copyBlob, withFolder } from '../../../blobs/index.ts';
import { type Ctx, type Deps, workOwner } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { DAY } from '../../../kernel/clock.ts';
import { createFairPool } from '../../../kernel/concurrency/fair-pool.ts';
import { createSharedWork } from '../../../kernel/concurrency/shared-work.ts';
import { badRequest, unavailable } from '../../../kernel/errors.ts';
import { runInProcess } from '../../../workers/one-process.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import type { PackageWork, ReadPackage } from './package-reading.ts';
import {
  deletePackage,
  deletePackageDiffs,
  findDiff,
  findPackage,
  listPackageDiffs,
  listUnused,
  markUnused,
  markUsed,
} from './packages.store.ts';

const module = new URL('./package-reading.ts', import.meta.url);
const limits = { seconds: 300, memoryMb: 512 };
/** Each process occupies one core. */
const pool = createFairPool({
  slots: 2,
  queue: {
    maxPerOwner: 50,
    full: () => unavailable('Too many of your packages are being processed. Try again later.'),
  },
});

const workOnPackage = <O>(work: PackageWork, signal?: AbortSignal): Promise<O> =>
  runInProcess<O>(module, work, { ...limits, signal });

/** Size of the diff; undefined if the diff would not be smaller. */
export const diffPackages = (ctx: Ctx, diff: Extract<PackageWork, { diff: unknown }>['diff']) =>
  pool(workOwner(ctx), () => workOnPackage<number | undefined>({ diff }));

/** Clients that time out or are refused repeat the request for the same file. */
const reads = createSharedWork<ReadPackage>({ maxEntries: 1_000, isFinal: (error) => error instanceof Unreadable });

/** Reads an uploaded file once, even for repeated requests. Stops when the last request for it ends. */
export async function readUploaded(ctx: Ctx, key: string, signal?: AbortSignal): Promise<ReadPackage> {
  const { blobs, config } = ctx;
  try {
    const readCopy = (signal: AbortSignal) =>
      withFolder(config.dataDir, async (folder) => {
        const file = path.join(folder, 'package');
        await copyBlob(blobs, key, file);
        return workOnPackage<ReadPackage>({ read: file }, signal);
      });
    return await reads(key, signal, (signal) => pool(workOwner(ctx), () => readCopy(signal), { signal }));
  } catch (error) {
    throw error instanceof Unreadable ? badRequest(error.message) : error;
  }
}

export const packageUrl = (base: string, id: string): string => `${base}/v0.1/public/codepush/packages/${id}`;

export const diffBlobKey = (id: string): string => `codepush/${id}`;

const ZIP = 'application/zip';

/** Finds a package or diff by the ID in its URL. */
export async function findPackageFile({ db }: Pick<Deps, 'db'>, id: string) {
  const whole = await findPackage.first(db, { id });
  if (whole) return { key: whole.blob_key, type: whole.is_zip ? ZIP : 'application/octet-stream' };
  const diff = await findDiff.first(db, { id });
  return diff?.state === 'ready' ? { key: diffBlobKey(id), type: ZIP } : undefined;
}

const BATCH = 100;
/** Devices may still download a package for this long after it was announced to them. */
const UNUSED_RETENTION_MS = DAY;

/** Removes packages without a release, with their diffs. Deletes blobs first: rows that remain are found again. */
export async function sweepPackages(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  await tx(ctx, async ({ db }) => {
    await markUsed.run(db);
    await markUnused.run(db, { now });
  });
  for (;;) {
    const unused = await listUnused.all(ctx.db, { before: now - UNUSED_RETENTION_MS, limit: BATCH });
    for (const { id, blob_key } of unused) {
      for (const diff of await listPackageDiffs.all(ctx.db, { packageId: id }))
        await ctx.blobs.delete(diffBlobKey(diff.id));
      await ctx.blobs.delete(blob_key);
      await tx(ctx, async ({ db }) => {
        await deletePackageDiffs.run(db, { packageId: id });
        await deletePackage.run(db, { id });
      });
    }
    if (unused.length < BATCH) return;
  }
}
