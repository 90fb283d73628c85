import { realpathSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { toolFolders } from '../tools/tool-environment.ts';
import { shownFolders } from './sandbox.ts';

const toReal = (place: string): string | undefined => {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
};

const isWithin = (place: string, folder: string): boolean =>
  place === folder || place.startsWith(folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`);

/** Detects the data folder of a server or runner by the names of its files. */
const hasMooringData = (names: ReadonlySet<string>): boolean =>
  names.has('mooring.db') ||
  (names.has('secret.key') && (names.has('tls') || names.has('blobs'))) ||
  (names.has('runner.json') && names.has('jobs'));

const OTHERS_READ = 0o004;

/**
 * Finds private folders inside the folders that a sandbox shows: folders that other users can't list, and folders with data of
 * a server or runner. Builds could read them with the permissions of this user. Tools are never installed in such folders.
 */
export async function findPrivateFolders(
  roots: readonly string[] = [...shownFolders, ...toolFolders()],
  exempt: readonly string[] = toolFolders(),
): Promise<string[]> {
  const folders: string[] = [];
  const exemptFolders = exempt.flatMap((place) => toReal(place) ?? []);
  const tops = [...new Set(roots.flatMap((root) => toReal(root) ?? []))];
  const starts = tops.filter((top) => !tops.some((other) => other !== top && isWithin(top, other)));
  const walk = async (folder: string, isTop: boolean): Promise<void> => {
    const [entries, stats] = await Promise.all([
      readdir(folder, { withFileTypes: true }).catch(() => []),
      lstat(folder).catch(() => undefined),
    ]);
    // Tool folders of the operator may be closed to other users.
    const isExempt = isTop || exemptFolders.some((one) => isWithin(one, folder) || isWithin(folder, one));
    const isClosed = stats !== undefined && (stats.mode & OTHERS_READ) === 0 && !isExempt;
    if (isClosed || hasMooringData(new Set(entries.map(({ name }) => name)))) {
      folders.push(folder);
      return;
    }
    for (const entry of entries) if (entry.isDirectory()) await walk(path.join(folder, entry.name), false);
  };
  for (const start of starts) await walk(start, true);
  return folders;
}

/** Folders to hide, configured by the operator or by the server for its built-in runner. */
export const namedHiddenFolders = (env: Record<string, string | undefined>): string[] =>
  (env.MOORING_RUNNER_HIDE ?? '').split(path.delimiter).filter((place) => path.isAbsolute(place));

/** Returns the reason if builds can't run with these folders hidden. */
export function findHiddenConflict(hidden: readonly string[]): string | undefined {
  const needed = new Set([path.sep, ...shownFolders, ...toolFolders()].flatMap((place) => toReal(place) ?? []));
  const conflict = hidden.find((folder) => needed.has(toReal(folder) ?? ''));
  return conflict === undefined
    ? undefined
    : `${conflict} contains data of Mooring, but builds need this folder for tools. Move the data to a separate folder (MOORING_RUNNER_DIR, MOORING_DATA_DIR).`;
}
