import { sql } from 'kysely';
import { containsAnyWord, containsWords } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import { type AppsReader, isReadable, query } from './releases.tables.ts';

interface Wanted {
  reader: AppsReader;
  words: readonly string[];
  limit: number;
  /** Only so many of the newest are looked at. */
  most: number;
}

const own = ['found.version_key', 'found.short_key'];

/** Whether the newest are in apps that somebody may look into. */
export const sampleReleases = (db: Db, reader: AppsReader, count: number) =>
  query(db, (q) =>
    q
      .selectFrom('releases')
      .select(isReadable('releases.app_id', reader).as('is_readable'))
      .orderBy('releases.uploaded_at', 'desc')
      .limit(count),
  );

/** The newest first; their words may also be names of the app, but not all of them. */
export const findReleasesByWords = (db: Db, { reader, words, limit, most }: Wanted) =>
  query(db, (q) => {
    const found = q
      .selectFrom('releases')
      .select(['releases.app_id', 'releases.id', 'releases.uploaded_at', 'releases.version', 'releases.short_version'])
      .select([
        sql<string>`lower(releases.version)`.as('version_key'),
        sql<string>`lower(releases.short_version)`.as('short_key'),
      ])
      .where(isReadable('releases.app_id', reader))
      .orderBy('releases.uploaded_at', 'desc')
      .limit(most);
    return q
      .selectFrom(found.as('found'))
      .innerJoin('apps', 'apps.id', 'found.app_id')
      .innerJoin('owners', 'owners.id', 'apps.owner_id')
      .select(['found.app_id', 'found.id', 'found.version', 'found.short_version'])
      .select(['apps.name as app_name', 'apps.display_name as app_display_name', 'owners.name as owner_name'])
      .where(containsAnyWord(words, own))
      .where(containsWords(words, [...own, 'apps.display_name_key', 'apps.name_key']))
      .orderBy('found.uploaded_at', 'desc')
      .orderBy('found.id', 'desc')
      .limit(limit);
  });

/** The newest of each of these apps. */
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
