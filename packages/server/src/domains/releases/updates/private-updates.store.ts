import type { Kysely } from 'kysely';
import { insertInto, selectMemberGroups, statement, type Tables } from '../releases.tables.ts';

/** The latest release that was distributed to a user directly. */
export const findLatestForTester = statement((q, p: { appId: string; userId: string }) =>
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

/** Groups through which a user has a build, even if it has been disabled. */
export const listGroupsWithBuild = statement((q, p: { appId: string; hash: string; userId: string }) =>
  withHash(q, p)
    .innerJoin('release_groups', (join) =>
      join
        .onRef('release_groups.app_id', '=', 'releases.app_id')
        .onRef('release_groups.release_id', '=', 'releases.id'),
    )
    .innerJoin('group_apps', (join) =>
      join
        .onRef('group_apps.group_id', '=', 'release_groups.group_id')
        .onRef('group_apps.app_id', '=', 'release_groups.app_id'),
    )
    .select(['release_groups.group_id as id', 'releases.bundle_identifier'])
    .where('release_groups.group_id', 'in', selectMemberGroups(q, p))
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

/** Checks whether any package of the app has this identifier. */
export const findBundle = statement((q, p: { appId: string; bundle: string }) =>
  q
    .selectFrom('releases')
    .select('id')
    .where('app_id', '=', p.appId)
    .where('bundle_identifier', '=', p.bundle)
    .limit(1),
);

export const insertUpdateToken = insertInto('update_tokens');

/** Finds an update token whose user can sign in. */
export const findUpdateToken = statement((q, p: { hash: string; appId: string }) =>
  q
    .selectFrom('update_tokens')
    .innerJoin('people', 'people.id', 'update_tokens.user_id')
    .select(['people.id', 'people.email'])
    .where('update_tokens.hash', '=', p.hash)
    .where('update_tokens.app_id', '=', p.appId)
    .where('people.is_disabled', '=', 0),
);

const selectTokens = (q: Kysely<Tables>, p: { userId: string }) =>
  q
    .selectFrom('update_tokens')
    .innerJoin('app_names', 'app_names.id', 'update_tokens.app_id')
    .innerJoin('owner_names', 'owner_names.id', 'app_names.owner_id')
    .select([
      'update_tokens.id',
      'update_tokens.platform',
      'update_tokens.created_at',
      'app_names.id as app_id',
      'app_names.name',
      'app_names.display_name',
      'owner_names.name as owner_name',
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

/** Deletes all but the newest tokens of a tester for an app. */
export const deleteOldUpdateTokens = statement((q, p: { userId: string; appId: string; maxTokens: number }) =>
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
        .limit(p.maxTokens),
    ),
);
