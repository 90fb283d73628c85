import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type AppOs, kindOfFile, kindsFor, type PackageKind } from '@mooring/contract';
import { withFolder } from '../../../blobs/index.ts';
import { type Ctx, workOwner } from '../../../context.ts';
import { createFairPool } from '../../../kernel/fair-pool.ts';
import type { UploadedFile } from '../../../uploads/index.ts';
import { runInProcess } from '../../../workers/one-process.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import type { PackageMetadata } from '../packages/package-metadata.ts';

/** Packages that are read concurrently, by jobs and by requests of clients that wait. */
const pool = createFairPool({ slots: 2 });
const reader = new URL('../packages/read-package.ts', import.meta.url);

/** What the sender says where the package itself does not. */
export interface GivenVersions {
  buildVersion: string | undefined;
  buildNumber: string | undefined;
}

export interface ReadPackage {
  kind: PackageKind;
  version: string;
  shortVersion: string;
  metadata: PackageMetadata;
}

function chooseKind(name: string, os: AppOs, { buildVersion }: GivenVersions): PackageKind {
  const kind = kindOfFile(name);
  const taken = kindsFor[os];
  if (!kind || !taken.includes(kind)) {
    throw new Unreadable(
      `"${name}" is no package for ${os}: its name must end with ${taken.map((one) => `.${one}`).join(', ')}.`,
    );
  }
  // A zip for macOS tells its version, if it is one with an app in it.
  return os === 'macOS' && kind === 'zip' && buildVersion === undefined ? 'app.zip' : kind;
}

function chooseVersions(kind: PackageKind, metadata: PackageMetadata, { buildVersion, buildNumber }: GivenVersions) {
  const shortVersion = metadata.shortVersion || buildVersion || metadata.version;
  if (!shortVersion) throw new Unreadable(`A .${kind} does not tell its version: send build_version with it.`);
  if ((kind === 'pkg' || kind === 'dmg') && buildNumber === undefined) {
    throw new Unreadable(`A .${kind} does not tell its build: send build_number with it.`);
  }
  // SDKs for Android read none but numbers.
  const isAndroid = kind === 'apk' || kind === 'aab';
  return { shortVersion, version: metadata.version || buildNumber || (isAndroid ? '0' : shortVersion) };
}

/** Reads a package that was uploaded. Throws `Unreadable`, with what is wrong in words for people. */
export async function readPackage(
  ctx: Ctx,
  file: UploadedFile,
  { os, given }: { os: AppOs; given: GivenVersions },
): Promise<ReadPackage> {
  const { packageSeconds: seconds, packageMemoryMb: memoryMb, dataDir } = ctx.config;
  const kind = chooseKind(file.name, os, given);
  const readCopy = async (folder: string): Promise<ReadPackage> => {
    const copy = path.join(folder, 'package');
    const blob = await ctx.blobs.get(file.key);
    if (!blob) throw new Unreadable('The file is gone; upload it again.');
    await pipeline(blob.stream, createWriteStream(copy, { flags: 'wx', mode: 0o600 }));
    const metadata = await runInProcess<PackageMetadata>(reader, { file: copy, kind }, { seconds, memoryMb }).catch(
      (error) => {
        if (error instanceof Unreadable) throw error;
        ctx.log.error({ err: error, file: file.name }, 'a package could not be read');
        throw new Unreadable('The package could not be read; the log of the server says why.');
      },
    );
    return { kind, metadata, ...chooseVersions(kind, metadata, given) };
  };
  return pool(workOwner(ctx), () => withFolder(dataDir, readCopy));
}
