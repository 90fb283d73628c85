import { sql } from 'kysely';
import type { Db } from '../../../../db/open.ts';
import { type Kind, query } from '../../crashes.tables.ts';

/** Filter of reports. */
export interface ReportFilter {
  groupIds?: readonly string[] | undefined;
  kind?: Kind | undefined;
  from?: number | undefined;
  to?: number | undefined;
  version?: string | undefined;
  model?: string | undefined;
  os?: string | undefined;
}

interface ReportPage {
  limit: number;
  after?: { at: number; id: string } | undefined;
}

/** Groups per statement: each is a subquery. */
const GROUPS_AT_ONCE = 100;

/** Newest first. */
export async function pageReports(db: Db, appId: string, filter: ReportFilter, page: ReportPage) {
  const { groupIds, ...rest } = filter;
  if (!groupIds) return selectReportPage(db, appId, rest, page, undefined);
  const found: Awaited<ReturnType<typeof selectReportPage>> = [];
  for (let at = 0; at < groupIds.length; at += GROUPS_AT_ONCE)
    found.push(...(await selectReportPage(db, appId, rest, page, groupIds.slice(at, at + GROUPS_AT_ONCE))));
  if (groupIds.length <= GROUPS_AT_ONCE) return found;
  return found.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).slice(0, page.limit);
}

/** Reads the newest reports of each group, then merges them, so that reports of other groups are not scanned. */
const selectReportPage = (
  db: Db,
  appId: string,
  filter: Omit<ReportFilter, 'groupIds'>,
  { limit, after }: ReportPage,
  groupIds: readonly string[] | undefined,
) =>
  query(db, (q) => {
    const newest = (groupId: string | undefined) => {
      let found = q.selectFrom('crash_reports').selectAll().where('app_id', '=', appId);
      if (groupId !== undefined) found = found.where('group_id', '=', groupId);
      if (filter.kind) found = found.where('kind', '=', filter.kind);
      if (filter.from !== undefined) found = found.where('at', '>=', filter.from);
      if (filter.to !== undefined) found = found.where('at', '<', filter.to);
      if (filter.version !== undefined) found = found.where('version', '=', filter.version);
      if (filter.model !== undefined) found = found.where('model', '=', filter.model);
      if (filter.os !== undefined) found = found.where('os', '=', filter.os);
      if (after) found = found.where(sql<boolean>`(at, id) < (${after.at}, ${after.id})`);
      return found.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
    };
    const [first, ...others] = groupIds ?? [];
    if (others.length === 0) return newest(first);
    const part = (groupId: string | undefined) => q.selectFrom(newest(groupId).as('newest')).selectAll();
    const parts = others.reduce((all, groupId) => all.unionAll(part(groupId)), part(first));
    return q.selectFrom(parts.as('found')).selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
  });
