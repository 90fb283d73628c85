import type { Kysely } from 'kysely';
import { insertInto, isInGroup, statement, type Tables } from '../releases.tables.ts';

/** The latest that somebody has by themselves. */
export const findLatestOfTester = statement((q, p: { appId: string; userId: string }) =>
  q
    .selectFrom('release_testers')
    .innerJoin('releases', (join) =>
      join
        .onRef('releases.app_id', '=', 'release_testers.app_id')
        .onRef('releases.id', '=', 'release_testers.release_id'),
    )
    .selectAll('releases')
    .select(['release_testers.is_mandatory', (eb) => eb.lit(0).as('downloads')])
    .where('release_testers.app_id', '=', p.appId)
    .where('release_testers.user_id', '=', p.userId)
    .where('releases.is_enabled', '=', 1)
    .where('releases.kind', '!=', 'aab')
    .orderBy('releases.id', 'desc')
    .limit(1),
);

const withHash = (q: Kysely<Tables>, p: { appId: string; hash: string }) =>
  q
    .selectFrom('release_hashes')
    .innerJoin('releases', (join) =>
      join
        .onRef('releases.app_id', '=', 'release_hashes.app_id')
        .onRef('releases.id', '=', 'release_hashes.release_id'),
    )
    .where('release_hashes.app_id', '=', p.appId)
    .where('release_hashes.hash', '=', p.hash);

/** By which groups somebody was given a build, also one that was disabled since. */
export const listGroupsWithBuild = statement((q, p: { appId: string; hash: string; userId: string }) =>
  withHash(q, p)
    .innerJoin('release_groups', (join) =>
      join
        .onRef('release_groups.app_id', '=', 'releases.app_id')
        .onRef('release_groups.release_id', '=', 'releases.id'),
    )
    .innerJoin('distribution_group_apps', (join) =>
      join
        .onRef('distribution_group_apps.group_id', '=', 'release_groups.group_id')
        .onRef('distribution_group_apps.app_id', '=', 'release_groups.app_id'),
    )
    .select(['release_groups.group_id as id', 'releases.bundle_identifier'])
    .where((eb) => isInGroup(eb, p))
    .orderBy('releases.id', 'desc')
    .orderBy('release_groups.group_id'),
);

export const findOwnBuild = statement((q, p: { appId: string; hash: string; userId: string }) =>
  withHash(q, p)
    .innerJoin('release_testers', (join) =>
      join
        .onRef('release_testers.app_id', '=', 'releases.app_id')
        .onRef('release_testers.release_id', '=', 'releases.id'),
    )
    .select(['release_testers.user_id as id', 'releases.bundle_identifier'])
    .where('release_testers.user_id', '=', p.userId)
    .limit(1),
);

/** Whether any package of an app calls itself so. */
export const findBundle = statement((q, p: { appId: string; bundle: string }) =>
  q
    .selectFrom('releases')
    .select('id')
    .where('app_id', '=', p.appId)
    .where('bundle_identifier', '=', p.bundle)
    .limit(1),
);

export const insertUpdateToken = insertInto('update_tokens');

/** Of somebody who can sign in. */
export const findUpdateToken = statement((q, p: { hash: string; appId: string }) =>
  q
    .selectFrom('update_tokens')
    .innerJoin('users', 'users.id', 'update_tokens.user_id')
    .select(['users.id', 'users.email'])
    .where('update_tokens.hash', '=', p.hash)
    .where('update_tokens.app_id', '=', p.appId)
    .where('users.is_disabled', '=', 0),
);

const selectTokens = (q: Kysely<Tables>, p: { userId: string }) =>
  q
    .selectFrom('update_tokens')
    .innerJoin('apps', 'apps.id', 'update_tokens.app_id')
    .innerJoin('owners', 'owners.id', 'apps.owner_id')
    .select([
      'update_tokens.id',
      'update_tokens.platform',
      'update_tokens.created_at',
      'apps.id as app_id',
      'apps.name',
      'apps.display_name',
      'owners.name as owner_name',
    ])
    .where('update_tokens.user_id', '=', p.userId);

export const listUpdateTokens = statement((q, p: { userId: string }) =>
  selectTokens(q, p).orderBy('update_tokens.created_at', 'desc').orderBy('update_tokens.id', 'desc'),
);

export const findUpdateTokenById = statement((q, p: { userId: string; id: string }) =>
  selectTokens(q, p).where('update_tokens.id', '=', p.id),
);

export const deleteUpdateToken = statement((q, p: { userId: string; id: string }) =>
  q.deleteFrom('update_tokens').where('user_id', '=', p.userId).where('id', '=', p.id),
);

/** All but the newest of one tester and app. */
export const deleteOldUpdateTokens = statement((q, p: { userId: string; appId: string; kept: number }) =>
  q
    .deleteFrom('update_tokens')
    .where('user_id', '=', p.userId)
    .where('app_id', '=', p.appId)
    .where(
      'id',
      'not in',
      q
        .selectFrom('update_tokens as kept')
        .select('kept.id')
        .where('kept.user_id', '=', p.userId)
        .where('kept.app_id', '=', p.appId)
        .orderBy('kept.created_at', 'desc')
        .orderBy('kept.id', 'desc')
        .limit(p.kept),
    ),
);
