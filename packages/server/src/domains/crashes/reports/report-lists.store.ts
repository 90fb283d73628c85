import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { type Kind, query } from '../crashes.tables.ts';

/** What reports are looked for by. */
export interface ReportFilter {
  groupIds?: readonly string[] | undefined;
  kind?: Kind | undefined;
  from?: number | undefined;
  to?: number | undefined;
  version?: string | undefined;
  model?: string | undefined;
  os?: string | undefined;
}

/** The newest first. */
export const pageReports = (
  db: Db,
  appId: string,
  filter: ReportFilter,
  { limit, after }: { limit: number; after?: { at: number; id: string } | undefined },
) =>
  query(db, (q) => {
    let found = q.selectFrom('crash_reports').selectAll().where('app_id', '=', appId);
    if (filter.groupIds) found = found.where('group_id', 'in', filter.groupIds);
    if (filter.kind) found = found.where('kind', '=', filter.kind);
    if (filter.from !== undefined) found = found.where('at', '>=', filter.from);
    if (filter.to !== undefined) found = found.where('at', '<', filter.to);
    if (filter.version !== undefined) found = found.where('version', '=', filter.version);
    if (filter.model !== undefined) found = found.where('model', '=', filter.model);
    if (filter.os !== undefined) found = found.where('os', '=', filter.os);
    if (after) found = found.where(sql<boolean>`(at, id) < (${after.at}, ${after.id})`);
    return found.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
  });
