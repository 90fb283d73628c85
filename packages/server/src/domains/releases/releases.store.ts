import { type Kysely, sql } from 'kysely';
import { isAmong, lockRows } from '../../db/portable.ts';
import { insertInto, selectMemberGroups, statement, type Tables } from './releases.tables.ts';

const selectReleases = (q: Kysely<Tables>) =>
  q
    .selectFrom('releases')
    .leftJoin('download_counts', 'download_counts.key', 'releases.blob_key')
    .selectAll('releases')
    .select(sql<number>`coalesce(download_counts.count, 0)`.as('downloads'));

/**
 * IDs of releases that a user has: through a group of the app, as a collaborator (that group has the app's ID), or directly.
 * With a release ID, only that release is checked.
 */
const selectReleaseIdsForUser = (q: Kysely<Tables>, p: { appId: string; userId: string }, releaseId?: number) =>
  q
    .selectFrom('release_groups')
    .select('release_groups.release_id')
    .where('release_groups.app_id', '=', p.appId)
    .where('release_groups.group_id', 'in', selectMemberGroups(q, p))
    .$if(releaseId !== undefined, (of) => of.where('release_groups.release_id', '=', releaseId ?? 0))
    .union(
      q
        .selectFrom('release_testers')
        .select('release_testers.release_id')
        .where('release_testers.app_id', '=', p.appId)
        .where('release_testers.user_id', '=', p.userId)
        .$if(releaseId !== undefined, (of) => of.where('release_testers.release_id', '=', releaseId ?? 0)),
    );

export const listUserGroupIds = statement((q, p: { appId: string; userId: string }) =>
  selectMemberGroups(q, p).clearSelect().select('group_apps.group_id as id'),
);

const ofGroup = (q: Kysely<Tables>, p: { appId: string; groupId: string }) =>
  q
    .selectFrom('release_groups')
    .select('release_groups.release_id')
    .where('release_groups.app_id', '=', p.appId)
    .where('release_groups.group_id', '=', p.groupId);

export const listReleaseRows = statement((q, p: { appId: string }) =>
  selectReleases(q).where('releases.app_id', '=', p.appId).orderBy('releases.id', 'desc'),
);

export const listReleasesForUser = statement((q, p: { appId: string; userId: string }) =>
  selectReleases(q)
    .where('releases.app_id', '=', p.appId)
    .where('releases.id', 'in', selectReleaseIdsForUser(q, p))
    .orderBy('releases.id', 'desc'),
);

export const findReleaseForTester = statement((q, p: { appId: string; userId: string; id: number }) =>
  selectReleases(q)
    .where('releases.app_id', '=', p.appId)
    .where('releases.id', '=', p.id)
    .where('releases.id', 'in', selectReleaseIdsForUser(q, p, p.id)),
);

export const findLatestReleaseForTester = statement((q, p: { appId: string; userId: string }) =>
  selectReleases(q)
    .where('releases.app_id', '=', p.appId)
    .where('releases.is_enabled', '=', 1)
    .where('releases.id', 'in', selectReleaseIdsForUser(q, p))
    .orderBy('releases.id', 'desc')
    .limit(1),
);

/** The newest enabled release that any tester, group or store has. */
export const findLatestPublished = statement((q, p: { appId: string }) =>
  selectReleases(q)
    .where('releases.app_id', '=', p.appId)
    .where('releases.is_enabled', '=', 1)
    .where(({ exists, or }) =>
      or([
        exists(
          selectGroups(q)
            .where('release_groups.app_id', '=', p.appId)
            .whereRef('release_groups.release_id', '=', sql.ref('releases.id')),
        ),
        exists(
          q
            .selectFrom('release_testers')
            .select('release_testers.user_id')
            .where('release_testers.app_id', '=', p.appId)
            .whereRef('release_testers.release_id', '=', sql.ref('releases.id')),
        ),
        exists(
          q
            .selectFrom('release_stores')
            .select('release_stores.store_id')
            .where('release_stores.app_id', '=', p.appId)
            .whereRef('release_stores.release_id', '=', sql.ref('releases.id')),
        ),
      ]),
    )
    .orderBy('releases.id', 'desc')
    .limit(1),
);

export const countNewerReleases = statement((q, p: { appId: string; id: number }) =>
  q
    .selectFrom('releases')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('app_id', '=', p.appId)
    .where('id', '>', p.id),
);

export const listGroupReleaseRows = statement((q, p: { appId: string; groupId: string }) =>
  selectReleases(q)
    .where('releases.app_id', '=', p.appId)
    .where('releases.id', 'in', ofGroup(q, p))
    .orderBy('releases.id', 'desc'),
);

/** The newest releases for an update feed. Feeds are public, so older ones are not fetched. */
export const listNewestGroupReleases = statement((q, p: { appId: string; groupId: string; limit: number }) =>
  selectReleases(q)
    .where('releases.app_id', '=', p.appId)
    .where('releases.is_enabled', '=', 1)
    .where('releases.id', 'in', ofGroup(q, p))
    .orderBy('releases.id', 'desc')
    .limit(p.limit),
);

export const listNewestPublicReleases = statement((q, p: { appId: string; limit: number }) =>
  selectReleases(q)
    .where('releases.app_id', '=', p.appId)
    .where('releases.is_enabled', '=', 1)
    .where(
      'releases.id',
      'in',
      q
        .selectFrom('release_groups')
        .innerJoin('group_apps', (join) =>
          join
            .onRef('group_apps.group_id', '=', 'release_groups.group_id')
            .onRef('group_apps.app_id', '=', 'release_groups.app_id'),
        )
        .select('release_groups.release_id')
        .where('release_groups.app_id', '=', p.appId)
        .where('group_apps.is_public', '=', 1),
    )
    .orderBy('releases.id', 'desc')
    .limit(p.limit),
);

export const findReleaseRow = statement((q, p: { appId: string; id: number }) =>
  selectReleases(q).where('releases.app_id', '=', p.appId).where('releases.id', '=', p.id),
);

/** The build may be empty. */
export const findNewestByVersion = statement((q, p: { appId: string; version: string; build: string }) =>
  q
    .selectFrom('releases')
    .select('id')
    .where('app_id', '=', p.appId)
    .where('short_version', '=', p.version)
    .where((eb) => eb.or([eb('version', '=', p.build), eb(eb.val(p.build), '=', '')]))
    .orderBy('id', 'desc')
    .limit(1),
);

export const lockReleaseRow = statement((q, p: { appId: string; id: number }, dialect) =>
  lockRows(dialect, q.selectFrom('releases').select('id').where('app_id', '=', p.appId).where('id', '=', p.id)),
);

export const saveRelease = statement(
  (
    q,
    p: {
      appId: string;
      id: number;
      notes: string | null;
      isEnabled: 0 | 1;
      build: string | null;
      signatures: string | null;
      uploadedAt: number;
    },
  ) =>
    q
      .updateTable('releases')
      .set({
        notes: p.notes,
        is_enabled: p.isEnabled,
        build: p.build,
        signatures: p.signatures,
        uploaded_at: p.uploadedAt,
      })
      .where('app_id', '=', p.appId)
      .where('id', '=', p.id),
);

export const deleteReleaseRow = statement((q, p: { appId: string; id: number }) =>
  q.deleteFrom('releases').where('app_id', '=', p.appId).where('id', '=', p.id),
);

const selectGroups = (q: Kysely<Tables>) =>
  q
    .selectFrom('release_groups')
    .innerJoin('group_apps', (join) =>
      join
        .onRef('group_apps.group_id', '=', 'release_groups.group_id')
        .onRef('group_apps.app_id', '=', 'release_groups.app_id'),
    )
    .select([
      'release_groups.release_id',
      'release_groups.is_mandatory',
      'group_apps.group_id as id',
      'group_apps.name',
      'group_apps.display_name',
      'group_apps.is_public',
    ]);

const selectStores = (q: Kysely<Tables>) =>
  q
    .selectFrom('release_stores')
    .innerJoin('distribution_stores', 'distribution_stores.id', 'release_stores.store_id')
    .select([
      'release_stores.release_id',
      'release_stores.status',
      'distribution_stores.id',
      'distribution_stores.name',
      'distribution_stores.type',
    ]);

const selectTesters = (q: Kysely<Tables>) =>
  q
    .selectFrom('release_testers')
    .innerJoin('people', 'people.id', 'release_testers.user_id')
    .select([
      'release_testers.release_id',
      'release_testers.is_mandatory',
      'people.id',
      'people.email',
      'people.display_name',
    ]);

interface OneRelease {
  appId: string;
  releaseId: number;
}

/**
 * Groups, testers and stores that have releases of an app, oldest release first, and the latest of each group and store.
 */
export const appDestinations = {
  groups: statement((q, p: { appId: string }) =>
    selectGroups(q)
      .where('release_groups.app_id', '=', p.appId)
      .orderBy('release_groups.release_id')
      .orderBy('group_apps.name_key'),
  ),
  testers: statement((q, p: { appId: string }) =>
    selectTesters(q)
      .where('release_testers.app_id', '=', p.appId)
      .orderBy('release_testers.release_id')
      .orderBy('people.email_key'),
  ),
  stores: statement((q, p: { appId: string }) =>
    selectStores(q)
      .where('release_stores.app_id', '=', p.appId)
      .orderBy('release_stores.release_id')
      .orderBy('distribution_stores.name_key'),
  ),
  /** The newest enabled release of each group, and the newest of each store. */
  latest: statement((q, p: { appId: string }) =>
    q
      .selectFrom('release_groups')
      .innerJoin('releases', (join) =>
        join
          .onRef('releases.app_id', '=', 'release_groups.app_id')
          .onRef('releases.id', '=', 'release_groups.release_id'),
      )
      .select(['release_groups.group_id as id', (eb) => eb.fn.max('releases.id').as('latest')])
      .where('release_groups.app_id', '=', p.appId)
      .where('releases.is_enabled', '=', 1)
      .groupBy('release_groups.group_id')
      .unionAll(
        q
          .selectFrom('release_stores')
          .select(['release_stores.store_id as id', (eb) => eb.fn.max('release_stores.release_id').as('latest')])
          .where('release_stores.app_id', '=', p.appId)
          .groupBy('release_stores.store_id'),
      ),
  ),
};

/** The same for one release, without reading other releases. */
export const releaseDestinations = {
  groups: statement((q, p: OneRelease) =>
    selectGroups(q)
      .where('release_groups.app_id', '=', p.appId)
      .where('release_groups.release_id', '=', p.releaseId)
      .orderBy('group_apps.name_key'),
  ),
  testers: statement((q, p: OneRelease) =>
    selectTesters(q)
      .where('release_testers.app_id', '=', p.appId)
      .where('release_testers.release_id', '=', p.releaseId)
      .orderBy('people.email_key'),
  ),
  stores: statement((q, p: OneRelease) =>
    selectStores(q)
      .where('release_stores.app_id', '=', p.appId)
      .where('release_stores.release_id', '=', p.releaseId)
      .orderBy('distribution_stores.name_key'),
  ),
  latest: statement((q, p: OneRelease) =>
    q
      .selectFrom('release_groups')
      .innerJoin('releases', (join) =>
        join
          .onRef('releases.app_id', '=', 'release_groups.app_id')
          .onRef('releases.id', '=', 'release_groups.release_id'),
      )
      .select(['release_groups.group_id as id', 'releases.id as latest'])
      .where('release_groups.app_id', '=', p.appId)
      .where('release_groups.release_id', '=', p.releaseId)
      .where('releases.is_enabled', '=', 1)
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('releases as later')
              .innerJoin('release_groups as had', (join) =>
                join.onRef('had.app_id', '=', 'later.app_id').onRef('had.release_id', '=', 'later.id'),
              )
              .select('later.id')
              .where('later.app_id', '=', p.appId)
              .where('later.id', '>', p.releaseId)
              .where('later.is_enabled', '=', 1)
              .whereRef('had.group_id', '=', 'release_groups.group_id'),
          ),
        ),
      )
      .unionAll(
        q
          .selectFrom('release_stores')
          .select(['release_stores.store_id as id', 'release_stores.release_id as latest'])
          .where('release_stores.app_id', '=', p.appId)
          .where('release_stores.release_id', '=', p.releaseId)
          .where(({ exists, not, selectFrom }) =>
            not(
              exists(
                selectFrom('release_stores as later')
                  .select('later.release_id')
                  .where('later.app_id', '=', p.appId)
                  .where('later.release_id', '>', p.releaseId)
                  .whereRef('later.store_id', '=', 'release_stores.store_id'),
              ),
            ),
          ),
      ),
  ),
};

export const saveReleaseGroup = insertInto('release_groups', (insert, p) =>
  insert.onConflict((c) =>
    c.columns(['app_id', 'release_id', 'group_id']).doUpdateSet({ is_mandatory: p.is_mandatory }),
  ),
);

export const saveReleaseTester = insertInto('release_testers', (insert, p) =>
  insert.onConflict((c) =>
    c.columns(['app_id', 'release_id', 'user_id']).doUpdateSet({ is_mandatory: p.is_mandatory }),
  ),
);

export const setGroupMandatory = statement(
  (q, p: { appId: string; releaseId: number; groupId: string; isMandatory: 0 | 1 }) =>
    q
      .updateTable('release_groups')
      .set({ is_mandatory: p.isMandatory })
      .where('app_id', '=', p.appId)
      .where('release_id', '=', p.releaseId)
      .where('group_id', '=', p.groupId),
);

export const setTesterMandatory = statement(
  (q, p: { appId: string; releaseId: number; userId: string; isMandatory: 0 | 1 }) =>
    q
      .updateTable('release_testers')
      .set({ is_mandatory: p.isMandatory })
      .where('app_id', '=', p.appId)
      .where('release_id', '=', p.releaseId)
      .where('user_id', '=', p.userId),
);

export const deleteReleaseGroup = statement((q, p: { appId: string; releaseId: number; groupId: string }) =>
  q
    .deleteFrom('release_groups')
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId)
    .where('group_id', '=', p.groupId),
);

export const deleteReleaseTester = statement((q, p: { appId: string; releaseId: number; userId: string }) =>
  q
    .deleteFrom('release_testers')
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId)
    .where('user_id', '=', p.userId),
);

export const deleteTesterReleases = statement((q, p: { appId: string; userId: string }) =>
  q.deleteFrom('release_testers').where('app_id', '=', p.appId).where('user_id', '=', p.userId),
);

/** Finds a group of an app by name, for a caller who wants its releases. */
export const findAppGroup = statement((q, p: { ownerKey: string; appKey: string; groupKey: string; userId: string }) =>
  q
    .selectFrom('group_apps')
    .innerJoin('app_names', 'app_names.id', 'group_apps.app_id')
    .innerJoin('owner_names', 'owner_names.id', 'app_names.owner_id')
    .select([
      'app_names.id',
      'app_names.name',
      'app_names.owner_id',
      'owner_names.name as owner_name',
      'group_apps.group_id',
      'group_apps.name as group_name',
      'group_apps.is_public',
    ])
    .select((eb) =>
      eb
        .selectFrom('group_members')
        .select('group_members.user_id')
        .whereRef('group_members.group_id', '=', 'group_apps.group_id')
        .where('group_members.user_id', '=', p.userId)
        .where('group_members.is_collaborator', '=', 0)
        .as('member_id'),
    )
    .where('owner_names.name_key', '=', p.ownerKey)
    .where('app_names.name_key', '=', p.appKey)
    .where('group_apps.name_key', '=', p.groupKey),
);

/** Finds a user who may receive a release directly, by email address. */
export const findUserByEmail = statement((q, p: { emailKey: string }) =>
  q.selectFrom('people').select(['id', 'email']).where('email_key', '=', p.emailKey),
);

/** All releases that a user has, from any source; may contain duplicates. */
const selectDistributedToUser = (q: Kysely<Tables>, p: { userId: string }) =>
  q
    .selectFrom('group_members')
    .innerJoin('release_groups', 'release_groups.group_id', 'group_members.group_id')
    .innerJoin('group_apps', (join) =>
      join
        .onRef('group_apps.group_id', '=', 'release_groups.group_id')
        .onRef('group_apps.app_id', '=', 'release_groups.app_id'),
    )
    .select(['release_groups.app_id', 'release_groups.release_id', 'release_groups.is_mandatory'])
    .where('group_members.user_id', '=', p.userId)
    .unionAll(
      q
        .selectFrom('release_testers')
        .select(['release_testers.app_id', 'release_testers.release_id', 'release_testers.is_mandatory'])
        .where('release_testers.user_id', '=', p.userId),
    );

/** All releases that a group has. */
const selectDistributedToGroup = (q: Kysely<Tables>, p: { groupId: string }) =>
  q
    .selectFrom('release_groups')
    .innerJoin('group_apps', (join) =>
      join
        .onRef('group_apps.group_id', '=', 'release_groups.group_id')
        .onRef('group_apps.app_id', '=', 'release_groups.app_id'),
    )
    .select(['release_groups.app_id', 'release_groups.release_id', 'release_groups.is_mandatory'])
    .where('release_groups.group_id', '=', p.groupId);

/** The latest enabled release of each app among distributed ones. */
const selectLatest = (
  q: Kysely<Tables>,
  distributed: ReturnType<typeof selectDistributedToUser> | ReturnType<typeof selectDistributedToGroup>,
) => {
  const latest = q
    .selectFrom(distributed.as('had'))
    .innerJoin('releases', (join) =>
      join.onRef('releases.app_id', '=', 'had.app_id').onRef('releases.id', '=', 'had.release_id'),
    )
    .select(({ fn }) => ['releases.app_id', fn.max('releases.id').as('id')])
    .where('releases.is_enabled', '=', 1)
    .groupBy('releases.app_id');
  const mandatory = q
    .selectFrom(distributed.as('distributed'))
    .select(({ fn }) => [
      'distributed.app_id',
      'distributed.release_id',
      fn.max('distributed.is_mandatory').as('is_mandatory'),
    ])
    .groupBy(['distributed.app_id', 'distributed.release_id']);
  return selectReleases(q)
    .innerJoin(latest.as('latest'), (join) =>
      join.onRef('latest.app_id', '=', 'releases.app_id').onRef('latest.id', '=', 'releases.id'),
    )
    .innerJoin(mandatory.as('mandatory'), (join) =>
      join.onRef('mandatory.app_id', '=', 'releases.app_id').onRef('mandatory.release_id', '=', 'releases.id'),
    )
    .innerJoin('app_names', 'app_names.id', 'releases.app_id')
    .innerJoin('owner_names', 'owner_names.id', 'app_names.owner_id')
    .select([
      'mandatory.is_mandatory',
      'app_names.name as app_name',
      'app_names.display_name as app_display_name',
      'app_names.description as app_description',
      'app_names.icon_url as app_icon_url',
      'app_names.os as app_os',
      'owner_names.id as owner_id',
      'owner_names.kind as owner_kind',
      'owner_names.name as owner_name',
      'owner_names.display_name as owner_display_name',
      'owner_names.avatar_url as owner_avatar_url',
    ])
    .orderBy('releases.app_id');
};

export const listLatestForUser = statement((q, p: { userId: string }) =>
  selectLatest(q, selectDistributedToUser(q, p)),
);

export const listLatestForGroup = statement((q, p: { groupId: string }) =>
  selectLatest(q, selectDistributedToGroup(q, p)),
);

/** Releases of deleted apps. */
export const listOrphans = statement((q, p: { limit: number }) =>
  q
    .selectFrom('releases')
    .leftJoin('app_names', 'app_names.id', 'releases.app_id')
    .select(['releases.app_id', 'releases.id', 'releases.blob_key', 'releases.icon_path'])
    .where('app_names.id', 'is', null)
    .limit(p.limit),
);

export const deleteOrphanCounters = statement((q) =>
  q.deleteFrom('release_counters').where('app_id', 'not in', q.selectFrom('app_names').select('app_names.id')),
);

export const sumSizes = statement((q, p: { appIds: string }, dialect) =>
  q
    .selectFrom('releases')
    .select((eb) => ['app_id', eb.fn.sum<number | null>('size').as('sum')])
    .where(isAmong(dialect, 'app_id', p.appIds))
    .groupBy('app_id'),
);
