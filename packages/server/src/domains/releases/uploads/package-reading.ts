import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type AppOs, getPackageKind, kindsFor, type PackageKind } from '@mooring/contract';
import { withFolder } from '../../../blobs/index.ts';
import { type Ctx, workOwner } from '../../../context.ts';
import { createFairPool } from '../../../kernel/concurrency/fair-pool.ts';
import type { UploadedFile } from '../../../uploads/index.ts';
import { runInProcess } from '../../../workers/one-process.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import type { PackageMetadata } from '../packages/package-metadata.ts';

/** Concurrent reads of packages, by jobs and by waiting requests. */
const pool = createFairPool({ slots: 2 });
const reader = new URL('../packages/read-package.ts', import.meta.url);

/** Versions from the uploader, for packages without them. */
export interface RequestedVersions {
  buildVersion: string | undefined;
  buildNumber: string | undefined;
}

export interface ReadPackage {
  kind: PackageKind;
  version: string;
  shortVersion: string;
  metadata: PackageMetadata;
}

function chooseKind(name: string, os: AppOs, { buildVersion }: RequestedVersions): PackageKind {
  const kind = getPackageKind(name);
  const taken = kindsFor[os];
  if (!kind || !taken.includes(kind)) {
    throw new Unreadable(
      `"${name}" is not a package for ${os}. Its name must end with ${taken.map((one) => `.${one}`).join(', ')}.`,
    );
  }
  // A zip for macOS without a version must contain an app, which has one.
  return os === 'macOS' && kind === 'zip' && buildVersion === undefined ? 'app.zip' : kind;
}

function chooseVersions(
  kind: PackageKind,
  metadata: PackageMetadata,
  { buildVersion, buildNumber }: RequestedVersions,
) {
  const shortVersion = metadata.shortVersion || buildVersion || metadata.version;
  if (!shortVersion) throw new Unreadable(`A .${kind} contains no version. Send it as build_version.`);
  if ((kind === 'pkg' || kind === 'dmg') && buildNumber === undefined) {
    throw new Unreadable(`A .${kind} contains no build number. Send it as build_number.`);
  }
  // SDKs for Android only understand numbers.
  const isAndroid = kind === 'apk' || kind === 'aab';
  return { shortVersion, version: metadata.version || buildNumber || (isAndroid ? '0' : shortVersion) };
}

/** Reads an uploaded package. Throws `Unreadable` with a message for users. */
export async function readPackage(
  ctx: Ctx,
  file: UploadedFile,
  { os, requested }: { os: AppOs; requested: RequestedVersions },
): Promise<ReadPackage> {
  const { packageSeconds: seconds, packageMemoryMb: memoryMb, dataDir } = ctx.config;
  const kind = chooseKind(file.name, os, requested);
  const readCopy = async (folder: string): Promise<ReadPackage> => {
    const copy = path.join(folder, 'package');
    const blob = await ctx.blobs.get(file.key);
    if (!blob) throw new Unreadable('The uploaded file no longer exists. Upload it again.');
    await pipeline(blob.stream, createWriteStream(copy, { flags: 'wx', mode: 0o600 }));
    const metadata = await runInProcess<PackageMetadata>(reader, { file: copy, kind }, { seconds, memoryMb }).catch(
      (error) => {
        if (error instanceof Unreadable) throw error;
        ctx.log.error({ err: error, file: file.name }, 'failed to read a package');
        throw new Unreadable('The package could not be read. The server log has the reason.');
      },
    );
    return { kind, metadata, ...chooseVersions(kind, metadata, requested) };
  };
  return pool(workOwner(ctx), () => withFolder(dataDir, readCopy));
}
