import path from 'node:path';
import {
  apps_get,
  apps_list,
  type Client,
  crashIssues_list,
  distributionGroups_list,
  distributionGroups_listUsers,
  Errors_GroupList,
  organizations_get,
  releases_getLatestByUser,
  releases_list,
  symbols_getLocation,
  symbols_list,
  users_list,
  users_listForOrg,
} from '@mooring/contract';
import type { Output } from '../terminal/output.ts';
import { exportDeployments } from './codepush.ts';
import { fetchOnce } from './fetch-once.ts';
import {
  errorGroupsFile,
  getAppFolder,
  orgFolder,
  releaseFolder,
  type SavedErrorGroup,
  symbolsFolder,
  writeJson,
} from './folder.ts';
import { exportHistory } from './history.ts';

type Ref = { owner_name: string; app_name: string };

/** Counts of exported items. */
export interface Written {
  apps: number;
  groups: number;
  errorGroups: number;
  releases: number;
  symbols: number;
  updates: number;
  records: number;
  /** Items that could not be exported. */
  omitted: string[];
}

const DAY = 24 * 60 * 60 * 1000;
/** The API limits how far back groups can be listed. */
const MAX_DAYS = 3650;

/** Notes belong to issues, which other clients don't know, so each group gets the note of its issue. */
async function fetchNotes(call: Client, params: Ref): Promise<Map<string, string>> {
  const notes = new Map<string, string>();
  for (let cursor: string | undefined; ; ) {
    const page = await call(crashIssues_list, { params, query: cursor === undefined ? {} : { cursor } });
    for (const { id, annotation } of page.values) notes.set(id, annotation);
    cursor = page.next_cursor;
    if (cursor === undefined) return notes;
  }
}

async function fetchErrorGroups(call: Client, params: Ref): Promise<SavedErrorGroup[]> {
  const notes = await fetchNotes(call, params);
  const start = new Date(Date.now() - MAX_DAYS * DAY).toISOString();
  const groups: SavedErrorGroup[] = [];
  for (let query: { start: string; $top: number; $skiptoken?: string } = { start, $top: 500 }; ; ) {
    const { errorGroups, nextLink } = await call(Errors_GroupList, { params, query });
    groups.push(
      ...errorGroups.map((one) => ({ ...one, annotation: one.annotation || (notes.get(one.issueId) ?? '') })),
    );
    const $skiptoken = nextLink && new URL(nextLink, 'https://x').searchParams.get('$skiptoken');
    if (!$skiptoken) return groups;
    query = { ...query, $skiptoken };
  }
}

async function exportApp(
  call: Client,
  params: Ref,
  root: string,
  showProgress: (name: string) => void,
): Promise<Written> {
  const folder = getAppFolder(root, params.owner_name, params.app_name);
  const groups = await call(distributionGroups_list, { params });
  const groupsWithMembers = await Promise.all(
    groups.map(async (group) => ({
      ...group,
      members: await call(distributionGroups_listUsers, {
        params: { ...params, distribution_group_name: group.name },
        query: {},
      }),
    })),
  );
  writeJson(path.join(folder, 'distribution_groups.json'), groupsWithMembers);
  writeJson(path.join(folder, 'users.json'), await call(users_list, { params }));
  const errorGroups = await fetchErrorGroups(call, params);
  if (errorGroups.length > 0) writeJson(errorGroupsFile(folder), { errorGroups });
  const omitted: string[] = [];
  const releases = await call(releases_list, { params, query: {} });
  for (const { id } of releases) {
    showProgress(`release ${id}`);
    const release = await call(releases_getLatestByUser, { params: { ...params, release_id: String(id) }, query: {} });
    const { download_url: url = '' } = release;
    const into = releaseFolder(folder, id);
    if (!url) omitted.push(`the package of release ${id} of ${params.owner_name}/${params.app_name}, which has none`);
    if (url) await fetchOnce(path.join(into, path.basename(new URL(url).pathname)), async () => url);
    writeJson(path.join(into, 'release.json'), release);
  }
  const symbols = await call(symbols_list, { params, query: {} });
  for (const one of symbols) {
    showProgress(`symbols ${one.symbol_id}`);
    const at = { params: { ...params, symbol_id: one.symbol_id } };
    const into = symbolsFolder(folder, one.symbol_id);
    await fetchOnce(path.join(into, 'symbols.zip'), async () => (await call(symbols_getLocation, at)).uri);
    writeJson(path.join(into, 'symbols.json'), one);
  }
  const updates = await exportDeployments(call, params, folder, showProgress);
  const records = await exportHistory(call, params, folder, showProgress);
  // Written last: an import skips apps without this file, as their export is incomplete.
  writeJson(path.join(folder, 'app.json'), await call(apps_get, { params }));
  return {
    apps: 1,
    groups: groups.length,
    errorGroups: errorGroups.length,
    releases: releases.length,
    symbols: symbols.length,
    updates,
    records,
    omitted,
  };
}

const noItems: Written = {
  apps: 0,
  groups: 0,
  errorGroups: 0,
  releases: 0,
  symbols: 0,
  updates: 0,
  records: 0,
  omitted: [],
};

const sum = (one: Written, other: Written): Written => ({
  apps: one.apps + other.apps,
  groups: one.groups + other.groups,
  errorGroups: one.errorGroups + other.errorGroups,
  releases: one.releases + other.releases,
  symbols: one.symbols + other.symbols,
  updates: one.updates + other.updates,
  records: one.records + other.records,
  omitted: [...one.omitted, ...other.omitted],
});

async function exportOrg(call: Client, org_name: string, root: string): Promise<void> {
  const folder = orgFolder(root, org_name);
  writeJson(path.join(folder, 'org.json'), await call(organizations_get, { params: { org_name } }));
  writeJson(path.join(folder, 'users.json'), await call(users_listForOrg, { params: { org_name } }));
}

/** Exports one app, or all apps that the caller can see. Existing files are not downloaded again. */
export async function exportEverything(
  call: Client,
  root: string,
  only: Ref | undefined,
  out: Output,
): Promise<Written> {
  const apps = (await call(apps_list)).filter(
    ({ name, owner }) => !only || (name === only.app_name && owner.name === only.owner_name),
  );
  const refs = only ? [only] : apps.map(({ name, owner }) => ({ owner_name: owner.name, app_name: name }));
  const orgs = new Set(apps.flatMap(({ owner }) => (owner.type === 'org' ? owner.name : [])));
  let written = noItems;
  try {
    for (const org of orgs) await exportOrg(call, org, root);
    for (const [at, ref] of refs.entries()) {
      const showProgress = (name: string) =>
        out.progress.show(at / refs.length, `${ref.owner_name}/${ref.app_name}${name && `: ${name}`}`);
      showProgress('');
      written = sum(written, await exportApp(call, ref, root, showProgress));
    }
  } finally {
    out.progress.end();
  }
  return written;
}
