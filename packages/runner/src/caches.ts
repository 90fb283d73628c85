import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { Cache } from '@mooring/contract';
import type { Static } from 'typebox';
import { readInside } from './inside.ts';
import type { Work } from './stages/index.ts';

type Named = Static<typeof Cache>;

/** Where caches of all builds lie, and how much there may be of them; removed when nobody wanted them for a while. */
export interface CacheStore {
  folder: string;
  maxBytes: number;
}

interface Folders {
  job: string;
  sources: string;
}

interface Running {
  folders: Folders;
  write(text: string): void;
  /** Runs a program where the build runs, with one more file that it may read; says its exit code. */
  run(command: readonly string[], readable?: string): Promise<number>;
}

const MIB = 1_048_576;
const LARGEST_KEY_FILE = 64 * MIB;
const UNWANTED_AFTER = 30 * 24 * 3_600_000;

/**
 * Builds share a cache only if they share all their settings: whoever may push a branch that follows a pattern must not
 * put files into builds that are given other secrets.
 */
const scopeOf = ({ app, build, repository }: Work): string[] => [
  app.owner,
  app.name,
  repository.url,
  build.configuration ?? build.branch,
];

/** From the folder of the job. */
const memberOf = (name: string): string =>
  name.startsWith('~/') ? path.posix.join('home', name.slice(2)) : path.posix.join('sources', name);

/** Nothing, if one of the files that it depends on is not there. */
async function keyOf(work: Work, { sources }: Folders, { key, paths }: Named): Promise<string | undefined> {
  const hash = createHash('sha256').update(JSON.stringify([scopeOf(work), paths]));
  for (const file of key) {
    const content = await readInside(sources, path.join(sources, file), LARGEST_KEY_FILE);
    if (!content) return undefined;
    hash.update(JSON.stringify([file, createHash('sha256').update(content).digest('hex')]));
  }
  return hash.digest('hex');
}

const isThere = async (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

/** Caches that were not there are kept by what this returns, after the build. */
export async function restoreCaches(
  store: CacheStore,
  work: Work,
  caches: readonly Named[],
  { folders, write, run }: Running,
): Promise<() => Promise<void>> {
  const missing: { archive: string; members: string[] }[] = [];
  for (const cache of caches) {
    const members = cache.paths.map(memberOf);
    const key = await keyOf(work, folders, cache);
    if (key === undefined) {
      write(`There is no cache of ${cache.paths.join(', ')}: not all of ${cache.key.join(', ')} are in the sources.\n`);
      continue;
    }
    const archive = path.join(store.folder, `${key}.tar`);
    if (await isThere(archive)) {
      // Unpacked inside of the sandbox, whatever is in it.
      if ((await run(['tar', '-x', '-o', '-f', archive, '-C', folders.job, ...members], archive)) === 0) {
        await utimes(archive, new Date(), new Date()).catch(() => undefined);
        write(`${cache.paths.join(', ')}: from the cache.\n`);
        continue;
      }
      write(`The cache of ${cache.paths.join(', ')} cannot be unpacked; it is made anew.\n`);
      await rm(archive, { force: true });
      await run(['rm', '-rf', ...members.map((member) => path.join(folders.job, member))]);
    }
    missing.push({ archive, members });
  }
  return async () => {
    for (const { archive, members } of missing) await keep(store, archive, members, { folders, write, run });
    await sweepCaches(store);
  };
}

async function keep(store: CacheStore, archive: string, members: string[], { folders, write, run }: Running) {
  const named: string[] = [];
  for (const member of members) if (await isThere(path.join(folders.job, member))) named.push(member);
  if (named.length < members.length) {
    write(`There is nothing to keep of ${members.filter((member) => !named.includes(member)).join(', ')}.\n`);
    return;
  }
  const draft = path.join(folders.job, `cache-${randomUUID()}.tar`);
  const blocks = Math.floor(store.maxBytes / 2 / 1024);
  // A limit of the process itself, so that the disk is not full before somebody looks.
  const script = `ulimit -f ${blocks}; exec tar -c -f "$@"`;
  const code = await run(['bash', '-c', script, 'tar', draft, '-C', folders.job, ...named]);
  const made = await lstat(draft).catch(() => undefined);
  // What the build itself put there is none of ours.
  if (code === 0 && made?.isFile() && made.nlink === 1) {
    await mkdir(store.folder, { recursive: true, mode: 0o700 });
    await rename(draft, archive);
    write(`${members.join(', ')}: kept, ${Math.ceil(made.size / MIB)} MiB.\n`);
    return;
  }
  await rm(draft, { force: true });
  write(`${members.join(', ')}: not kept, it is larger than ${Math.floor(store.maxBytes / 2 / MIB)} MiB or changes.\n`);
}

/** Those that nobody wanted for long, and the oldest of too many. */
export async function sweepCaches({ folder, maxBytes }: CacheStore): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const found = await lstat(file).catch(() => undefined);
      return { file, size: found?.size ?? 0, at: found?.mtimeMs ?? 0 };
    }),
  );
  let room = maxBytes;
  for (const { file, size, at } of files.toSorted((one, other) => other.at - one.at)) {
    room -= size;
    if (room < 0 || Date.now() - at > UNWANTED_AFTER) await rm(file, { force: true, recursive: true });
  }
}
