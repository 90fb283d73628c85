import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type {
  apps_get,
  distributionGroups_list,
  distributionGroups_listUsers,
  EndpointOutput,
  Errors_GroupList,
  organizations_get,
  releases_getLatestByUser,
  symbols_list,
  users_list,
  users_listForOrg,
} from '@mooring/contract';
import { wrongUsage } from '../framework/errors.ts';

/**
 * The files of an export. Each contains a response of the API, so that responses saved from another server can be used as well.
 *
 *   orgs/<org>/org.json, orgs/<org>/users.json
 *   apps/<owner>/<app>/app.json, apps/<owner>/<app>/users.json
 *   apps/<owner>/<app>/distribution_groups.json    with `members` of each
 *   apps/<owner>/<app>/errors/errorGroups.json
 *   apps/<owner>/<app>/archive/<yyyy>/<MM>/<dd>/<HH>/<mm>/logs.v1.data, crashes.v1.data, errors.v1.data
 *   apps/<owner>/<app>/releases/<id>/release.json  next to the package
 *   apps/<owner>/<app>/symbols/<id>/symbols.json   next to the file
 *   apps/<owner>/<app>/codepush/<deployment>/deployment.json
 *   apps/<owner>/<app>/codepush/<deployment>/releases/<label>/release.json  next to the package
 */
export type SavedOrg = EndpointOutput<typeof organizations_get>;
export type SavedMember = EndpointOutput<typeof users_listForOrg>[number];
export type SavedApp = EndpointOutput<typeof apps_get>;
export type SavedUser = EndpointOutput<typeof users_list>[number];
export type SavedGroup = EndpointOutput<typeof distributionGroups_list>[number] & {
  members?: EndpointOutput<typeof distributionGroups_listUsers>;
};
export type SavedErrorGroup = EndpointOutput<typeof Errors_GroupList>['errorGroups'][number];
export type SavedRelease = EndpointOutput<typeof releases_getLatestByUser>;
export type SavedSymbols = EndpointOutput<typeof symbols_list>[number];

/** Converts any name to a safe file name. */
export const toFileName = (text: string): string =>
  encodeURIComponent(text).replace(/^[.]+$/, (dots) => '%2E'.repeat(dots.length));

export const orgFolder = (root: string, org: string): string => path.join(root, 'orgs', toFileName(org));
export const getAppFolder = (root: string, owner: string, app: string): string =>
  path.join(root, 'apps', toFileName(owner), toFileName(app));
export const errorGroupsFile = (app: string): string => path.join(app, 'errors', 'errorGroups.json');
export const releaseFolder = (app: string, id: number): string => path.join(app, 'releases', String(id));
export const symbolsFolder = (app: string, id: string): string => path.join(app, 'symbols', toFileName(id));

/** Creates a private folder, as exports contain emails of testers, app secrets and links to packages. */
export const makeFolder = (folder: string): void => void mkdirSync(folder, { recursive: true, mode: 0o700 });

/** Writes a file atomically. */
export function writeJson(file: string, value: unknown): void {
  makeFolder(path.dirname(file));
  // Otherwise a symbolic link of that name would be followed.
  rmSync(`${file}.part`, { force: true });
  writeFileSync(`${file}.part`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.part`, file);
}

/**
 * Returns whether a file exists. Throws on a symbolic link, because a folder from another person could link to any file of this
 * machine, which the import would then upload.
 */
export function isPresent(file: string): boolean {
  const entry = lstatSync(file, { throwIfNoEntry: false });
  if (entry?.isSymbolicLink()) {
    throw wrongUsage(
      `${file} is a symbolic link, and an import doesn't follow links.`,
      'Replace the link with the file.',
    );
  }
  return entry !== undefined;
}

export function readJsonFile<T>(file: string): T | undefined {
  if (!isPresent(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch (error) {
    throw wrongUsage(`${file} is not valid JSON: ${(error as Error).message}`);
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

/** Finds the file that is described by the JSON file next to it; undefined if it was not saved. */
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
  /** In the order of upload. */
  releases: { release: SavedRelease; file: string | undefined }[];
  symbols: { symbols: SavedSymbols; file: string | undefined }[];
}

/** The built-in group of users with access to the app. */
export const isCollaborators = ({ name }: SavedGroup): boolean => name.toLowerCase() === 'collaborators';

function readApp(folder: string): AppFolder[] {
  const app = readJsonFile<SavedApp>(path.join(folder, 'app.json'));
  if (!app) return [];
  if (typeof app.name !== 'string' || typeof app.owner?.name !== 'string') {
    throw wrongUsage(
      `${path.join(folder, 'app.json')} is invalid: it must be a response of GET /v0.1/apps/{owner_name}/{app_name}.`,
    );
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
      `${root} contains no apps: there is no apps/<owner>/<app>/app.json.`,
      'Create such a folder with "mooring export everything".',
    );
  }
  return apps;
}
