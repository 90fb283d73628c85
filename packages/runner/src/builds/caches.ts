import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Cache } from '@mooring/contract';
import type { Static } from 'typebox';
import { readInside } from '../files/read-inside.ts';
import type { Work } from './stages/index.ts';

type CacheSpec = Static<typeof Cache>;

/** The folder for caches of all builds, and its size limit. Unused caches are removed after a while. */
export interface CacheStore {
  folder: string;
  maxBytes: number;
}

interface Folders {
  job: string;
  sources: string;
}

interface CacheContext {
  folders: Folders;
  write(text: string): void;
  /** Runs a program in the sandbox of the build, with access to one additional file. Returns the exit code. */
  run(command: readonly string[], readable?: string): Promise<number>;
}

const MIB = 1_048_576;
const MAX_KEY_FILE_BYTES = 64 * MIB;
const MAX_UNUSED_MS = 30 * 24 * 3_600_000;

/**
 * Builds share a cache only if they share a configuration. Otherwise a user who can push one branch could put files into
 * builds with other secrets.
 */
const getScope = ({ app, build, repository }: Work): string[] => [
  app.owner,
  app.name,
  repository.url,
  build.configuration ?? build.branch,
];

/** Path relative to the job's folder. */
const toArchiveMember = (name: string): string =>
  name.startsWith('~/') ? path.posix.join('home', name.slice(2)) : path.posix.join('sources', name);

/** Returns undefined if one of the key files is missing. */
async function computeKey(work: Work, { sources }: Folders, { key, paths }: CacheSpec): Promise<string | undefined> {
  const hash = createHash('sha256').update(JSON.stringify([getScope(work), paths]));
  for (const file of key) {
    const content = await readInside(sources, path.join(sources, file), MAX_KEY_FILE_BYTES);
    if (!content) return undefined;
    hash.update(JSON.stringify([file, createHash('sha256').update(content).digest('hex')]));
  }
  return hash.digest('hex');
}

const exists = async (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

/** Restores caches. Returns a function that saves the missing ones after the build. */
export async function restoreCaches(
  store: CacheStore,
  work: Work,
  caches: readonly CacheSpec[],
  { folders, write, run }: CacheContext,
): Promise<() => Promise<void>> {
  const missing: { archive: string; members: string[] }[] = [];
  for (const cache of caches) {
    const members = cache.paths.map(toArchiveMember);
    const key = await computeKey(work, folders, cache);
    if (key === undefined) {
      write(
        `Skipped the cache of ${cache.paths.join(', ')}: a key file is missing in the sources (${cache.key.join(', ')}).\n`,
      );
      continue;
    }
    const archive = path.join(store.folder, `${key}.tar`);
    if (await exists(archive)) {
      // The archive is not trusted, so it is unpacked in the sandbox.
      if ((await run(['tar', '-x', '-o', '-f', archive, '-C', folders.job, ...members], archive)) === 0) {
        await utimes(archive, new Date(), new Date()).catch(() => undefined);
        write(`Restored ${cache.paths.join(', ')} from the cache.\n`);
        continue;
      }
      write(`Discarded the cache of ${cache.paths.join(', ')}, which can't be unpacked.\n`);
      await rm(archive, { force: true });
      await run(['rm', '-rf', ...members.map((member) => path.join(folders.job, member))]);
    }
    missing.push({ archive, members });
  }
  return async () => {
    for (const { archive, members } of missing) await saveCache(store, archive, members, { folders, write, run });
    await sweepCaches(store);
  };
}

async function saveCache(store: CacheStore, archive: string, members: string[], { folders, write, run }: CacheContext) {
  const existing: string[] = [];
  for (const member of members) if (await exists(path.join(folders.job, member))) existing.push(member);
  if (existing.length < members.length) {
    write(`Nothing to cache: missing ${members.filter((member) => !existing.includes(member)).join(', ')}.\n`);
    return;
  }
  const draft = path.join(folders.job, `cache-${randomUUID()}.tar`);
  const blocks = Math.floor(store.maxBytes / 2 / 1024);
  // A process limit works faster than a check of the result, and so protects the disk.
  const script = `ulimit -f ${blocks}; exec tar -c -f "$@"`;
  const code = await run(['bash', '-c', script, 'tar', draft, '-C', folders.job, ...existing]);
  const created = await lstat(draft).catch(() => undefined);
  // Ignore files and links that the build itself created.
  if (code === 0 && created?.isFile() && created.nlink === 1) {
    await mkdir(store.folder, { recursive: true, mode: 0o700 });
    await rename(draft, archive);
    write(`Cached ${members.join(', ')} (${Math.ceil(created.size / MIB)} MiB).\n`);
    return;
  }
  await rm(draft, { force: true });
  write(
    `Didn't cache ${members.join(', ')}: larger than ${Math.floor(store.maxBytes / 2 / MIB)} MiB, or changed while it was read.\n`,
  );
}

/** Removes unused caches, and the oldest ones above the size limit. */
export async function sweepCaches({ folder, maxBytes }: CacheStore): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const stats = await lstat(file).catch(() => undefined);
      return { file, size: stats?.size ?? 0, at: stats?.mtimeMs ?? 0 };
    }),
  );
  let freeBytes = maxBytes;
  for (const { file, size, at } of files.toSorted((one, other) => other.at - one.at)) {
    freeBytes -= size;
    if (freeBytes < 0 || Date.now() - at > MAX_UNUSED_MS) await rm(file, { force: true, recursive: true });
  }
}
