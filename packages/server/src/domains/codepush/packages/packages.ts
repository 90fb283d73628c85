import path from 'node:path';
import { copyBlob, withFolder } from '../../../blobs/index.ts';
import { type Ctx, type Deps, workOwner } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { DAY } from '../../../kernel/clock.ts';
import { badRequest, unavailable } from '../../../kernel/errors.ts';
import { createFairPool } from '../../../kernel/fair-pool.ts';
import { createSharedWork } from '../../../kernel/shared-work.ts';
import { runInProcess } from '../../../workers/one-process.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import type { PackageWork, ReadPackage } from './package-reading.ts';
import {
  deleteDiffsOfPackage,
  deletePackage,
  findDiff,
  findPackage,
  listDiffsOfPackage,
  listUnused,
  markUnused,
  markUsed,
} from './packages.store.ts';

const module = new URL('./package-reading.ts', import.meta.url);
const limits = { seconds: 300, memoryMb: 512 };
/** Each process takes a core. */
const pool = createFairPool({
  slots: 2,
  queue: {
    maxPerOwner: 50,
    full: () =>
      unavailable('Too many of your packages wait to be read. Try again when some of them have been released.'),
  },
});

const workOnPackage = <O>(work: PackageWork, signal?: AbortSignal): Promise<O> =>
  runInProcess<O>(module, work, { ...limits, signal });

/** Size of the diff; undefined if the diff would not be smaller. */
export const diffPackages = (ctx: Ctx, diff: Extract<PackageWork, { diff: unknown }>['diff']) =>
  pool(workOwner(ctx), () => workOnPackage<number | undefined>({ diff }));

/** Clients that get no answer in time, or are refused, ask again for the same file. */
const reads = createSharedWork<ReadPackage>({ maxKept: 1_000, isFinal: (error) => error instanceof Unreadable });

/** Reads an uploaded file once, however often its release is tried, and stops when the last request for it ends. */
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

/** What can be downloaded under a name. */
export async function findPackageFile({ db }: Pick<Deps, 'db'>, id: string) {
  const whole = await findPackage.first(db, { id });
  if (whole) return { key: whole.blob_key, type: whole.is_zip ? ZIP : 'application/octet-stream' };
  const diff = await findDiff.first(db, { id });
  return diff?.state === 'ready' ? { key: diffBlobKey(id), type: ZIP } : undefined;
}

const BATCH = 100;
/** For as long a device may have been told of a package that is out no more. */
const KEPT_UNUSED = DAY;

/** Removes packages that no release has, with their diffs. Blobs first: a row that is left behind is found again. */
export async function sweepPackages(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  await tx(ctx, async ({ db }) => {
    await markUsed.run(db);
    await markUnused.run(db, { now });
  });
  for (;;) {
    const unused = await listUnused.all(ctx.db, { before: now - KEPT_UNUSED, limit: BATCH });
    for (const { id, blob_key } of unused) {
      for (const diff of await listDiffsOfPackage.all(ctx.db, { packageId: id }))
        await ctx.blobs.delete(diffBlobKey(diff.id));
      await ctx.blobs.delete(blob_key);
      await tx(ctx, async ({ db }) => {
        await deleteDiffsOfPackage.run(db, { packageId: id });
        await deletePackage.run(db, { id });
      });
    }
    if (unused.length < BATCH) return;
  }
}
