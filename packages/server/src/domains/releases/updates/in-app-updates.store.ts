import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { isInGroup, statement, type Tables } from '../releases.tables.ts';

/** Enabled releases that groups of an app have, the newest first. */
const selectGiven = (q: Kysely<Tables>, p: { appId: string }) =>
  q
    .selectFrom('release_groups')
    .innerJoin('distribution_groups', 'distribution_groups.id', 'release_groups.group_id')
    .innerJoin('distribution_group_apps', (join) =>
      join
        .onRef('distribution_group_apps.group_id', '=', 'release_groups.group_id')
        .onRef('distribution_group_apps.app_id', '=', 'release_groups.app_id'),
    )
    .innerJoin('releases', (join) =>
      join
        .onRef('releases.app_id', '=', 'release_groups.app_id')
        .onRef('releases.id', '=', 'release_groups.release_id'),
    )
    .where('release_groups.app_id', '=', p.appId)
    .where('releases.is_enabled', '=', 1)
    // Only the store makes of it what a phone installs: an app would fetch it again and again.
    .where('releases.kind', '!=', 'aab');

const latestGiven = (q: Kysely<Tables>, p: { appId: string }) =>
  selectGiven(q, p)
    .selectAll('releases')
    .select([
      'release_groups.group_id',
      'release_groups.is_mandatory',
      'distribution_groups.name',
      'distribution_groups.display_name',
      'distribution_groups.is_public',
      // How often it was downloaded is not told to devices: their answers would change with each download.
      sql<number>`0`.as('downloads'),
    ])
    .orderBy('releases.id', 'desc')
    .orderBy('distribution_groups.name_key')
    .limit(1);

export const findLatestPublic = statement((q, p: { appId: string }) =>
  latestGiven(q, p).where('distribution_groups.is_public', '=', 1),
);

export const findLatestOfPublicGroup = statement((q, p: { appId: string; groupId: string }) =>
  latestGiven(q, p).where('distribution_groups.is_public', '=', 1).where('release_groups.group_id', '=', p.groupId),
);

/** The latest that somebody has by their groups. */
export const findLatestOfMember = statement((q, p: { appId: string; userId: string }) =>
  latestGiven(q, p).where((eb) => isInGroup(eb, p)),
);

/** Public groups that were given a build, also one that was disabled since. */
export const listPublicGroupsWithHash = statement((q, p: { appId: string; hash: string }) =>
  q
    .selectFrom('release_hashes')
    .innerJoin('release_groups', (join) =>
      join
        .onRef('release_groups.app_id', '=', 'release_hashes.app_id')
        .onRef('release_groups.release_id', '=', 'release_hashes.release_id'),
    )
    .innerJoin('distribution_groups', 'distribution_groups.id', 'release_groups.group_id')
    .innerJoin('distribution_group_apps', (join) =>
      join
        .onRef('distribution_group_apps.group_id', '=', 'release_groups.group_id')
        .onRef('distribution_group_apps.app_id', '=', 'release_groups.app_id'),
    )
    .select('distribution_groups.id')
    .distinct()
    .where('release_hashes.app_id', '=', p.appId)
    .where('release_hashes.hash', '=', p.hash)
    .where('distribution_groups.is_public', '=', 1)
    .orderBy('distribution_groups.id'),
);
