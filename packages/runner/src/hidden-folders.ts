import { realpathSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { shownFolders } from './sandbox.ts';
import { toolFolders } from './tool-environment.ts';

const toReal = (place: string): string | undefined => {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
};

const isWithin = (place: string, folder: string): boolean =>
  place === folder || place.startsWith(folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`);

/** True for the data folder of a server and the folder of a runner, judged by the names in it. */
const hasMooringData = (names: ReadonlySet<string>): boolean =>
  names.has('mooring.db') ||
  (names.has('secret.key') && (names.has('tls') || names.has('blobs'))) ||
  (names.has('runner.json') && names.has('jobs'));

const OTHERS_READ = 0o004;

/**
 * Finds folders below those that a sandbox shows, which other users of this machine may not list, or which hold data of a
 * server or a runner. They are readable here when this user owns them, and no tool is kept in such a folder.
 */
export async function findPrivateFolders(
  roots: readonly string[] = [...shownFolders, ...toolFolders()],
  exempt: readonly string[] = toolFolders(),
): Promise<string[]> {
  const found: string[] = [];
  const named = exempt.flatMap((place) => toReal(place) ?? []);
  const tops = [...new Set(roots.flatMap((root) => toReal(root) ?? []))];
  const starts = tops.filter((top) => !tops.some((other) => other !== top && isWithin(top, other)));
  const walk = async (folder: string, isTop: boolean): Promise<void> => {
    const [entries, stats] = await Promise.all([
      readdir(folder, { withFileTypes: true }).catch(() => []),
      lstat(folder).catch(() => undefined),
    ]);
    // A folder that the operator names for its tools may be closed to others.
    const isNamed = isTop || named.some((one) => isWithin(one, folder) || isWithin(folder, one));
    const isClosed = stats !== undefined && (stats.mode & OTHERS_READ) === 0 && !isNamed;
    if (isClosed || hasMooringData(new Set(entries.map(({ name }) => name)))) {
      found.push(folder);
      return;
    }
    for (const entry of entries) if (entry.isDirectory()) await walk(path.join(folder, entry.name), false);
  };
  for (const start of starts) await walk(start, true);
  return found;
}

/** Folders that an operator names, or the server for its built-in runner. */
export const namedHiddenFolders = (env: Record<string, string | undefined>): string[] =>
  (env.MOORING_RUNNER_HIDE ?? '').split(path.delimiter).filter((place) => path.isAbsolute(place));

/** Says why builds could not run with these folders hidden, if so. */
export function refuseHidden(hidden: readonly string[]): string | undefined {
  const needed = new Set([path.sep, ...shownFolders, ...toolFolders()].flatMap((place) => toReal(place) ?? []));
  const bad = hidden.find((folder) => needed.has(toReal(folder) ?? ''));
  return bad === undefined
    ? undefined
    : `${bad} holds data of Mooring, and builds need the same folder for their tools. Move the data to a separate folder (MOORING_RUNNER_DIR, MOORING_DATA_DIR).`;
}
