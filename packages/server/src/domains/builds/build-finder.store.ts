import { sql } from 'kysely';
import { containsAnyWord, containsWords } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import { type AppsReader, isReadable, namesOfApp, query, type Sample } from './builds.tables.ts';

interface Wanted {
  reader: AppsReader;
  words: readonly string[];
  limit: number;
  /** Only so many of the newest are looked at. */
  most: number;
}

const own = ['found.branch_key', 'found.sha_key', 'found.message_key'];
const told = ['builds.app_id', 'builds.id', 'builds.queued_at', 'builds.branch', 'builds.commit_sha'] as const;

/** Whether some of the newest are in apps that somebody may look into. */
export const sampleBuilds = (db: Db, { reader, among, every }: Sample) =>
  query(db, (q) => {
    const newest = q
      .selectFrom('builds')
      .select(['builds.app_id', 'builds.queued_at'])
      .orderBy('builds.queued_at', 'desc')
      .limit(among);
    return q
      .selectFrom(newest.as('newest'))
      .select(isReadable('newest.app_id', reader).as('is_readable'))
      .where(sql<boolean>`newest.queued_at % ${every} = 0`);
  });

/** The newest first, by branch, commit and its message; their words may also be names of the app, but not all of them. */
export const findBuildsByWords = (db: Db, { reader, words, limit, most }: Wanted) =>
  query(db, (q) => {
    const newest = q
      .selectFrom('builds')
      .select(told)
      .$if(reader.sees !== 'nearly all', (all) => all.where(isReadable('builds.app_id', reader)))
      .orderBy('builds.queued_at', 'desc')
      .limit(most);
    // A scalar: by a join, PostgreSQL reads all messages there are.
    const message = q
      .selectFrom('build_commits')
      .select(sql<string>`lower(substr(build_commits.message, 1, 200))`.as('key'))
      .whereRef('build_commits.app_id', '=', sql.ref('builds.app_id'))
      .whereRef('build_commits.sha', '=', sql.ref('builds.commit_sha'));
    const found = q
      .selectFrom(newest.as('builds'))
      .select(told)
      .select([
        sql<string>`lower(builds.branch)`.as('branch_key'),
        sql<string>`lower(builds.commit_sha)`.as('sha_key'),
        sql<string>`coalesce((${message}), '')`.as('message_key'),
        namesOfApp('builds.app_id').as('app_key'),
      ]);
    const page = q
      .selectFrom(found.as('found'))
      .select(['found.app_id', 'found.id', 'found.queued_at', 'found.branch', 'found.commit_sha'])
      .where(containsAnyWord(words, own))
      .where(containsWords(words, [...own, 'found.app_key']))
      .$if(reader.sees === 'nearly all', (some) => some.where(isReadable('found.app_id', reader)))
      .orderBy('found.queued_at', 'desc')
      .orderBy('found.id', 'desc')
      .limit(limit);
    return q
      .selectFrom(page.as('page'))
      .innerJoin('apps', 'apps.id', 'page.app_id')
      .innerJoin('owners', 'owners.id', 'apps.owner_id')
      .select(['page.app_id', 'page.id', 'page.branch', 'page.commit_sha'])
      .select(['apps.name as app_name', 'apps.display_name as app_display_name', 'owners.name as owner_name'])
      .orderBy('page.queued_at', 'desc')
      .orderBy('page.id', 'desc');
  });

/** The newest of each of these apps. */
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
