import { hash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { DAY } from '../kernel/clock.ts';
import { randomBase62 } from '../kernel/crypto.ts';
import { type BlobInfo, type BlobStore, checkKey, checkType, limited, type Range, tryStore } from './blobs.ts';

/** A line of JSON in front of the content, in the same file, so that a blob and its type can never part. */
interface Head {
  key: string;
  type: string;
}
const MAX_HEAD = 1024;

/** Files are named by a hash of their key: no key can lead out of the folder, or be both a file and a folder. */
const nameOf = (key: string): string => {
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

/** Makes a rename last: the folder's own list is written out. Windows has no such thing. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await closing(await open(folder, 'r'), (handle) => handle.sync());
}

/** Where a range of the content is in the file. */
const within = (start: number, range: Range | undefined) =>
  range ? { start: start + range.start, end: start + range.end } : { start };

async function readHead(file: FileHandle): Promise<BlobInfo & { key: string; start: number }> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEAD), 0, MAX_HEAD, 0);
  const start = buffer.subarray(0, bytesRead).indexOf('\n') + 1;
  if (start === 0) throw new Error('A file among the blobs does not begin as one.');
  const { key, type } = JSON.parse(buffer.toString('utf8', 0, start)) as Head;
  return { key, type, start, size: (await file.stat()).size - start };
}

/** Blobs as files in a folder of this machine. */
export function createDiskStore(folder: string): BlobStore {
  const drafts = path.join(folder, 'tmp');
  let prepared: Promise<void> | undefined;

  /** Drafts of a process that was killed stay behind; one that nobody has written to for a day is such. */
  async function prepare(): Promise<void> {
    await mkdir(drafts, { recursive: true, mode: 0o700 });
    for (const name of await readdir(drafts)) {
      const file = path.join(drafts, name);
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      if (mtimeMs < Date.now() - DAY) await rm(file, { force: true });
    }
  }

  async function openPath(file: string): Promise<FileHandle | undefined> {
    try {
      return await open(file, 'r');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async function openFile(key: string): Promise<FileHandle | undefined> {
    checkKey(key);
    return openPath(path.join(folder, nameOf(key)));
  }

  const store: BlobStore = {
    async put(key, content, { type, maxBytes }) {
      checkKey(key);
      checkType(type);
      prepared ??= prepare();
      await prepared.catch((error) => {
        prepared = undefined;
        throw error;
      });
      const draft = path.join(drafts, randomBase62(24));
      const target = path.join(folder, nameOf(key));
      const counted = limited(content, maxBytes);
      try {
        await closing(await open(draft, 'wx', 0o600), async (file) => {
          await file.writeFile(`${JSON.stringify({ key, type } satisfies Head)}\n`);
          await file.writeFile(counted);
          await file.sync();
        });
        await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
        await rename(draft, target);
        await syncFolder(path.dirname(target));
      } catch (error) {
        // Somebody may have removed the folders while the server runs; the next one makes them again.
        if (isMissing(error)) prepared = undefined;
        await rm(draft, { force: true });
        throw error;
      }
      return { size: counted.size, type };
    },

    async get(key, range) {
      const file = await openFile(key);
      if (!file) return undefined;
      try {
        const { start, size, type } = await readHead(file);
        return { size, type, stream: file.createReadStream(within(start, range)) };
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
      await rm(path.join(folder, nameOf(key)), { force: true });
    },

    async *list() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error) => {
        if (isMissing(error)) return [];
        throw error;
      });
      for (const entry of entries) {
        if (!entry.isFile() || entry.parentPath === drafts) continue;
        const file = await openPath(path.join(entry.parentPath, entry.name));
        if (file) yield (await closing(file, readHead)).key;
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
