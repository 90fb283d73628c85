import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { DAY } from '../kernel/clock.ts';
import { randomBase62 } from '../kernel/crypto/crypto.ts';
import { freeBytes } from '../kernel/files/free-bytes.ts';
import { parseOwnJson } from '../kernel/text/json.ts';
import { type BlobInfo, type BlobStore, checkKey, checkType, limited, type Range, tryStore } from './blobs.ts';

/** A line of JSON before the content, in the same file, so that a blob can't be separated from its type. */
interface Head {
  key: string;
  type: string;
}
const MAX_HEAD = 1024;
/** Bytes per read. Hundreds of downloads run in parallel, and each holds about twice this in memory. */
const READ_BYTES = 256 * 1024;
const WRITE_BYTES = 1024 * 1024;

/** Files are named by a hash of their key, so no key can lead out of the folder or be both a file and a folder. */
const toFileName = (key: string): string => {
  const name = hash('sha256', key, 'hex');
  return path.join(name.slice(0, 2), name.slice(2, 4), name.slice(4));
};

const isMissing = (error: unknown): boolean => (error as { code?: string }).code === 'ENOENT';

async function closing<T>(file: FileHandle, work: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Makes a rename durable by syncing the folder. Windows does not support this. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await closing(await open(folder, 'r'), (handle) => handle.sync());
}

/**
 * Position of a range in the file. The whole blob ends where it ended when it was opened, even if the file still grows.
 */
function within(start: number, size: number, range: Range | undefined) {
  if (range) return { start: start + range.start, end: start + range.end };
  return size === 0 ? { start } : { start, end: start + size - 1 };
}

const formatHeader = (key: string, type: string): Buffer =>
  Buffer.from(`${JSON.stringify({ key, type } satisfies Head)}\n`);

async function hasHead(file: FileHandle, head: Buffer): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(head.length), 0, head.length, 0);
  return buffer.equals(head);
}

/** A file that is being created, or that a crash left incomplete, has no head yet. */
async function isBegun(file: FileHandle): Promise<boolean> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 0);
  return buffer[0] !== 0;
}

async function readHead(file: FileHandle): Promise<BlobInfo & { key: string; start: number }> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEAD), 0, MAX_HEAD, 0);
  const start = buffer.subarray(0, bytesRead).indexOf('\n') + 1;
  if (start === 0) throw new Error('A file in the blob folder has no valid header.');
  const { key, type } = parseOwnJson<Head>(buffer.toString('utf8', 0, start));
  return { key, type, start, size: (await file.stat()).size - start };
}

/** Collects small chunks from sockets, because each write is a round trip to another thread. */
async function* gathered(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    held.push(chunk);
    size += chunk.byteLength;
    if (size < WRITE_BYTES) continue;
    yield held;
    held = [];
    size = 0;
  }
  if (size > 0) yield held;
}

/** Repeats short writes: the system may write less than requested, especially when the disk is full. */
async function writeAll(file: FileHandle, parts: Uint8Array[], position: number): Promise<number> {
  const size = parts.reduce((sum, part) => sum + part.byteLength, 0);
  let { bytesWritten: written } = await file.writev(parts, position);
  while (written < size) {
    const rest = Buffer.concat(parts).subarray(written);
    written += (await file.write(rest, 0, rest.length, position + written)).bytesWritten;
  }
  return position + size;
}

/** Writes from `position` on, and receives the next content meanwhile. */
async function writeContent(
  file: FileHandle,
  content: AsyncIterable<Uint8Array>,
  { position, isOwned }: { position: number; isOwned: boolean | undefined },
): Promise<void> {
  const write = async (parts: Uint8Array[], at: number): Promise<number> => {
    const end = await writeAll(file, parts, at);
    if (isOwned) for (const part of parts) freeBytes(part);
    return end;
  };
  let written = Promise.resolve(position);
  try {
    for await (const parts of gathered(content)) {
      const at = await written;
      written = write(parts, at);
      // The error is thrown where the next write awaits it.
      written.catch(() => undefined);
    }
  } finally {
    await written;
  }
}

/** Stores blobs as files in a folder of this machine. */
export function createDiskStore(folder: string): BlobStore {
  const drafts = path.join(folder, 'tmp');
  let prepared: Promise<void> | undefined;

  /** Deletes drafts that a killed process left: those that were not written to for a day. */
  async function prepare(): Promise<void> {
    await mkdir(drafts, { recursive: true, mode: 0o700 });
    for (const name of await readdir(drafts)) {
      const file = path.join(drafts, name);
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      if (mtimeMs < Date.now() - DAY) await rm(file, { force: true });
    }
  }

  async function openPath(file: string, flags = 'r'): Promise<FileHandle | undefined> {
    try {
      return await open(file, flags);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async function openFile(key: string): Promise<FileHandle | undefined> {
    checkKey(key);
    return openPath(path.join(folder, toFileName(key)));
  }

  /** Writes a draft, syncs it, and renames it to its target. */
  async function draw(target: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
    prepared ??= prepare();
    await prepared.catch((error) => {
      prepared = undefined;
      throw error;
    });
    const draft = path.join(drafts, randomBase62(24));
    try {
      await closing(await open(draft, 'wx', 0o600), async (file) => {
        await write(file);
        await file.sync();
      });
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
      await rename(draft, target);
      await syncFolder(path.dirname(target));
    } catch (error) {
      // The folders may have been removed while the server runs; the next write creates them again.
      if (isMissing(error)) prepared = undefined;
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Files that are being created, by path. Later writers wait until the file is durable. */
  const beginning = new Map<string, Promise<void>>();

  /**
   * Creates a file with its head alone. Another process may do the same in parallel: both write the same bytes to the
   * same place, so no lock or link is needed.
   */
  function begin(target: string, head: Buffer): Promise<void> {
    const existing = beginning.get(target);
    if (existing) return existing;
    const write = async () => {
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
      await closing(await open(target, constants.O_CREAT | constants.O_RDWR, 0o600), async (file) => {
        await file.write(head, 0, head.length, 0);
        await file.sync();
      });
      await syncFolder(path.dirname(target));
    };
    const begun = write().finally(() => beginning.delete(target));
    beginning.set(target, begun);
    return begun;
  }

  /** Opens a file for writing; creates it if it is missing or a crash left it without a head. */
  async function openPlace(target: string, head: Buffer): Promise<FileHandle> {
    await beginning.get(target);
    const there = await openPath(target, 'r+');
    if (there && (await hasHead(there, head))) return there;
    await there?.close();
    await begin(target, head);
    return open(target, 'r+');
  }

  const store: BlobStore = {
    async put(key, content, { type, maxBytes, isOwned }) {
      checkKey(key);
      checkType(type);
      const target = path.join(folder, toFileName(key));
      const counted = limited(content, maxBytes);
      const head = formatHeader(key, type);
      const write = async (file: FileHandle) => {
        await file.write(head);
        await writeContent(file, counted, { position: head.length, isOwned });
      };
      await draw(target, write);
      return { size: counted.size, type };
    },

    async putPart(key, content, { type, maxBytes, isOwned, start }) {
      checkKey(key);
      checkType(type);
      const target = path.join(folder, toFileName(key));
      const head = formatHeader(key, type);
      await closing(await openPlace(target, head), async (file) => {
        await writeContent(file, limited(content, maxBytes), { position: head.length + start, isOwned });
        await file.datasync();
      });
    },

    async get(key, range) {
      const file = await openFile(key);
      if (!file) return undefined;
      try {
        const { start, size, type } = await readHead(file);
        return {
          size,
          type,
          stream: file.createReadStream({ ...within(start, size, range), highWaterMark: READ_BYTES }),
        };
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async stat(key) {
      const file = await openFile(key);
      const head = file && (await closing(file, readHead));
      return head && { size: head.size, type: head.type };
    },

    async delete(key) {
      checkKey(key);
      await rm(path.join(folder, toFileName(key)), { force: true });
    },

    async *list() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
        if (isMissing(error)) return [];
        throw error;
      });
      for (const entry of entries) {
        if (!entry.isFile() || entry.parentPath === drafts) continue;
        const file = await openPath(path.join(entry.parentPath, entry.name));
        const key =
          file && (await closing(file, async () => ((await isBegun(file)) ? (await readHead(file)).key : undefined)));
        if (key !== undefined) yield key;
      }
    },

    signedUrl: async () => undefined,

    async free() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },

    check: () => tryStore(store),
  };
  return store;
}
