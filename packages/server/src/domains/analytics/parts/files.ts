import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../../context.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { randomBase62 } from '../../../kernel/crypto.ts';
import { Failure } from '../../../kernel/errors.ts';
import { type FileKind, fileKinds, type PartFiles, telemetryFolder } from '../../../telemetry/index.ts';

/** Which part of which app and day. */
export interface PartRef {
  appId: string;
  id: string;
  day: number;
}

/** What is known of a file: it is damaged if it is anything else. */
export interface FileInfo {
  bytes: number;
  sha256: string;
}
export type PartInfo = Readonly<Record<FileKind, FileInfo>>;

type FileDeps = Pick<Deps, 'blobs' | 'config' | 'log'>;

const MOST_BYTES = 64 * 1024 ** 3;
const TYPE = 'application/vnd.apache.parquet';
/** A question that runs may still open what it was given. */
const IN_USE = 10 * MINUTE;
const DRAFT = '.draft';

export const keyOf = ({ appId, id, day }: PartRef, kind: FileKind): string =>
  `analytics/${appId}/${day}/${id}.${kind}.parquet`;

/** Where this machine has its copies; the store of blobs has all of them. */
export async function filesFolder({ config }: Pick<Deps, 'config'>): Promise<string> {
  const folder = path.join(telemetryFolder(config), 'files');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

function namesIn(folder: string, { id }: PartRef): PartFiles {
  const name = (kind: FileKind) => path.join(folder, `${id}.${kind}.parquet`);
  return { logs: name('logs'), devices: name('devices'), sessions: name('sessions') };
}

async function infoOf(file: string): Promise<FileInfo> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Puts files that were just written into the store, and keeps them at hand under the names of their part. */
export async function storeFiles(ctx: FileDeps, part: PartRef, written: PartFiles): Promise<PartInfo> {
  const names = namesIn(await filesFolder(ctx), part);
  const store = async (kind: FileKind): Promise<FileInfo> => {
    const info = await infoOf(written[kind]);
    await ctx.blobs.put(keyOf(part, kind), createReadStream(written[kind]), { type: TYPE, maxBytes: MOST_BYTES });
    await rename(written[kind], names[kind]);
    return info;
  };
  return { logs: await store('logs'), devices: await store('devices'), sessions: await store('sessions') };
}

export async function deleteFiles(ctx: FileDeps, part: PartRef): Promise<void> {
  const names = namesIn(await filesFolder(ctx), part);
  for (const kind of fileKinds) {
    await ctx.blobs.delete(keyOf(part, kind));
    await rm(names[kind], { force: true });
    intact.delete(names[kind]);
  }
}

/** Copies that this process has found whole, and how they were then. */
const intact = new Map<string, string>();

async function isIntact(file: string, { bytes, sha256 }: FileInfo): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  return stats?.size === bytes && (await infoOf(file)).sha256 === sha256;
}

/** What the system says of a disk or of the way to a store tells nothing of the file. */
const isOfSystem = (error: unknown): boolean =>
  error instanceof Failure || (error instanceof Error && ('code' in error || '$metadata' in error));

/** By name: two who want the same file wait for one copy. */
const copying = new Map<string, Promise<boolean>>();

/** Says whether the store had it, whole. */
async function copyHere(ctx: FileDeps, part: PartRef, kind: FileKind, info: FileInfo, target: string) {
  const key = keyOf(part, kind);
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
    // Whoever asked reports it.
    ctx.log.debug({ key }, `a file with telemetry is ${blob ? 'damaged' : 'missing'} in the store`);
  } catch (err) {
    ctx.log.error({ err, key }, 'a file with telemetry could not be copied from the store');
    if (isOfSystem(err)) throw err;
  } finally {
    await rm(draft, { force: true });
  }
  return false;
}

/** Says that a copy is used, which keeps it when room is made; and by what it would be noticed that somebody wrote to it. */
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

/** Whether a whole copy is here, made now if there was none. */
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
 * The files of parts on this machine, those of these kinds copied here if they are not, and the parts that lack one. Of parts
 * that are not needed only where they would be.
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
  if (copied > 0) await makeRoom(ctx);
  return { files, damaged: [...damaged] };
}

/** Deletes copies that are not what they were; says whether there was any. The next who needs one copies it again. */
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
      ctx.log.error({ file: names[kind] }, 'the copy of a file with telemetry is damaged');
      await rm(names[kind], { force: true });
      isAny = true;
    }
  }
  return isAny;
}

/** Whether a file is whole, here or in the store; what only this machine has is put back. */
export async function mendFile(ctx: FileDeps, part: KnownPart, kind: FileKind): Promise<boolean> {
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
  await ctx.blobs.put(keyOf(part, kind), createReadStream(name), { type: TYPE, maxBytes: MOST_BYTES });
  return true;
}

/** Deletes copies that were not used for longest, until the rest fits. Whoever needs one again copies it again. */
export async function makeRoom(ctx: FileDeps): Promise<void> {
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
