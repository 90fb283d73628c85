import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { compose, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { Deps } from '../../context.ts';
import { DAY } from '../../kernel/clock.ts';
import { PACKED } from '../../uploads/index.ts';

const WORK = 'work-';

/** Local copies of blobs for external programs. The folder can be deleted at any time. */
export const symbolsFolder = ({ dataDir }: { dataDir: string }): string => path.join(dataDir, 'symbols');

type Files = Pick<Deps, 'blobs' | 'config' | 'clock'>;

/** Symbols are stored compressed; files as uploaded, and symbols of earlier versions, are not. */
export const packedKey = (key: string): string => `${key}${PACKED}`;
export const isPacked = (key: string): boolean => key.endsWith(PACKED);

export const pack = (content: Readable): Readable => compose(content, createZstdCompress());

/** Writes a blob to a new file, decompressed; returns whether the blob exists. */
export async function copyBlob({ blobs }: Files, key: string, file: string): Promise<boolean> {
  const blob = await blobs.get(key);
  if (!blob) return false;
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  if (isPacked(key)) await pipeline(blob.stream, createZstdDecompress(), target);
  else await pipeline(blob.stream, target);
  return true;
}

/** Runs work with a temporary folder, which is removed afterwards. */
export async function withWorkFolder<T>(ctx: Files, work: (folder: string) => Promise<T>): Promise<T> {
  const home = symbolsFolder(ctx.config);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(home, WORK));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const coming = new Map<string, Promise<string | undefined>>();

const localPath = ({ config }: Pick<Files, 'config'>, key: string): string =>
  path.join(symbolsFolder(config), createHash('sha256').update(key).digest('hex').slice(0, 40));

/** The library beside the local copy of a PDB, see `formats/pe-stub.ts`. */
export const stubPath = (file: string): string => `${file}.dll`;

/** Removes the local copy of a deleted blob. */
export async function dropLocalFile(ctx: Pick<Files, 'config'>, key: string): Promise<void> {
  const file = localPath(ctx, key);
  await rm(file, { force: true });
  await rm(stubPath(file), { force: true });
}

/** Returns the path of a blob's local copy, creating it if needed; undefined if the blob does not exist. */
export function localFile(ctx: Files, key: string): Promise<string | undefined> {
  const file = localPath(ctx, key);
  // Many reports request the same file concurrently.
  const found = coming.get(file) ?? bring(ctx, key, file).finally(() => coming.delete(file));
  coming.set(file, found);
  return found;
}

async function bring(ctx: Files, key: string, file: string): Promise<string | undefined> {
  const known = await stat(file).catch(() => undefined);
  if (known) {
    const now = new Date(ctx.clock.now());
    await utimes(file, now, now).catch(() => undefined);
    return file;
  }
  return withWorkFolder(ctx, async (folder) => {
    const copy = path.join(folder, 'copy');
    if (!(await copyBlob(ctx, key, copy))) return undefined;
    await rename(copy, file);
    await evictCache(ctx, file);
    return file;
  });
}

/** Removes the least recently used files until the rest fits. */
async function evictCache({ config, clock }: Files, newest: string): Promise<void> {
  const folder = symbolsFolder(config);
  const files: { file: string; size: number; at: number }[] = [];
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    if (!found) continue;
    // Left behind by a killed process.
    if (name.startsWith(WORK)) {
      if (found.mtimeMs < clock.now() - DAY) await rm(file, { recursive: true, force: true });
    } else files.push({ file, size: found.size, at: found.mtimeMs });
  }
  let sum = files.reduce((sum, { size }) => sum + size, 0);
  for (const { file, size } of files.sort((one, other) => one.at - other.at)) {
    if (sum <= config.symbolsCacheMb * 2 ** 20) return;
    if (file === newest) continue;
    await rm(file, { force: true });
    sum -= size;
  }
}
