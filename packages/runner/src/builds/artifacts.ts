import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { ArtifactPattern } from './stages/index.ts';

export interface Artifact {
  kind: ArtifactPattern['kind'];
  file: string;
  name: string;
}

const MAX_ARTIFACTS = 90;

/** Lists files recursively. It follows no links, as they could lead to any file of this machine. */
async function listFiles(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(path.join(folder, below), { withFileTypes: true }).catch(() => []);
  const files = await Promise.all(
    entries.map((entry) => {
      const at = path.posix.join(below, entry.name);
      if (entry.isDirectory())
        return entry.name === '.git' || entry.name === 'node_modules' ? [] : listFiles(folder, at);
      return entry.isFile() ? [at] : [];
    }),
  );
  return files.flat().sort();
}

/** Finds the files in the output folder, and those that match patterns of the plan. The first match determines the kind. */
export async function findArtifacts(
  sources: string,
  output: string,
  patternsByKind: readonly ArtifactPattern[],
): Promise<Artifact[]> {
  const sourceFiles = await listFiles(sources);
  const artifacts = new Map<string, Artifact>();
  const add = async (folder: string, at: string, kind: ArtifactPattern['kind']) => {
    const file = path.join(folder, at);
    const isInside = (await realpath(file)).startsWith(`${await realpath(folder)}${path.sep}`);
    if (artifacts.size < MAX_ARTIFACTS && !artifacts.has(file) && isInside && (await lstat(file)).isFile()) {
      artifacts.set(file, { kind, file, name: path.basename(file) });
    }
  };
  for (const at of await listFiles(output)) await add(output, at, /(^|\/)mapping\.txt$/.test(at) ? 'mapping' : 'build');
  for (const { kind, patterns } of patternsByKind) {
    for (const at of sourceFiles.filter((one) =>
      patterns.some((pattern) => path.matchesGlob(one, path.posix.normalize(pattern))),
    )) {
      await add(sources, at, kind);
    }
  }
  return [...artifacts.values()];
}
