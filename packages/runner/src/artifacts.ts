import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Kept } from './stages/index.ts';

export interface Artifact {
  kind: Kept['kind'];
  file: string;
  name: string;
}

const MOST = 90;

/** Every file below a folder, without following links: what they lead to may be anything on this machine. */
async function filesBelow(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(path.join(folder, below), { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map((entry) => {
      const at = path.posix.join(below, entry.name);
      if (entry.isDirectory())
        return entry.name === '.git' || entry.name === 'node_modules' ? [] : filesBelow(folder, at);
      return entry.isFile() ? [at] : [];
    }),
  );
  return found.flat().sort();
}

/** Files that were put into the output folder, and those that the plan names; each once, by the first that names it. */
export async function findArtifacts(sources: string, output: string, keep: readonly Kept[]): Promise<Artifact[]> {
  const named = await filesBelow(sources);
  const found = new Map<string, Artifact>();
  const add = async (folder: string, at: string, kind: Kept['kind']) => {
    const file = path.join(folder, at);
    const isInside = (await realpath(file)).startsWith(`${await realpath(folder)}${path.sep}`);
    if (found.size < MOST && !found.has(file) && isInside && (await lstat(file)).isFile()) {
      found.set(file, { kind, file, name: path.basename(file) });
    }
  };
  for (const at of await filesBelow(output))
    await add(output, at, /(^|\/)mapping\.txt$/.test(at) ? 'mapping' : 'build');
  for (const { kind, patterns } of keep) {
    for (const at of named.filter((one) =>
      patterns.some((pattern) => path.matchesGlob(one, path.posix.normalize(pattern))),
    )) {
      await add(sources, at, kind);
    }
  }
  return [...found.values()];
}
