import { sql } from 'kysely';
import { containsAnyWord, containsWords } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import { type AppsReader, isReadable, namesOfApp, query, type Sample } from './releases.tables.ts';

interface Wanted {
  reader: AppsReader;
  words: readonly string[];
  limit: number;
  /** Only so many of the newest are looked at. */
  most: number;
}

const own = ['found.version_key', 'found.short_key'];
const told = [
  'releases.app_id',
  'releases.id',
  'releases.uploaded_at',
  'releases.version',
  'releases.short_version',
] as const;

/** Whether some of the newest are in apps that somebody may look into. */
export const sampleReleases = (db: Db, { reader, among, every }: Sample) =>
  query(db, (q) => {
    const newest = q
      .selectFrom('releases')
      .select(['releases.app_id', 'releases.uploaded_at'])
      .orderBy('releases.uploaded_at', 'desc')
      .limit(among);
    return q
      .selectFrom(newest.as('newest'))
      .select(isReadable('newest.app_id', reader).as('is_readable'))
      .where(sql<boolean>`newest.uploaded_at % ${every} = 0`);
  });

/** The newest first; their words may also be names of the app, but not all of them. */
export const findReleasesByWords = (db: Db, { reader, words, limit, most }: Wanted) =>
  query(db, (q) => {
    const newest = q
      .selectFrom('releases')
      .select(told)
      .$if(reader.sees !== 'nearly all', (all) => all.where(isReadable('releases.app_id', reader)))
      .orderBy('releases.uploaded_at', 'desc')
      .limit(most);
    const found = q
      .selectFrom(newest.as('releases'))
      .select(told)
      .select([
        sql<string>`lower(releases.version)`.as('version_key'),
        sql<string>`lower(releases.short_version)`.as('short_key'),
        namesOfApp('releases.app_id').as('app_key'),
      ]);
    const page = q
      .selectFrom(found.as('found'))
      .selectAll('found')
      .where(containsAnyWord(words, own))
      .where(containsWords(words, [...own, 'found.app_key']))
      .$if(reader.sees === 'nearly all', (some) => some.where(isReadable('found.app_id', reader)))
      .orderBy('found.uploaded_at', 'desc')
      .orderBy('found.id', 'desc')
      .limit(limit);
    return q
      .selectFrom(page.as('page'))
      .innerJoin('apps', 'apps.id', 'page.app_id')
      .innerJoin('owners', 'owners.id', 'apps.owner_id')
      .select(['page.app_id', 'page.id', 'page.version', 'page.short_version'])
      .select(['apps.name as app_name', 'apps.display_name as app_display_name', 'owners.name as owner_name'])
      .orderBy('page.uploaded_at', 'desc')
      .orderBy('page.id', 'desc');
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
