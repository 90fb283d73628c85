import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { type SearchedRows, sampleNewest, searchNewestRows } from '../../db/rows/newest-rows.ts';
import { type AppsReader, type BuildsTable, isReadable, query, type Sample, selectAppNames } from './builds.tables.ts';

interface BuildSearch {
  reader: AppsReader;
  terms: readonly string[];
  limit: number;
  /** Maximum number of builds to search, newest first. */
  most: number;
}

type FoundBuild = Pick<BuildsTable, 'app_id' | 'id' | 'queued_at' | 'branch' | 'commit_sha'>;

// A scalar subquery: with a join, PostgreSQL would read all messages.
const message = sql`select lower(substr(build_commits.message, 1, 200)) from build_commits
  where build_commits.app_id = builds.app_id and build_commits.sha = builds.commit_sha`;

const builds: SearchedRows = {
  table: 'builds',
  time: 'queued_at',
  columns: ['branch', 'commit_sha'],
  keys: {
    branch_key: sql<string>`lower(builds.branch)`,
    sha_key: sql<string>`lower(builds.commit_sha)`,
    message_key: sql<string>`coalesce((${message}), '')`,
  },
  idOrder: 'desc',
};

export const sampleBuilds = (db: Db, { reader, ...sampling }: Sample) =>
  query(db, (q) =>
    q
      .selectFrom(sampleNewest(builds, (column) => isReadable(column, reader), sampling).as('sampled'))
      .select('sampled.is_readable'),
  );

/** Newest first; searches branch, commit and commit message. */
export const findBuildsByTerms = (db: Db, { reader, ...search }: BuildSearch) =>
  query(db, (q) => {
    const apps = { isReadable: (column: string) => isReadable(column, reader), names: selectAppNames };
    const checksLast = reader.sees === 'nearly all';
    const page = searchNewestRows<FoundBuild>(builds, apps, { ...search, checksLast });
    return q
      .selectFrom(page.as('page'))
      .innerJoin('app_names', 'app_names.id', 'page.app_id')
      .innerJoin('owner_names', 'owner_names.id', 'app_names.owner_id')
      .select(['page.app_id', 'page.id', 'page.branch', 'page.commit_sha'])
      .select([
        'app_names.name as app_name',
        'app_names.display_name as app_display_name',
        'owner_names.name as owner_name',
      ])
      .orderBy('page.queued_at', 'desc')
      .orderBy('page.id', 'desc');
  });

/** The latest build of each of these apps. */
export const listLatestBuilds = (db: Db, appIds: readonly string[]) =>
  query(db, (q) => {
    const latest = q
      .selectFrom('builds')
      .select(({ fn }) => ['builds.app_id', fn.max('builds.id').as('id')])
      .where('builds.app_id', 'in', appIds)
      .groupBy('builds.app_id');
    return q
      .selectFrom(latest.as('latest'))
      .innerJoin('builds', (join) =>
        join.onRef('builds.app_id', '=', 'latest.app_id').onRef('builds.id', '=', 'latest.id'),
      )
      .select(['builds.app_id', 'builds.id', 'builds.branch', 'builds.status', 'builds.result', 'builds.queued_at']);
  });
