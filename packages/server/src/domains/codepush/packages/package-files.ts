import { hash } from 'node:crypto';

/** The files of a package: by path, what they hold as SHA-256 in hexadecimal. */
export type Files = ReadonlyMap<string, string>;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** What archivers of one system leave behind is no part of a package. */
export const isPackaged = (path: string): boolean => !path.startsWith('__MACOSX/') && nameOf(path) !== '.DS_Store';

/** A signature is over the hash, so it is not in it. */
const isHashed = (path: string): boolean => nameOf(path) !== '.codepushrelease';

/** The name of a package by what is in it, as devices compute it, too. */
export function hashOfFiles(files: Files): string {
  const lines = [...files].flatMap(([path, content]) => (isHashed(path) ? `${path}:${content}` : []));
  return hash('sha256', JSON.stringify(lines.sort()), 'hex');
}

/** At the root of a diff, it tells a device which files go. */
export const DIFF_LIST = 'hotcodepush.json';

export interface Diff {
  /** Files that are new or hold something else. */
  changed: string[];
  deleted: string[];
}

export function diffOf(before: Files, after: Files): Diff {
  return {
    changed: [...after].flatMap(([path, content]) => (before.get(path) === content ? [] : path)),
    deleted: [...before.keys()].filter((path) => !after.has(path)),
  };
}

/** What a device has after a diff: all that it had, without what is deleted, under what came. */
export function applyDiff(before: Files, { deleted, files }: { deleted: readonly string[]; files: Files }): Files {
  const after = new Map(before);
  for (const path of deleted) after.delete(path);
  for (const [path, content] of files) after.set(path, content);
  return after;
}
