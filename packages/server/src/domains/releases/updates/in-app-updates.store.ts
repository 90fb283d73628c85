import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { query, selectMemberGroups, statement, type Tables } from '../releases.tables.ts';

/** Enabled releases of an app's groups, newest first. */
const selectDistributed = (q: Kysely<Tables>, p: { appId: string }) =>
  q
    .selectFrom('release_groups')
    .innerJoin('group_apps', (join) =>
      join
        .onRef('group_apps.group_id', '=', 'release_groups.group_id')
        .onRef('group_apps.app_id', '=', 'release_groups.app_id'),
    )
    .innerJoin('releases', (join) =>
      join
        .onRef('releases.app_id', '=', 'release_groups.app_id')
        .onRef('releases.id', '=', 'release_groups.release_id'),
    )
    .where('release_groups.app_id', '=', p.appId)
    .where('releases.is_enabled', '=', 1)
    // Devices cannot install an .aab, so an app would download it again and again.
    .where('releases.kind', '!=', 'aab');

const selectLatestDistributed = (q: Kysely<Tables>, p: { appId: string }) =>
  selectDistributed(q, p)
    .selectAll('releases')
    .select([
      'release_groups.group_id',
      'release_groups.is_mandatory',
      'group_apps.name',
      'group_apps.display_name',
      'group_apps.is_public',
      // Download counts are hidden from devices, because cached responses would change with each download.
      sql<number>`0`.as('downloads'),
    ])
    .orderBy('releases.id', 'desc')
    .orderBy('group_apps.name_key')
    .limit(1);

export const findLatestPublic = statement((q, p: { appId: string }) =>
  selectLatestDistributed(q, p).where('group_apps.is_public', '=', 1),
);

export const findLatestInPublicGroup = statement((q, p: { appId: string; groupId: string }) =>
  selectLatestDistributed(q, p).where('group_apps.is_public', '=', 1).where('release_groups.group_id', '=', p.groupId),
);

/** The latest release of public groups with these names. */
export const findLatestPublicInNamed = (db: Db, appId: string, names: readonly string[]) =>
  query(db, (q) =>
    selectLatestDistributed(q, { appId }).where('group_apps.is_public', '=', 1).where('group_apps.name', 'in', names),
  );

/** A release of public groups by version and build. */
export const findPublicBuild = statement((q, p: { appId: string; shortVersion: string; version: string }) =>
  selectLatestDistributed(q, p)
    .where('group_apps.is_public', '=', 1)
    .where('releases.short_version', '=', p.shortVersion)
    .where('releases.version', '=', p.version),
);

/** The latest release that a user has through groups. */
export const findLatestForMember = statement((q, p: { appId: string; userId: string }) =>
  selectLatestDistributed(q, p).where('release_groups.group_id', 'in', selectMemberGroups(q, p)),
);

/** Public groups that have a build, even if it has been disabled. */
export const listPublicGroupsWithHash = statement((q, p: { appId: string; hash: string }) =>
  q
    .selectFrom('release_hashes')
    .innerJoin('release_groups', (join) =>
      join
        .onRef('release_groups.app_id', '=', 'release_hashes.app_id')
        .onRef('release_groups.release_id', '=', 'release_hashes.release_id'),
    )
    .innerJoin('group_apps', (join) =>
      join
        .onRef('group_apps.group_id', '=', 'release_groups.group_id')
        .onRef('group_apps.app_id', '=', 'release_groups.app_id'),
    )
    .select('group_apps.group_id as id')
    .distinct()
    .where('release_hashes.app_id', '=', p.appId)
    .where('release_hashes.hash', '=', p.hash)
    .where('group_apps.is_public', '=', 1)
    .orderBy('group_apps.group_id'),
);
