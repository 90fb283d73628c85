import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { containsTerms } from '../../../db/rows/listing.ts';
import { type Kind, query, type State } from '../crashes.tables.ts';

/** Filter of groups. */
export interface GroupFilter {
  kind?: Kind | undefined;
  states?: readonly State[] | undefined;
  version?: string | undefined;
  build?: string | undefined;
  lastFrom?: number | undefined;
  lastTo?: number | undefined;
  terms?: readonly string[] | undefined;
}

export type GroupSort =
  | 'last_at'
  | 'first_at'
  | 'count'
  | 'number'
  | 'device_count'
  | 'class_name'
  | 'message'
  | 'method';

export interface GroupPage {
  sort: GroupSort;
  order: 'asc' | 'desc';
  limit: number;
  skip?: number | undefined;
  after?: { key: string | number; id: string } | undefined;
}

export const pageGroups = (
  db: Db,
  appId: string,
  filter: GroupFilter,
  { sort, order, limit, skip = 0, after }: GroupPage,
) =>
  query(db, (q) => {
    let found = q.selectFrom('crash_groups').selectAll().where('app_id', '=', appId);
    if (filter.kind) found = found.where('kind', '=', filter.kind);
    if (filter.states) found = found.where('state', 'in', filter.states);
    if (filter.version !== undefined) found = found.where('version', '=', filter.version);
    if (filter.build !== undefined) found = found.where('build', '=', filter.build);
    if (filter.lastFrom !== undefined) found = found.where('last_at', '>=', filter.lastFrom);
    if (filter.lastTo !== undefined) found = found.where('last_at', '<', filter.lastTo);
    if (filter.terms?.length) found = found.where(containsTerms(filter.terms, ['search_key']));
    const beyond = sql.raw(order === 'asc' ? '>' : '<');
    if (after) found = found.where(sql<boolean>`(${sql.ref(sort)}, id) ${beyond} (${after.key}, ${after.id})`);
    return found.orderBy(sort, order).orderBy('id', order).limit(limit).offset(skip);
  });

/** Groups with reports in a range of days, with their counts. */
export const pageGroupsInRange = (
  db: Db,
  appId: string,
  days: { from: number; to: number },
  filter: GroupFilter,
  {
    sort,
    order,
    limit,
    after,
  }: { sort: GroupSort; order: 'asc' | 'desc'; limit: number; after: { key: number; id: string } | undefined },
) =>
  query(db, (q) => {
    const counted = q
      .selectFrom('crash_days')
      .select(['group_id', sql<number>`cast(sum(count) as bigint)`.as('seen')])
      .where('app_id', '=', appId)
      .where('day', '>=', days.from)
      .where('day', '<=', days.to)
      .groupBy('group_id')
      .as('days');
    const key = sort === 'count' ? sql.ref<number>('days.seen') : sql.ref<number>(`crash_groups.${sort}`);
    const beyond = sql.raw(order === 'asc' ? '>' : '<');
    let found = q
      .selectFrom('crash_groups')
      .innerJoin(counted, 'days.group_id', 'crash_groups.id')
      .selectAll('crash_groups')
      .select(['days.seen', sql<number>`${key}`.as('sort_key')])
      .where('crash_groups.app_id', '=', appId);
    if (filter.kind) found = found.where('crash_groups.kind', '=', filter.kind);
    if (filter.states) found = found.where('crash_groups.state', 'in', filter.states);
    if (filter.version !== undefined) found = found.where('crash_groups.version', '=', filter.version);
    if (filter.build !== undefined) found = found.where('crash_groups.build', '=', filter.build);
    if (after) found = found.where(sql<boolean>`(${key}, crash_groups.id) ${beyond} (${after.key}, ${after.id})`);
    return found.orderBy(key, order).orderBy('crash_groups.id', order).limit(limit);
  });

/** Distinct devices of groups in a range of days. */
export const countGroupDevicesInRange = (
  db: Db,
  appId: string,
  groupIds: readonly string[],
  days: { from: number; to: number },
) =>
  query(db, (q) =>
    q
      .selectFrom('crash_group_devices')
      .select(['group_id', sql<number>`count(distinct install_id)`.as('devices')])
      .where('app_id', '=', appId)
      .where('group_id', 'in', groupIds)
      .where('day', '>=', days.from)
      .where('day', '<=', days.to)
      .groupBy('group_id'),
  );
