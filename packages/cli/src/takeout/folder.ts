import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type {
  apps_get,
  distributionGroups_list,
  distributionGroups_listUsers,
  Errors_GroupList,
  OutputOf,
  organizations_get,
  releases_getLatestByUser,
  symbols_list,
  users_list,
  users_listForOrg,
} from '@mooring/contract';
import { wrongUsage } from '../framework/errors.ts';

/**
 * What an account is made of, as files: each holds what the API answers, so that answers which were saved from another server
 * can be put in their places.
 *
 *   orgs/<org>/org.json, orgs/<org>/users.json
 *   apps/<owner>/<app>/app.json, apps/<owner>/<app>/users.json
 *   apps/<owner>/<app>/distribution_groups.json    with `members` of each
 *   apps/<owner>/<app>/errors/errorGroups.json
 *   apps/<owner>/<app>/archive/<yyyy>/<MM>/<dd>/<HH>/<mm>/logs.v1.data, crashes.v1.data, errors.v1.data
 *   apps/<owner>/<app>/releases/<id>/release.json  and beside it the package
 *   apps/<owner>/<app>/symbols/<id>/symbols.json   and beside it the file
 *   apps/<owner>/<app>/codepush/<deployment>/deployment.json
 *   apps/<owner>/<app>/codepush/<deployment>/releases/<label>/release.json  and beside it the package
 */
export type SavedOrg = OutputOf<typeof organizations_get>;
export type SavedMember = OutputOf<typeof users_listForOrg>[number];
export type SavedApp = OutputOf<typeof apps_get>;
export type SavedUser = OutputOf<typeof users_list>[number];
export type SavedGroup = OutputOf<typeof distributionGroups_list>[number] & {
  members?: OutputOf<typeof distributionGroups_listUsers>;
};
export type SavedErrorGroup = OutputOf<typeof Errors_GroupList>['errorGroups'][number];
export type SavedRelease = OutputOf<typeof releases_getLatestByUser>;
export type SavedSymbols = OutputOf<typeof symbols_list>[number];

/** Names of others, which may be anything, as names of files. */
export const toFileName = (text: string): string =>
  encodeURIComponent(text).replace(/^[.]+$/, (dots) => '%2E'.repeat(dots.length));

export const orgFolder = (root: string, org: string): string => path.join(root, 'orgs', toFileName(org));
export const folderOf = (root: string, owner: string, app: string): string =>
  path.join(root, 'apps', toFileName(owner), toFileName(app));
export const errorGroupsFile = (app: string): string => path.join(app, 'errors', 'errorGroups.json');
export const releaseFolder = (app: string, id: number): string => path.join(app, 'releases', String(id));
export const symbolsFolder = (app: string, id: string): string => path.join(app, 'symbols', toFileName(id));

/** For nobody else's eyes: addresses of testers, secrets of apps and links to packages lie in it. */
export const makeFolder = (folder: string): void => void mkdirSync(folder, { recursive: true, mode: 0o700 });

/** Written whole or not at all. */
export function writeJson(file: string, value: unknown): void {
  makeFolder(path.dirname(file));
  // A link of that name would be written through.
  rmSync(`${file}.part`, { force: true });
  writeFileSync(`${file}.part`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.part`, file);
}

/**
 * Refuses a symbolic link: a folder from elsewhere could name any file of this machine, whose content would be uploaded.
 * False if nothing has the name.
 */
export function isPresent(file: string): boolean {
  const entry = lstatSync(file, { throwIfNoEntry: false });
  if (entry?.isSymbolicLink()) {
    throw wrongUsage(
      `${file} is a symbolic link, which an import does not follow.`,
      'Replace it with the file itself.',
    );
  }
  return entry !== undefined;
}

export function readJsonFile<T>(file: string): T | undefined {
  if (!isPresent(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch (error) {
    throw wrongUsage(`${file} is not JSON: ${(error as Error).message}`);
  }
}

export const foldersIn = (folder: string): string[] =>
  isPresent(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter(({ name }) => isPresent(path.join(folder, name)))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => path.join(folder, name))
        .sort()
    : [];

/** The one file beside the answer that describes it; none if it was not saved. */
export function fileBeside(folder: string, description: string): string | undefined {
  const names = readdirSync(folder).filter((name) => name !== description && !name.endsWith('.part'));
  const [file] = names.length === 1 ? names.map((name) => path.join(folder, name)) : [];
  return file && isPresent(file) ? file : undefined;
}

export interface AppFolder {
  folder: string;
  app: SavedApp;
  users: SavedUser[];
  groups: SavedGroup[];
  errorGroups: SavedErrorGroup[];
  /** Oldest first, as they were uploaded. */
  releases: { release: SavedRelease; file: string | undefined }[];
  symbols: { symbols: SavedSymbols; file: string | undefined }[];
}

/** The users who work on an app are its members on every server. */
export const isCollaborators = ({ name }: SavedGroup): boolean => name.toLowerCase() === 'collaborators';

function readApp(folder: string): AppFolder[] {
  const app = readJsonFile<SavedApp>(path.join(folder, 'app.json'));
  if (!app) return [];
  if (typeof app.name !== 'string' || typeof app.owner?.name !== 'string') {
    throw wrongUsage(`${path.join(folder, 'app.json')} is not what GET /v0.1/apps/{owner_name}/{app_name} answers.`);
  }
  isPresent(path.dirname(errorGroupsFile(folder)));
  const described = <T>(kind: string, description: string) =>
    foldersIn(path.join(folder, kind)).flatMap((each) => {
      const value = readJsonFile<T>(path.join(each, description));
      return value ? [{ value, file: fileBeside(each, description) }] : [];
    });
  const releases = described<SavedRelease>('releases', 'release.json').map(({ value, file }) => ({
    release: value,
    file,
  }));
  return [
    {
      folder,
      app,
      users: readJsonFile<SavedUser[]>(path.join(folder, 'users.json')) ?? [],
      groups: readJsonFile<SavedGroup[]>(path.join(folder, 'distribution_groups.json')) ?? [],
      errorGroups:
        readJsonFile<{ errorGroups: SavedErrorGroup[] }>(errorGroupsFile(folder))?.errorGroups?.filter(
          ({ appVersion, state }) => typeof appVersion === 'string' && typeof state === 'string',
        ) ?? [],
      releases: releases.sort((one, other) => one.release.id - other.release.id),
      symbols: described<SavedSymbols>('symbols', 'symbols.json').map(({ value, file }) => ({ symbols: value, file })),
    },
  ];
}

export interface OrgFolder {
  org: SavedOrg | undefined;
  members: SavedMember[];
}

export function readOrg(root: string, name: string): OrgFolder {
  const folder = orgFolder(root, name);
  for (const one of [path.dirname(folder), folder]) isPresent(one);
  return {
    org: readJsonFile<SavedOrg>(path.join(folder, 'org.json')),
    members: readJsonFile<SavedMember[]>(path.join(folder, 'users.json')) ?? [],
  };
}

export function readFolder(root: string): AppFolder[] {
  const apps = foldersIn(path.join(root, 'apps')).flatMap(foldersIn).flatMap(readApp);
  if (apps.length === 0) {
    throw wrongUsage(
      `${root} holds no app: apps/<owner>/<app>/app.json is looked for.`,
      'Write such a folder with "mooring export everything".',
    );
  }
  return apps;
}
