import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { type SearchedRows, sampleNewest, searchNewestRows } from '../../../db/rows/newest-rows.ts';
import {
  type AppsReader,
  isReadable,
  query,
  type Sample,
  selectAppNames,
  statement,
  type Tables,
} from '../crashes.tables.ts';

interface IssueSearch {
  reader: AppsReader;
  terms: readonly string[];
  limit: number;
  /** Maximum number of issues to search, most recent first. */
  most: number;
}

type FoundIssue = Pick<Tables['crash_issues'], 'app_id' | 'id' | 'last_at' | 'group_id' | 'number'>;

// A scalar subquery: with a join, PostgreSQL would read all groups.
const groupSearchKey = sql<string>`(select crash_groups.search_key from crash_groups
  where crash_groups.app_id = crash_issues.app_id and crash_groups.id = crash_issues.group_id)`;

const issues: SearchedRows = {
  table: 'crash_issues',
  time: 'last_at',
  columns: ['group_id', 'number'],
  keys: { search_key: groupSearchKey },
  idOrder: 'asc',
};

export const sampleIssues = (db: Db, { reader, ...sampling }: Sample) =>
  query(db, (q) =>
    q
      .selectFrom(sampleNewest(issues, (column) => isReadable(column, reader), sampling).as('sampled'))
      .select('sampled.is_readable'),
  );

/** Most recently seen first. */
export const findIssuesByTerms = (db: Db, { reader, ...search }: IssueSearch) =>
  query(db, (q) => {
    const apps = { isReadable: (column: string) => isReadable(column, reader), names: selectAppNames };
    const checksLast = reader.sees === 'nearly all';
    const page = searchNewestRows<FoundIssue>(issues, apps, { ...search, checksLast });
    return q
      .selectFrom(page.as('page'))
      .innerJoin('crash_groups', (join) =>
        join.onRef('crash_groups.app_id', '=', 'page.app_id').onRef('crash_groups.id', '=', 'page.group_id'),
      )
      .innerJoin('app_names', 'app_names.id', 'page.app_id')
      .innerJoin('owner_names', 'owner_names.id', 'app_names.owner_id')
      .select(['page.id', 'page.number', 'crash_groups.exception_type', 'crash_groups.message'])
      .select(['crash_groups.class_name', 'crash_groups.method'])
      .select([
        'app_names.name as app_name',
        'app_names.display_name as app_display_name',
        'owner_names.name as owner_name',
      ])
      .orderBy('page.last_at', 'desc')
      .orderBy('page.id');
  });

/** Open crashes of each app that were seen since a time. */
export const countOpenCrashes = (db: Db, appIds: readonly string[], since: number) =>
  query(db, (q) =>
    q
      .selectFrom('crash_issues')
      .select(({ fn }) => ['crash_issues.app_id', fn.countAll<number>().as('count')])
      .where('crash_issues.app_id', 'in', appIds)
      .where('crash_issues.last_at', '>=', since)
      .where('crash_issues.kind', '=', 'crash')
      .where('crash_issues.state', '=', 'open')
      .groupBy('crash_issues.app_id'),
  );

/** The latest open crashes of an app that were seen since a time. */
export const listOpenCrashes = statement((q, p: { appId: string; since: number; limit: number }) =>
  q
    .selectFrom('crash_issues')
    .innerJoin('crash_groups', (join) =>
      join
        .onRef('crash_groups.app_id', '=', 'crash_issues.app_id')
        .onRef('crash_groups.id', '=', 'crash_issues.group_id'),
    )
    .select(['crash_issues.id', 'crash_issues.first_at', 'crash_issues.last_at', 'crash_issues.regressed_at'])
    .select(['crash_groups.exception_type', 'crash_groups.class_name', 'crash_groups.method'])
    .where('crash_issues.app_id', '=', p.appId)
    .where('crash_issues.last_at', '>=', p.since)
    .where('crash_issues.kind', '=', 'crash')
    .where('crash_issues.state', '=', 'open')
    .orderBy('crash_issues.last_at', 'desc')
    .orderBy('crash_issues.id')
    .limit(p.limit),
);
