import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../../context.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { randomBase62 } from '../../../kernel/crypto/crypto.ts';
import { Failure } from '../../../kernel/errors.ts';
import { type FileKind, fileKinds, type PartFiles, telemetryFolder } from '../../../telemetry/index.ts';

/** Identifies a segment. */
export interface PartRef {
  appId: string;
  id: string;
  day: number;
}

/** Expected properties of a file; a file with others is damaged. */
export interface FileInfo {
  bytes: number;
  sha256: string;
}
export type PartInfo = Readonly<Record<FileKind, FileInfo>>;

type FileDeps = Pick<Deps, 'blobs' | 'config' | 'log'>;

const MAX_BYTES = 64 * 1024 ** 3;
const TYPE = 'application/vnd.apache.parquet';
/** A running query may still open files that were located this long ago. */
const IN_USE = 10 * MINUTE;
const DRAFT = '.draft';

export const toBlobKey = ({ appId, id, day }: PartRef, kind: FileKind): string =>
  `analytics/${appId}/${day}/${id}.${kind}.parquet`;

/** Folder of local copies; the blob store has all files. */
export async function filesFolder({ config }: Pick<Deps, 'config'>): Promise<string> {
  const folder = path.join(telemetryFolder(config), 'files');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

function namesIn(folder: string, { id }: PartRef): PartFiles {
  const name = (kind: FileKind) => path.join(folder, `${id}.${kind}.parquet`);
  return { logs: name('logs'), devices: name('devices'), sessions: name('sessions') };
}

async function readFileInfo(file: string): Promise<FileInfo> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Uploads new files to the blob store, and keeps them as local copies. */
export async function storeFiles(ctx: FileDeps, part: PartRef, written: PartFiles): Promise<PartInfo> {
  const names = namesIn(await filesFolder(ctx), part);
  const store = async (kind: FileKind): Promise<FileInfo> => {
    const info = await readFileInfo(written[kind]);
    await ctx.blobs.put(toBlobKey(part, kind), createReadStream(written[kind]), { type: TYPE, maxBytes: MAX_BYTES });
    await rename(written[kind], names[kind]);
    return info;
  };
  return { logs: await store('logs'), devices: await store('devices'), sessions: await store('sessions') };
}

export async function deleteFiles(ctx: FileDeps, part: PartRef): Promise<void> {
  const names = namesIn(await filesFolder(ctx), part);
  for (const kind of fileKinds) {
    await ctx.blobs.delete(toBlobKey(part, kind));
    await rm(names[kind], { force: true });
    intact.delete(names[kind]);
  }
}

/** Copies that this process has verified, with their state at that time. */
const intact = new Map<string, string>();

async function isIntact(file: string, { bytes, sha256 }: FileInfo): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  return stats?.size === bytes && (await readFileInfo(file)).sha256 === sha256;
}

/** After an error of the disk or the network, the file may still be intact. */
const isSystemError = (error: unknown): boolean =>
  error instanceof Failure || (error instanceof Error && ('code' in error || '$metadata' in error));

/** By name, so that concurrent readers of a file share one copy operation. */
const copying = new Map<string, Promise<boolean>>();

/** Returns whether the blob store had the file undamaged. */
async function copyHere(ctx: FileDeps, part: PartRef, kind: FileKind, info: FileInfo, target: string) {
  const key = toBlobKey(part, kind);
  const draft = `${target}.${randomBase62(8)}${DRAFT}`;
  try {
    const blob = await ctx.blobs.get(key);
    if (blob) {
      await pipeline(blob.stream, createWriteStream(draft, { mode: 0o600 }));
      if (await isIntact(draft, info)) {
        await rename(draft, target);
        return true;
      }
    }
    // Debug level only: the caller reports the damage.
    ctx.log.debug({ key }, `a telemetry file in the blob store is ${blob ? 'damaged' : 'missing'}`);
  } catch (err) {
    ctx.log.error({ err, key }, 'failed to copy a telemetry file from the blob store');
    if (isSystemError(err)) throw err;
  } finally {
    await rm(draft, { force: true });
  }
  return false;
}

/**
 * Marks a copy as recently used, so that it stays in the cache. Returns its state, which changes with every write to the
 * file.
 */
async function touch(name: string): Promise<string | undefined> {
  try {
    const { size, ino, mtimeMs } = await stat(name);
    const writtenAt = Math.trunc(mtimeMs);
    await utimes(name, new Date(), new Date(writtenAt));
    return `${size} ${ino} ${writtenAt}`;
  } catch {
    return undefined;
  }
}

/** Returns whether an undamaged copy exists, and creates one if necessary. */
async function haveHere(ctx: FileDeps, part: PartRef, kind: FileKind, info: FileInfo, name: string) {
  const found = await touch(name);
  if (found !== undefined) {
    if (intact.get(name) === found) return { isHere: true, isCopied: false };
    if (await isIntact(name, info)) {
      intact.set(name, found);
      return { isHere: true, isCopied: false };
    }
  }
  const copy = copying.get(name) ?? copyHere(ctx, part, kind, info, name);
  copying.set(name, copy);
  return { isHere: await copy.finally(() => copying.delete(name)), isCopied: true };
}

type KnownPart = PartRef & { files: PartInfo };

/**
 * Local files of segments, copied from the blob store if necessary, and the segments with a missing file. For segments that
 * are not needed, returns only where their files would be.
 */
export async function localFiles<P extends KnownPart>(
  ctx: FileDeps,
  parts: readonly P[],
  kinds: readonly FileKind[],
  unneeded: ReadonlySet<string> = new Set(),
): Promise<{ files: PartFiles[]; damaged: P[] }> {
  const folder = await filesFolder(ctx);
  const files: PartFiles[] = [];
  const damaged = new Set<P>();
  let copied = 0;
  for (const part of parts) {
    const names = namesIn(folder, part);
    for (const kind of unneeded.has(part.id) ? [] : kinds) {
      const { isHere, isCopied } = await haveHere(ctx, part, kind, part.files[kind], names[kind]);
      if (!isHere) damaged.add(part);
      if (isCopied) copied += 1;
    }
    files.push(names);
  }
  if (copied > 0) await evictCache(ctx);
  return { files, damaged: [...damaged] };
}

/** Deletes damaged copies and returns whether there were any. The next reader copies them again. */
export async function dropDamagedCopies(
  ctx: FileDeps,
  parts: readonly KnownPart[],
  kinds: readonly FileKind[],
): Promise<boolean> {
  const folder = await filesFolder(ctx);
  let isAny = false;
  for (const part of parts) {
    const names = namesIn(folder, part);
    for (const kind of kinds) {
      if (await isIntact(names[kind], part.files[kind])) continue;
      ctx.log.error({ file: names[kind] }, 'the local copy of a telemetry file is damaged');
      await rm(names[kind], { force: true });
      isAny = true;
    }
  }
  return isAny;
}

/** Returns whether a file is undamaged locally or in the blob store. Uploads it if only this machine has it. */
export async function repairFile(ctx: FileDeps, part: KnownPart, kind: FileKind): Promise<boolean> {
  const name = namesIn(await filesFolder(ctx), part)[kind];
  const info = part.files[kind];
  const draft = `${name}.${randomBase62(8)}`;
  try {
    if (await copyHere(ctx, part, kind, info, draft)) {
      await rename(draft, name);
      return true;
    }
  } finally {
    await rm(draft, { force: true });
  }
  if (!(await isIntact(name, info))) return false;
  await ctx.blobs.put(toBlobKey(part, kind), createReadStream(name), { type: TYPE, maxBytes: MAX_BYTES });
  return true;
}

/** Deletes the least recently used copies until the rest fits the limit. */
export async function evictCache(ctx: FileDeps): Promise<void> {
  const folder = await filesFolder(ctx);
  const files: { file: string; size: number; usedAt: number }[] = [];
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const stats = await stat(file).catch(() => undefined);
    if (stats) files.push({ file, size: stats.size, usedAt: stats.atimeMs });
  }
  files.sort((a, b) => a.usedAt - b.usedAt);
  let size = files.reduce((sum, each) => sum + each.size, 0);
  for (const each of files) {
    if (size <= ctx.config.analyticsCacheSize * 1024 ** 2 || each.usedAt > Date.now() - IN_USE) return;
    await rm(each.file, { force: true });
    intact.delete(each.file);
    size -= each.size;
  }
}
