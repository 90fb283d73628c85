import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { type SearchedRows, sampleNewest, searchNewestRows } from '../../db/rows/newest-rows.ts';
import { type AppsReader, isReadable, query, type Sample, selectAppNames, type Tables } from './releases.tables.ts';

interface ReleaseSearch {
  reader: AppsReader;
  terms: readonly string[];
  limit: number;
  /** Maximum number of releases, newest first, that are searched. */
  most: number;
}

type FoundRelease = Pick<Tables['releases'], 'app_id' | 'id' | 'uploaded_at' | 'version' | 'short_version'>;

const releases: SearchedRows = {
  table: 'releases',
  time: 'uploaded_at',
  columns: ['version', 'short_version'],
  keys: {
    version_key: sql<string>`lower(releases.version)`,
    short_key: sql<string>`lower(releases.short_version)`,
  },
  idOrder: 'desc',
};

export const sampleReleases = (db: Db, { reader, ...sampling }: Sample) =>
  query(db, (q) =>
    q
      .selectFrom(sampleNewest(releases, (column) => isReadable(column, reader), sampling).as('sampled'))
      .select('sampled.is_readable'),
  );

/** Sorts the newest first; compares versions. */
export const findReleasesByTerms = (db: Db, { reader, ...search }: ReleaseSearch) =>
  query(db, (q) => {
    const apps = { isReadable: (column: string) => isReadable(column, reader), names: selectAppNames };
    const checksLast = reader.sees === 'nearly all';
    const page = searchNewestRows<FoundRelease>(releases, apps, { ...search, checksLast });
    return q
      .selectFrom(page.as('page'))
      .innerJoin('app_names', 'app_names.id', 'page.app_id')
      .innerJoin('owner_names', 'owner_names.id', 'app_names.owner_id')
      .select(['page.app_id', 'page.id', 'page.version', 'page.short_version'])
      .select([
        'app_names.name as app_name',
        'app_names.display_name as app_display_name',
        'owner_names.name as owner_name',
      ])
      .orderBy('page.uploaded_at', 'desc')
      .orderBy('page.id', 'desc');
  });

/** The newest release of each of these apps. */
export const listLatestReleases = (db: Db, appIds: readonly string[]) =>
  query(db, (q) => {
    const latest = q
      .selectFrom('releases')
      .select(({ fn }) => ['releases.app_id', fn.max('releases.id').as('id')])
      .where('releases.app_id', 'in', appIds)
      .groupBy('releases.app_id');
    return q
      .selectFrom(latest.as('latest'))
      .innerJoin('releases', (join) =>
        join.onRef('releases.app_id', '=', 'latest.app_id').onRef('releases.id', '=', 'latest.id'),
      )
      .select(['releases.app_id', 'releases.id', 'releases.version', 'releases.short_version', 'releases.uploaded_at']);
  });
