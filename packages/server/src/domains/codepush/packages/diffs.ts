import { createReadStream } from 'node:fs';
import path from 'node:path';
import { copyBlob, withFolder } from '../../../blobs/index.ts';
import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob } from '../../../jobs/index.ts';
import { randomBase62 } from '../../../kernel/crypto/crypto.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { raiseDeploymentsWith } from '../deployments/deployments.store.ts';
import { listReleaseRows } from '../releases/releases.store.ts';
import { doRangesMeet } from '../updates/binary-versions.ts';
import { findPackage, finishDiff, insertDiff, listPackageDiffs } from './packages.store.ts';
import { diffBlobKey, diffPackages } from './packages.ts';

export const diffsMake = defineJob<{ deploymentId: string; number: number }>('codepush_diffs.make');

/** Number of earlier packages to create diffs for. */
const MAX_DIFFS = 5;

/** Packages that devices may have when they get this release: those of earlier releases for the same binaries, latest first. */
function packagesBefore(rows: Awaited<ReturnType<typeof listReleaseRows.all>>, number: number) {
  const release = rows.find((row) => row.number === number);
  if (!release?.is_zip) return undefined;
  const before = new Map<string, string>();
  for (const row of rows.toReversed()) {
    const isMeant = row.number < number && row.is_zip && row.package_hash !== release.package_hash;
    if (isMeant && doRangesMeet(row.range, release.range) && !before.has(row.package_hash))
      before.set(row.package_hash, row.package_id);
  }
  return { release, before: [...before].slice(0, MAX_DIFFS) };
}

/** Creates missing diffs. Restarts unfinished ones under the same ID. */
export async function makeDiffs(ctx: Ctx, { deploymentId, number }: { deploymentId: string; number: number }) {
  const basePackages = packagesBefore(await listReleaseRows.all(ctx.db, { deploymentId }), number);
  if (!basePackages) return;
  const { package_id: packageId, package_hash: packageHash } = basePackages.release;
  const known = new Map((await listPackageDiffs.all(ctx.db, { packageId })).map((diff) => [diff.from_hash, diff]));
  const missing = basePackages.before.filter(([hash]) => (known.get(hash)?.state ?? 'making') === 'making');
  if (missing.length === 0) return;
  await withFolder(ctx.config.dataDir, async (folder) => {
    const newFile = path.join(folder, 'new');
    await copyPackage(ctx, packageId, newFile);
    for (const [fromHash, oldId] of missing) {
      const id = known.get(fromHash)?.id ?? randomBase62(32);
      const row = { package_id: packageId, from_hash: fromHash, id, state: 'making', size: 0 } as const;
      await tx(ctx, ({ db }) => insertDiff.run(db, row));
      const [oldFile, diffFile] = [path.join(folder, 'old'), path.join(folder, `diff-${id}`)];
      await copyPackage(ctx, oldId, oldFile);
      const size = await makeDiff(ctx, { oldFile, newFile, diffFile, packageHash });
      if (size !== undefined) {
        const content = createReadStream(diffFile);
        await ctx.blobs.put(diffBlobKey(id), content, { type: 'application/zip', maxBytes: size });
      }
      await tx(ctx, async ({ db }) => {
        await finishDiff.run(db, { id, state: size === undefined ? 'none' : 'ready', size: size ?? 0 });
        await raiseDeploymentsWith.run(db, { packageId });
      });
    }
  });
}

async function copyPackage({ db, blobs }: Ctx, id: string, file: string): Promise<void> {
  const found = await findPackage.first(db, { id });
  if (!found) throw new Error(`package ${id} does not exist`);
  await copyBlob(blobs, found.blob_key, file);
}

/** Returns the size of the verified diff, or undefined if there is none. */
async function makeDiff(
  ctx: Ctx,
  request: { oldFile: string; newFile: string; diffFile: string; packageHash: string },
): Promise<number | undefined> {
  try {
    return await diffPackages(ctx, request);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    ctx.log.warn({ reason: error.message, packageHash: request.packageHash }, 'failed to create a diff of a package');
    return undefined;
  }
}
