import { hash } from 'node:crypto';

/** The files of a package: path to hexadecimal SHA-256 of the content. */
export type Files = ReadonlyMap<string, string>;

const getFileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Ignores files that archivers of one system add. */
export const isPackaged = (path: string): boolean => !path.startsWith('__MACOSX/') && getFileName(path) !== '.DS_Store';

/** The signature signs the hash, so it is excluded from it. */
const isHashed = (path: string): boolean => getFileName(path) !== '.codepushrelease';

/** Identifies a package by its content, with the same algorithm as devices. */
export function hashFiles(files: Files): string {
  const lines = [...files].flatMap(([path, content]) => (isHashed(path) ? `${path}:${content}` : []));
  return hash('sha256', JSON.stringify(lines.sort()), 'hex');
}

/** File at the root of a diff that lists the deleted files. */
export const DIFF_LIST = 'hotcodepush.json';

export interface Diff {
  /** New or modified files. */
  changed: string[];
  deleted: string[];
}

export function diffFiles(before: Files, after: Files): Diff {
  return {
    changed: [...after].flatMap(([path, content]) => (before.get(path) === content ? [] : path)),
    deleted: [...before.keys()].filter((path) => !after.has(path)),
  };
}

/** The result of a diff on a device: its files, without the deleted ones, overwritten by those of the diff. */
export function applyDiff(before: Files, { deleted, files }: { deleted: readonly string[]; files: Files }): Files {
  const after = new Map(before);
  for (const path of deleted) after.delete(path);
  for (const [path, content] of files) after.set(path, content);
  return after;
}
