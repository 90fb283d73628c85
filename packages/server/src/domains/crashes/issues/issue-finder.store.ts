import { containsAnyWord, containsWords } from '../../../db/listing.ts';
import type { Db } from '../../../db/open.ts';
import { type AppsReader, isReadable, query } from '../crashes.tables.ts';

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

/** Whether the newest are in apps that somebody may look into. */
export const sampleIssues = (db: Db, reader: AppsReader, count: number) =>
  query(db, (q) =>
    q
      .selectFrom('crash_issues')
      .select(isReadable('crash_issues.app_id', reader).as('is_readable'))
      .orderBy('crash_issues.last_at', 'desc')
      .limit(count),
  );

/** Those that were seen last first; their words may also be names of the app, but not all of them. */
export const findIssuesByWords = (db: Db, { reader, words, limit, most }: Wanted) =>
  query(db, (q) => {
    const latest = q
      .selectFrom('crash_issues')
      .where(isReadable('crash_issues.app_id', reader))
      .orderBy('crash_issues.last_at', 'desc')
      .limit(most);
    // Of few apps all issues are put in order, by an index that has nothing else.
    const issues = reader.seesMuch
      ? latest.select(told)
      : q
          .selectFrom(latest.select(['crash_issues.app_id', 'crash_issues.id']).as('latest'))
          .innerJoin('crash_issues', (join) =>
            join.onRef('crash_issues.app_id', '=', 'latest.app_id').onRef('crash_issues.id', '=', 'latest.id'),
          )
          .select(told);
    return q
      .selectFrom(issues.as('crash_issues'))
      .innerJoin('crash_groups', (join) =>
        join
          .onRef('crash_groups.app_id', '=', 'crash_issues.app_id')
          .onRef('crash_groups.id', '=', 'crash_issues.group_id'),
      )
      .innerJoin('apps', 'apps.id', 'crash_issues.app_id')
      .innerJoin('owners', 'owners.id', 'apps.owner_id')
      .select(['crash_issues.id', 'crash_issues.number', 'crash_groups.exception_type', 'crash_groups.message'])
      .select(['crash_groups.class_name', 'crash_groups.method'])
      .select(['apps.name as app_name', 'apps.display_name as app_display_name', 'owners.name as owner_name'])
      .where(containsAnyWord(words, ['crash_groups.search_key']))
      .where(containsWords(words, ['crash_groups.search_key', 'apps.display_name_key', 'apps.name_key']))
      .orderBy('crash_issues.last_at', 'desc')
      .orderBy('crash_issues.id')
      .limit(limit);
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
