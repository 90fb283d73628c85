import { sql } from 'kysely';
import { containsAnyWord, containsWords } from '../../../db/listing.ts';
import type { Db } from '../../../db/open.ts';
import { type AppsReader, isReadable, namesOfApp, query, type Sample } from '../crashes.tables.ts';

interface Wanted {
  reader: AppsReader;
  words: readonly string[];
  limit: number;
  /** Only so many of those that were seen last are looked at. */
  most: number;
}

const told = [
  'crash_issues.app_id',
  'crash_issues.id',
  'crash_issues.last_at',
  'crash_issues.group_id',
  'crash_issues.number',
] as const;

/** Whether some of the newest are in apps that somebody may look into. */
export const sampleIssues = (db: Db, { reader, among, every }: Sample) =>
  query(db, (q) => {
    const newest = q
      .selectFrom('crash_issues')
      .select(['crash_issues.app_id', 'crash_issues.last_at'])
      .orderBy('crash_issues.last_at', 'desc')
      .limit(among);
    return q
      .selectFrom(newest.as('newest'))
      .select(isReadable('newest.app_id', reader).as('is_readable'))
      .where(sql<boolean>`newest.last_at % ${every} = 0`);
  });

/** Those that were seen last first; their words may also be names of the app, but not all of them. */
export const findIssuesByWords = (db: Db, { reader, words, limit, most }: Wanted) =>
  query(db, (q) => {
    const latest = q
      .selectFrom('crash_issues')
      .select(told)
      .$if(reader.sees !== 'nearly all', (all) => all.where(isReadable('crash_issues.app_id', reader)))
      .orderBy('crash_issues.last_at', 'desc')
      .limit(most);
    // A scalar: by a join, PostgreSQL reads all groups there are.
    const groupWords = q
      .selectFrom('crash_groups')
      .select('crash_groups.search_key')
      .whereRef('crash_groups.app_id', '=', sql.ref('crash_issues.app_id'))
      .whereRef('crash_groups.id', '=', sql.ref('crash_issues.group_id'));
    const found = q
      .selectFrom(latest.as('crash_issues'))
      .select(told)
      .select([sql<string>`(${groupWords})`.as('search_key'), namesOfApp('crash_issues.app_id').as('app_key')]);
    const page = q
      .selectFrom(found.as('found'))
      .select(['found.app_id', 'found.id', 'found.last_at', 'found.group_id', 'found.number'])
      .where(containsAnyWord(words, ['found.search_key']))
      .where(containsWords(words, ['found.search_key', 'found.app_key']))
      .$if(reader.sees === 'nearly all', (some) => some.where(isReadable('found.app_id', reader)))
      .orderBy('found.last_at', 'desc')
      .orderBy('found.id')
      .limit(limit);
    return q
      .selectFrom(page.as('page'))
      .innerJoin('crash_groups', (join) =>
        join.onRef('crash_groups.app_id', '=', 'page.app_id').onRef('crash_groups.id', '=', 'page.group_id'),
      )
      .innerJoin('apps', 'apps.id', 'page.app_id')
      .innerJoin('owners', 'owners.id', 'apps.owner_id')
      .select(['page.id', 'page.number', 'crash_groups.exception_type', 'crash_groups.message'])
      .select(['crash_groups.class_name', 'crash_groups.method'])
      .select(['apps.name as app_name', 'apps.display_name as app_display_name', 'owners.name as owner_name'])
      .orderBy('page.last_at', 'desc')
      .orderBy('page.id');
  });

/** How many crash each of these apps, are open, and were seen since a time. */
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
