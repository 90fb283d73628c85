import { createReadStream } from 'node:fs';
import path from 'node:path';
import { copyBlob, withFolder } from '../../../blobs/index.ts';
import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob } from '../../../jobs/index.ts';
import { randomBase62 } from '../../../kernel/crypto.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { raiseDeploymentsWith } from '../deployments/deployments.store.ts';
import { listReleaseRows } from '../releases/releases.store.ts';
import { doRangesMeet } from '../updates/binary-versions.ts';
import { findPackage, finishDiff, insertDiff, listDiffsOfPackage } from './packages.store.ts';
import { diffBlobKey, diffPackages } from './packages.ts';

export const diffsMake = defineJob<{ deploymentId: string; number: number }>('codepush_diffs.make');

/** Against so many packages that devices may have. */
const MOST_DIFFS = 5;

/** What devices may have that get this release: the packages of earlier ones for the same binaries, the latest first. */
function packagesBefore(rows: Awaited<ReturnType<typeof listReleaseRows.all>>, number: number) {
  const release = rows.find((row) => row.number === number);
  if (!release?.is_zip) return undefined;
  const before = new Map<string, string>();
  for (const row of rows.toReversed()) {
    const isMeant = row.number < number && row.is_zip && row.package_hash !== release.package_hash;
    if (isMeant && doRangesMeet(row.range, release.range) && !before.has(row.package_hash))
      before.set(row.package_hash, row.package_id);
  }
  return { release, before: [...before].slice(0, MOST_DIFFS) };
}

/** Makes what is missing; what was begun and not finished is made anew, in the same place. */
export async function makeDiffs(ctx: Ctx, { deploymentId, number }: { deploymentId: string; number: number }) {
  const wanted = packagesBefore(await listReleaseRows.all(ctx.db, { deploymentId }), number);
  if (!wanted) return;
  const { package_id: packageId, package_hash: packageHash } = wanted.release;
  const known = new Map((await listDiffsOfPackage.all(ctx.db, { packageId })).map((diff) => [diff.from_hash, diff]));
  const missing = wanted.before.filter(([hash]) => (known.get(hash)?.state ?? 'making') === 'making');
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
  if (!found) throw new Error(`the package ${id} is gone`);
  await copyBlob(blobs, found.blob_key, file);
}

/** Its size, once it was tried; nothing where there is none to give out. */
async function makeDiff(
  ctx: Ctx,
  asked: { oldFile: string; newFile: string; diffFile: string; packageHash: string },
): Promise<number | undefined> {
  try {
    return await diffPackages(ctx, asked);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    ctx.log.warn({ reason: error.message, packageHash: asked.packageHash }, 'no diff could be made of a package');
    return undefined;
  }
}
