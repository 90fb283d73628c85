import { type Expression, sql } from 'kysely';
import type { Db } from '../../../../db/open.ts';
import { containsTerms } from '../../../../db/rows/listing.ts';
import { query } from '../../crashes.tables.ts';

type Condition = Expression<boolean>;

/** Number of newest matches that are sorted in an order other than time. */
const MAX_SORTED = 10_000;

/** Columns for sorting. */
export const searchSorts = {
  timestamp: 'found.at',
  errorGroupId: 'found.group_id',
  exceptionClassName: 'found.class_name',
  exceptionFile: 'found.file',
  exceptionLine: 'found.line',
  exceptionMessage: 'found.message',
  exceptionMethod: 'found.method',
  deviceName: 'found.model',
  osVersion: 'found.os_version',
  userId: 'found.user_id',
} as const;
export type SearchSort = keyof typeof searchSorts;

/** Finds reports by their ID, user ID or install ID. */
export const findByIds = (db: Db, appId: string, id: string) =>
  query(db, (q) => {
    const of = (column: 'id' | 'sent_id' | 'user_id' | 'install_id', value: string) =>
      q.selectFrom('crash_reports').select('id').where('app_id', '=', appId).where(column, '=', value).limit(1000);
    const lower = id.toLowerCase();
    const [byId, bySent, byUser, byInstall] = [
      of('id', lower),
      of('sent_id', lower),
      of('user_id', id),
      of('install_id', lower),
    ];
    return q
      .selectFrom(byId.as('a'))
      .select('a.id')
      .union(q.selectFrom(bySent.as('b')).select('b.id'))
      .union(q.selectFrom(byUser.as('c')).select('c.id'))
      .union(q.selectFrom(byInstall.as('d')).select('d.id'));
  });

export const MAX_GROUPS = 1000;

/** Groups that match a condition, with their number of reports. */
export const findGroupsThat = (db: Db, appId: string, condition: Condition) =>
  query(db, (q) =>
    q
      .selectFrom('crash_groups')
      .select(['id', 'count'])
      .where('app_id', '=', appId)
      .where(condition)
      .orderBy('last_at', 'desc')
      .limit(MAX_GROUPS),
  );

export const matchesTerms = (terms: readonly string[]): Condition => containsTerms(terms, ['crash_groups.search_key']);

/** Counts reports with a property, up to a limit. */
export async function countWithProperty(
  db: Db,
  appId: string,
  { name, value }: { name: string; value: string },
  most: number,
): Promise<number> {
  const [row] = await query(db, (q) =>
    q
      .selectFrom(
        q
          .selectFrom('crash_properties')
          .select('report_id')
          .where('app_id', '=', appId)
          .where('name', '=', name)
          .where('value', '=', value)
          .limit(most)
          .as('some'),
      )
      .select(sql<number>`count(*)`.as('count')),
  );
  return Number(row?.count ?? 0);
}

export interface Search {
  where: readonly Condition[];
  /** If few reports match, an index finds them; otherwise reports are read by time until enough match. */
  isFew: boolean;
  sort: SearchSort;
  order: 'asc' | 'desc';
  limit: number;
  skip: number;
}

/** With few matches, an expression prevents the database from scanning all reports in order of time. */
const selectTime = (isFew: boolean) =>
  isFew ? sql<number>`crash_reports.at + 0` : sql.ref<number>('crash_reports.at');

/** Reports that match all conditions, including those on groups. */
export const searchReports = (db: Db, appId: string, { where, isFew, sort, order, limit, skip }: Search) =>
  query(db, (q) => {
    const isByTime = sort === 'timestamp';
    let found = q
      .selectFrom('crash_reports')
      .leftJoin('crash_groups', (join) =>
        join
          .onRef('crash_groups.app_id', '=', 'crash_reports.app_id')
          .onRef('crash_groups.id', '=', 'crash_reports.group_id'),
      )
      .selectAll('crash_reports')
      .select([
        'crash_groups.issue_id',
        'crash_groups.exception_type',
        'crash_groups.class_name',
        'crash_groups.method',
        'crash_groups.file',
        'crash_groups.line',
        'crash_groups.message',
      ])
      .where('crash_reports.app_id', '=', appId);
    for (const condition of where) found = found.where(condition);
    const newest = found
      .orderBy(selectTime(isFew), isByTime ? order : 'desc')
      .orderBy('crash_reports.id', isByTime ? order : 'desc')
      .limit(isByTime ? limit + skip : MAX_SORTED);
    return q
      .selectFrom(newest.as('found'))
      .selectAll('found')
      .orderBy(sql.ref(searchSorts[sort]), order)
      .orderBy('found.id', order)
      .limit(limit)
      .offset(skip);
  });

/** Number of newest matching reports by group. */
export const countMatching = (db: Db, appId: string, { where, isFew }: Pick<Search, 'where' | 'isFew'>) =>
  query(db, (q) => {
    let found = q
      .selectFrom('crash_reports')
      .innerJoin('crash_groups', (join) =>
        join
          .onRef('crash_groups.app_id', '=', 'crash_reports.app_id')
          .onRef('crash_groups.id', '=', 'crash_reports.group_id'),
      )
      .select('crash_reports.group_id')
      .where('crash_reports.app_id', '=', appId);
    for (const condition of where) found = found.where(condition);
    return q
      .selectFrom(
        found
          .orderBy(selectTime(isFew), 'desc')
          .limit(10 * MAX_SORTED)
          .as('found'),
      )
      .select(['found.group_id', sql<number>`count(*)`.as('matching')])
      .groupBy('found.group_id');
  });
