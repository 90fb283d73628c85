import type { AppCtx, Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { badRequest, notFound } from '../../../kernel/errors.ts';
import { decodeCursor, type Page, readPage } from '../../../kernel/paging.ts';
import { parseSearchTerms } from '../../../kernel/text/search-key.ts';
import { compareVersions } from '../../../kernel/versions.ts';
import type { DayRange } from '../../../telemetry/index.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { issueChanged } from '../crashes.events.ts';
import type { CrashGroupsTable, CrashIssuesTable, Kind, State } from '../crashes.tables.ts';
import {
  countGroupDevicesInRange,
  type GroupFilter,
  type GroupSort,
  pageGroups,
  pageGroupsInRange,
} from './group-lists.store.ts';
import {
  findAlias,
  findGroup,
  findGroups,
  findIssue,
  listIssueGroups,
  updateGroup,
  updateIssueState,
} from './issues.store.ts';

export type Group = CrashGroupsTable;

/** A group by its ID, or by the ID of a group whose reports were moved to it. */
export async function getGroup({ db, app }: Pick<AppCtx, 'db' | 'app'>, id: string): Promise<Group> {
  const find = (id: string) => findGroup.first(db, { appId: app.id, id });
  const group = await find(id);
  if (group) return group;
  const alias = await findAlias.first(db, { appId: app.id, id });
  const moved = alias && (await find(alias.group_id));
  if (!moved) throw notFound('crash group', id);
  return moved;
}

/** Existing groups by ID. */
export async function findGroupsById({ db, app }: AppCtx, ids: readonly string[]): Promise<Map<string, Group>> {
  const uniqueIds = [...new Set(ids)];
  const found = uniqueIds.length > 0 ? await findGroups(db, app.id, uniqueIds) : [];
  return new Map(found.map((group) => [group.id, group]));
}

export interface GroupQuery {
  kind?: Kind | undefined;
  states?: readonly State[] | undefined;
  version?: string | undefined;
  build?: string | undefined;
  text?: string | undefined;
  lastFrom?: number | undefined;
  lastTo?: number | undefined;
}

const toGroupFilter = ({ text, ...rest }: GroupQuery): GroupFilter => ({ ...rest, terms: parseSearchTerms(text) });

const PAGE = 30;

/** Groups, sorted and paged. */
export function listGroups(
  { db, app }: AppCtx,
  groupQuery: GroupQuery,
  { sort, order, cursor }: { sort: GroupSort; order: 'asc' | 'desc'; cursor: string | undefined },
): Promise<Page<Group>> {
  const [by, key = 0, id] = cursor === undefined ? [] : decodeCursor(cursor, ['string', 'either', 'string']);
  if (by !== undefined && by !== `${sort} ${order}`) {
    throw badRequest('continuation_token belongs to a list with another sort order. Omit it to get the first page.');
  }
  const after = id === undefined ? undefined : { key, id: String(id) };
  return readPage(
    PAGE,
    (limit) => pageGroups(db, app.id, toGroupFilter(groupQuery), { sort, order, limit, after }),
    (row) => [`${sort} ${order}`, row[sort], row.id],
    (row) => row,
  );
}

/** Groups that match by their properties or those of their reports. */
export const findGroupsByText = (
  { db, app }: AppCtx,
  groupQuery: GroupQuery,
  page: { sort: GroupSort; order: 'asc' | 'desc'; limit: number; skip: number },
): Promise<Group[]> => pageGroups(db, app.id, toGroupFilter(groupQuery), page);

/** Groups with reports in a range of days, with counts for that range. */
export async function listGroupsInRange(
  { db, app }: AppCtx,
  range: DayRange,
  groupQuery: GroupQuery,
  { sort, order, limit, cursor }: { sort: GroupSort; order: 'asc' | 'desc'; limit: number; cursor: string | undefined },
): Promise<Page<Group>> {
  const [key = 0, id] = cursor === undefined ? [] : decodeCursor(cursor, ['number', 'string']);
  const after = id === undefined ? undefined : { key: Number(key), id: String(id) };
  const page = await readPage(
    limit,
    (rows) => pageGroupsInRange(db, app.id, range, toGroupFilter(groupQuery), { sort, order, limit: rows, after }),
    (row) => [Number(row.sort_key), row.id],
    (row) => row,
  );
  const ids = page.values.map(({ id }) => id);
  const devices = new Map(
    (ids.length ? await countGroupDevicesInRange(db, app.id, ids, range) : []).map((row) => [
      row.group_id,
      Number(row.devices),
    ]),
  );
  return {
    ...page,
    values: page.values.map(({ seen, sort_key: _, ...group }) => ({
      ...group,
      count: Number(seen),
      device_count: devices.get(group.id) ?? 0,
    })),
  };
}

export const getNewestVersion = (versions: readonly string[]): string =>
  versions.reduce((a, b) => (compareVersions(b, a) > 0 ? b : a), versions[0] ?? '');

/** Updates the state of an issue from its groups: it is open while one of them is. Closing records its versions. */
export async function followGroups(
  { db }: Pick<Deps, 'db'>,
  appId: string,
  issueId: string,
): Promise<CrashIssuesTable | undefined> {
  const groups = await listIssueGroups.all(db, { appId, issueId });
  const states = new Set(groups.map(({ state }) => state));
  const state: State = states.has('open') ? 'open' : states.has('closed') ? 'closed' : 'ignored';
  const issue = await findIssue.first(db, { appId, id: issueId });
  if (!issue || (issue.state === state && state !== 'closed')) return issue;
  return setIssueState({ db }, issue, state, groups);
}

export async function setIssueState(
  { db }: Pick<Deps, 'db'>,
  issue: CrashIssuesTable,
  state: State,
  groups: readonly Group[],
): Promise<CrashIssuesTable> {
  const change = {
    state,
    closed_version: state === 'closed' ? getNewestVersion(groups.map(({ version }) => version)) : null,
    regressed_version: state === 'open' ? issue.regressed_version : null,
    regressed_at: state === 'open' ? issue.regressed_at : null,
  };
  await updateIssueState.run(db, { appId: issue.app_id, id: issue.id, ...change });
  return { ...issue, ...change };
}

/** Changes state or note of a group. */
export const changeGroup = (
  ctx: AppCtx,
  id: string,
  change: { state?: State | undefined; annotation?: string | undefined },
): Promise<Group> =>
  tx(ctx, async (ctx) => {
    await lock(ctx, 'crash-reports', ctx.app.id);
    const group = await getGroup(ctx, id);
    const { state = group.state, annotation = group.annotation } = change;
    await updateGroup.run(ctx.db, { appId: ctx.app.id, id: group.id, state, annotation });
    await followGroups(ctx, ctx.app.id, group.issue_id);
    if (state !== group.state) await publish(ctx, issueChanged, { appId: ctx.app.id, groupId: group.id });
    await record(ctx, 'crash_group.update', appSubject(ctx.app), {
      before: { group: group.id, state: group.state, annotation: group.annotation },
      after: { group: group.id, state, annotation },
    });
    return { ...group, state, annotation };
  });
