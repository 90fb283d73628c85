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
import type { Output } from '../output.ts';
import { exportDeployments } from './codepush.ts';
import { fetchOnce } from './fetch-once.ts';
import {
  errorGroupsFile,
  folderOf,
  orgFolder,
  releaseFolder,
  type SavedErrorGroup,
  symbolsFolder,
  writeJson,
} from './folder.ts';
import { exportHistory } from './history.ts';

type Ref = { owner_name: string; app_name: string };

/** What was written, for the report. */
export interface Written {
  apps: number;
  groups: number;
  errorGroups: number;
  releases: number;
  symbols: number;
  updates: number;
  records: number;
  /** Parts that could not be written. */
  leftOut: string[];
}

const DAY = 24 * 60 * 60 * 1000;
/** As far back as groups can be asked for. */
const MOST_DAYS = 3650;

/** People write their notes on issues, which other clients do not know: there a group has that of its issue. */
async function notesOf(call: Client, params: Ref): Promise<Map<string, string>> {
  const notes = new Map<string, string>();
  for (let cursor: string | undefined; ; ) {
    const page = await call(crashIssues_list, { params, query: cursor === undefined ? {} : { cursor } });
    for (const { id, annotation } of page.values) notes.set(id, annotation);
    cursor = page.next_cursor;
    if (cursor === undefined) return notes;
  }
}

async function errorGroupsOf(call: Client, params: Ref): Promise<SavedErrorGroup[]> {
  const notes = await notesOf(call, params);
  const start = new Date(Date.now() - MOST_DAYS * DAY).toISOString();
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

async function exportApp(call: Client, params: Ref, root: string, tell: (what: string) => void): Promise<Written> {
  const folder = folderOf(root, params.owner_name, params.app_name);
  const groups = await call(distributionGroups_list, { params });
  const withMembers = await Promise.all(
    groups.map(async (group) => ({
      ...group,
      members: await call(distributionGroups_listUsers, {
        params: { ...params, distribution_group_name: group.name },
        query: {},
      }),
    })),
  );
  writeJson(path.join(folder, 'distribution_groups.json'), withMembers);
  writeJson(path.join(folder, 'users.json'), await call(users_list, { params }));
  const errorGroups = await errorGroupsOf(call, params);
  if (errorGroups.length > 0) writeJson(errorGroupsFile(folder), { errorGroups });
  const leftOut: string[] = [];
  const releases = await call(releases_list, { params, query: {} });
  for (const { id } of releases) {
    tell(`release ${id}`);
    const release = await call(releases_getLatestByUser, { params: { ...params, release_id: String(id) }, query: {} });
    const { download_url: url = '' } = release;
    const into = releaseFolder(folder, id);
    if (!url) leftOut.push(`the package of release ${id} of ${params.owner_name}/${params.app_name}, which has none`);
    if (url) await fetchOnce(path.join(into, path.basename(new URL(url).pathname)), async () => url);
    writeJson(path.join(into, 'release.json'), release);
  }
  const symbols = await call(symbols_list, { params, query: {} });
  for (const one of symbols) {
    tell(`symbols ${one.symbol_id}`);
    const at = { params: { ...params, symbol_id: one.symbol_id } };
    const into = symbolsFolder(folder, one.symbol_id);
    await fetchOnce(path.join(into, 'symbols.zip'), async () => (await call(symbols_getLocation, at)).uri);
    writeJson(path.join(into, 'symbols.json'), one);
  }
  const updates = await exportDeployments(call, params, folder, tell);
  const records = await exportHistory(call, params, folder, tell);
  // Last: an app without it was not written whole, and is not read.
  writeJson(path.join(folder, 'app.json'), await call(apps_get, { params }));
  return {
    apps: 1,
    groups: groups.length,
    errorGroups: errorGroups.length,
    releases: releases.length,
    symbols: symbols.length,
    updates,
    records,
    leftOut,
  };
}

const nothing: Written = {
  apps: 0,
  groups: 0,
  errorGroups: 0,
  releases: 0,
  symbols: 0,
  updates: 0,
  records: 0,
  leftOut: [],
};

const sum = (one: Written, other: Written): Written => ({
  apps: one.apps + other.apps,
  groups: one.groups + other.groups,
  errorGroups: one.errorGroups + other.errorGroups,
  releases: one.releases + other.releases,
  symbols: one.symbols + other.symbols,
  updates: one.updates + other.updates,
  records: one.records + other.records,
  leftOut: [...one.leftOut, ...other.leftOut],
});

async function exportOrg(call: Client, org_name: string, root: string): Promise<void> {
  const folder = orgFolder(root, org_name);
  writeJson(path.join(folder, 'org.json'), await call(organizations_get, { params: { org_name } }));
  writeJson(path.join(folder, 'users.json'), await call(users_listForOrg, { params: { org_name } }));
}

/** Every app that the caller can see, or one; what is there already is not fetched again. */
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
  let written = nothing;
  try {
    for (const org of orgs) await exportOrg(call, org, root);
    for (const [at, ref] of refs.entries()) {
      const tell = (what: string) =>
        out.progress.show(at / refs.length, `${ref.owner_name}/${ref.app_name}${what && `: ${what}`}`);
      tell('');
      written = sum(written, await exportApp(call, ref, root, tell));
    }
  } finally {
    out.progress.end();
  }
  return written;
}
