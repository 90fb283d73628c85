import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Deps } from '../../context.ts';
import { MINUTE, toIso } from '../../kernel/clock.ts';
import { randomBase62 } from '../../kernel/crypto.ts';
import { unavailable } from '../../kernel/errors.ts';
import { type FileKind, fileKinds, type PartFiles, startOfDay, telemetryFolder } from '../../telemetry/index.ts';

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

const keyOf = ({ appId, id, day }: PartRef, kind: FileKind): string =>
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
  }
}

const damaged = ({ day }: PartRef) =>
  unavailable(
    `Telemetry of ${toIso(startOfDay(day)).slice(0, 10)} cannot be read: a file of it is missing or damaged.`,
  );

/** By name: two who want the same file wait for one copy. */
const copying = new Map<string, Promise<void>>();

async function copyHere(ctx: FileDeps, part: PartRef, kind: FileKind, info: FileInfo, target: string): Promise<void> {
  const blob = await ctx.blobs.get(keyOf(part, kind));
  const draft = `${target}.${randomBase62(8)}${DRAFT}`;
  try {
    if (!blob) throw damaged(part);
    await pipeline(blob.stream, createWriteStream(draft, { mode: 0o600 }));
    if ((await infoOf(draft)).sha256 !== info.sha256) throw damaged(part);
    await rename(draft, target);
  } catch (err) {
    await rm(draft, { force: true });
    ctx.log.error({ err, key: keyOf(part, kind) }, 'a file with telemetry could not be copied from the store');
    throw err;
  }
}

/** The files of parts on this machine, those of these kinds copied here if they are not. */
export async function localFiles(
  ctx: FileDeps,
  parts: readonly (PartRef & { files: PartInfo })[],
  kinds: readonly FileKind[],
): Promise<PartFiles[]> {
  const folder = await filesFolder(ctx);
  const found: PartFiles[] = [];
  let copied = 0;
  for (const part of parts) {
    const names = namesIn(folder, part);
    for (const kind of kinds) {
      const name = names[kind];
      const now = new Date();
      // Being used is what keeps a file when room is made.
      const isHere = await utimes(name, now, now).then(
        () => true,
        () => false,
      );
      if (isHere) continue;
      const copy = copying.get(name) ?? copyHere(ctx, part, kind, part.files[kind], name);
      copying.set(name, copy);
      await copy.finally(() => copying.delete(name));
      copied += 1;
    }
    found.push(names);
  }
  if (copied > 0) await makeRoom(ctx);
  return found;
}

/** Deletes copies that were not used for longest, until the rest fits. Whoever needs one again copies it again. */
export async function makeRoom(ctx: FileDeps): Promise<void> {
  const folder = await filesFolder(ctx);
  const files: { file: string; size: number; usedAt: number }[] = [];
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const stats = await stat(file).catch(() => undefined);
    if (stats) files.push({ file, size: stats.size, usedAt: stats.mtimeMs });
  }
  files.sort((a, b) => a.usedAt - b.usedAt);
  let size = files.reduce((sum, each) => sum + each.size, 0);
  for (const each of files) {
    if (size <= ctx.config.analyticsCacheSize * 1024 ** 2 || each.usedAt > Date.now() - IN_USE) return;
    await rm(each.file, { force: true });
    size -= each.size;
  }
}
