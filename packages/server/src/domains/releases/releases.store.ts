import { type Kysely, sql } from 'kysely';
import { isAmong, lockRows } from '../../db/portable.ts';
import { insertInto, statement, type Tables } from './releases.tables.ts';

const selectReleases = (q: Kysely<Tables>) =>
  q
    .selectFrom('releases')
    .leftJoin('file_downloads', 'file_downloads.key', 'releases.blob_key')
    .selectAll('releases')
    .select(sql<number>`coalesce(file_downloads.count, 0)`.as('downloads'));

/** Numbers of releases that a user has: by a group of the app, as a collaborator (that group has the app's ID), or personally. */
const givenTo = (q: Kysely<Tables>, p: { appId: string; userId: string }) =>
  q
    .selectFrom('release_groups')
    .innerJoin('distribution_group_members', 'distribution_group_members.group_id', 'release_groups.group_id')
    .innerJoin('distribution_group_apps', (join) =>
      join
        .onRef('distribution_group_apps.group_id', '=', 'release_groups.group_id')
        .onRef('distribution_group_apps.app_id', '=', 'release_groups.app_id'),
    )
    .select('release_groups.release_id')
    .where('release_groups.app_id', '=', p.appId)
    .where('distribution_group_members.user_id', '=', p.userId)
    .union(
      q
        .selectFrom('release_groups')
        .innerJoin('app_readers', 'app_readers.app_id', 'release_groups.group_id')
        .select('release_groups.release_id')
        .where('release_groups.app_id', '=', p.appId)
        .where('release_groups.group_id', '=', p.appId)
        .where('app_readers.user_id', '=', p.userId),
    )
    .union(
      q
        .selectFrom('release_testers')
        .select('release_testers.release_id')
        .where('release_testers.app_id', '=', p.appId)
        .where('release_testers.user_id', '=', p.userId),
    );

/** Groups of an app that somebody is in. */
export const listGroupIdsOf = statement((q, p: { appId: string; userId: string }) =>
  q
    .selectFrom('distribution_group_members')
    .innerJoin('distribution_group_apps', 'distribution_group_apps.group_id', 'distribution_group_members.group_id')
    .select('distribution_group_members.group_id as id')
    .where('distribution_group_apps.app_id', '=', p.appId)
    .where('distribution_group_members.user_id', '=', p.userId)
    .union(
      q
        .selectFrom('app_readers')
        .innerJoin('distribution_groups', 'distribution_groups.id', 'app_readers.app_id')
        .select('distribution_groups.id')
        .where('app_readers.app_id', '=', p.appId)
        .where('app_readers.user_id', '=', p.userId),
    ),
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

export const listReleasesGivenTo = statement((q, p: { appId: string; userId: string }) =>
  selectReleases(q)
    .where('releases.app_id', '=', p.appId)
    .where('releases.id', 'in', givenTo(q, p))
    .orderBy('releases.id', 'desc'),
);

export const listReleasesOfGroup = statement((q, p: { appId: string; groupId: string }) =>
  selectReleases(q)
    .where('releases.app_id', '=', p.appId)
    .where('releases.id', 'in', ofGroup(q, p))
    .orderBy('releases.id', 'desc'),
);

/** The newest that updates can come from; a feed is read without signing in, so older ones are not fetched. */
export const listNewestOfGroup = statement((q, p: { appId: string; groupId: string; limit: number }) =>
  selectReleases(q)
    .where('releases.app_id', '=', p.appId)
    .where('releases.is_enabled', '=', 1)
    .where('releases.id', 'in', ofGroup(q, p))
    .orderBy('releases.id', 'desc')
    .limit(p.limit),
);

export const listNewestOfPublicGroups = statement((q, p: { appId: string; limit: number }) =>
  selectReleases(q)
    .where('releases.app_id', '=', p.appId)
    .where('releases.is_enabled', '=', 1)
    .where(
      'releases.id',
      'in',
      q
        .selectFrom('release_groups')
        .innerJoin('distribution_groups', 'distribution_groups.id', 'release_groups.group_id')
        .innerJoin('distribution_group_apps', (join) =>
          join
            .onRef('distribution_group_apps.group_id', '=', 'release_groups.group_id')
            .onRef('distribution_group_apps.app_id', '=', 'release_groups.app_id'),
        )
        .select('release_groups.release_id')
        .where('release_groups.app_id', '=', p.appId)
        .where('distribution_groups.is_public', '=', 1),
    )
    .orderBy('releases.id', 'desc')
    .limit(p.limit),
);

export const findReleaseRow = statement((q, p: { appId: string; id: number }) =>
  selectReleases(q).where('releases.app_id', '=', p.appId).where('releases.id', '=', p.id),
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
    .innerJoin('distribution_groups', 'distribution_groups.id', 'release_groups.group_id')
    .innerJoin('distribution_group_apps', (join) =>
      join
        .onRef('distribution_group_apps.group_id', '=', 'release_groups.group_id')
        .onRef('distribution_group_apps.app_id', '=', 'release_groups.app_id'),
    )
    .select([
      'release_groups.release_id',
      'release_groups.is_mandatory',
      'distribution_groups.id',
      'distribution_groups.name',
      'distribution_groups.display_name',
      'distribution_groups.is_public',
    ]);

/** Which groups have which releases of an app, the oldest first. */
export const listReleaseGroups = statement((q, p: { appId: string }) =>
  selectGroups(q)
    .where('release_groups.app_id', '=', p.appId)
    .orderBy('release_groups.release_id')
    .orderBy('distribution_groups.name_key'),
);

export const listReleaseTesters = statement((q, p: { appId: string }) =>
  q
    .selectFrom('release_testers')
    .innerJoin('users', 'users.id', 'release_testers.user_id')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select([
      'release_testers.release_id',
      'release_testers.is_mandatory',
      'users.id',
      'users.email',
      'owners.display_name',
    ])
    .where('release_testers.app_id', '=', p.appId)
    .orderBy('release_testers.release_id')
    .orderBy('users.email_key'),
);

/** The highest enabled release that each group, and each tester, has. */
export const listLatestOfGroups = statement((q, p: { appId: string }) =>
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
    .groupBy('release_groups.group_id'),
);

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

/** The group of that name that an app is in, for whoever asks for its releases. */
export const findGroupOfApp = statement(
  (q, p: { ownerKey: string; appKey: string; groupKey: string; userId: string }) =>
    q
      .selectFrom('distribution_group_apps')
      .innerJoin('distribution_groups', 'distribution_groups.id', 'distribution_group_apps.group_id')
      .innerJoin('apps', 'apps.id', 'distribution_group_apps.app_id')
      .innerJoin('owners', 'owners.id', 'apps.owner_id')
      .leftJoin('distribution_group_members', (join) =>
        join
          .onRef('distribution_group_members.group_id', '=', 'distribution_groups.id')
          .on('distribution_group_members.user_id', '=', p.userId),
      )
      .select([
        'apps.id',
        'apps.name',
        'apps.owner_id',
        'owners.name as owner_name',
        'distribution_groups.id as group_id',
        'distribution_groups.name as group_name',
        'distribution_groups.is_public',
        'distribution_group_members.user_id as member_id',
      ])
      .where('owners.name_key', '=', p.ownerKey)
      .where('apps.name_key', '=', p.appKey)
      .where('distribution_group_apps.name_key', '=', p.groupKey),
);

/** Who may be given a release by themselves, by the address of their account. */
export const findUserByEmail = statement((q, p: { emailKey: string }) =>
  q.selectFrom('users').select(['id', 'email']).where('email_key', '=', p.emailKey),
);

/** All that somebody has, by whichever way: some more than once. */
const allGivenTo = (q: Kysely<Tables>, p: { userId: string }) =>
  q
    .selectFrom('distribution_group_members')
    .innerJoin('distribution_group_apps', 'distribution_group_apps.group_id', 'distribution_group_members.group_id')
    .innerJoin('release_groups', (join) =>
      join
        .onRef('release_groups.group_id', '=', 'distribution_group_apps.group_id')
        .onRef('release_groups.app_id', '=', 'distribution_group_apps.app_id'),
    )
    .select(['release_groups.app_id', 'release_groups.release_id', 'release_groups.is_mandatory'])
    .where('distribution_group_members.user_id', '=', p.userId)
    .unionAll(
      q
        .selectFrom('app_readers')
        .innerJoin('release_groups', (join) =>
          join
            .onRef('release_groups.group_id', '=', 'app_readers.app_id')
            .onRef('release_groups.app_id', '=', 'app_readers.app_id'),
        )
        .select(['release_groups.app_id', 'release_groups.release_id', 'release_groups.is_mandatory'])
        .where('app_readers.user_id', '=', p.userId),
    )
    .unionAll(
      q
        .selectFrom('release_testers')
        .select(['release_testers.app_id', 'release_testers.release_id', 'release_testers.is_mandatory'])
        .where('release_testers.user_id', '=', p.userId),
    );

/** The latest enabled release that somebody has of each app. */
export const listLatestGivenTo = statement((q, p: { userId: string }) => {
  const latest = q
    .selectFrom(allGivenTo(q, p).as('had'))
    .innerJoin('releases', (join) =>
      join.onRef('releases.app_id', '=', 'had.app_id').onRef('releases.id', '=', 'had.release_id'),
    )
    .select(({ fn }) => ['releases.app_id', fn.max('releases.id').as('id')])
    .where('releases.is_enabled', '=', 1)
    .groupBy('releases.app_id');
  const mandatory = q
    .selectFrom(allGivenTo(q, p).as('given'))
    .select(({ fn }) => ['given.app_id', 'given.release_id', fn.max('given.is_mandatory').as('is_mandatory')])
    .groupBy(['given.app_id', 'given.release_id']);
  return selectReleases(q)
    .innerJoin(latest.as('latest'), (join) =>
      join.onRef('latest.app_id', '=', 'releases.app_id').onRef('latest.id', '=', 'releases.id'),
    )
    .innerJoin(mandatory.as('mandatory'), (join) =>
      join.onRef('mandatory.app_id', '=', 'releases.app_id').onRef('mandatory.release_id', '=', 'releases.id'),
    )
    .innerJoin('apps', 'apps.id', 'releases.app_id')
    .innerJoin('owners', 'owners.id', 'apps.owner_id')
    .select([
      'mandatory.is_mandatory',
      'apps.name as app_name',
      'apps.display_name as app_display_name',
      'apps.description as app_description',
      'apps.icon_url as app_icon_url',
      'apps.os as app_os',
      'owners.id as owner_id',
      'owners.kind as owner_kind',
      'owners.name as owner_name',
      'owners.display_name as owner_display_name',
      'owners.avatar_url as owner_avatar_url',
    ])
    .orderBy('releases.app_id');
});

/** Releases of apps that are gone. */
export const listOrphans = statement((q, p: { limit: number }) =>
  q
    .selectFrom('releases')
    .leftJoin('apps', 'apps.id', 'releases.app_id')
    .select(['releases.app_id', 'releases.id', 'releases.blob_key', 'releases.icon_path'])
    .where('apps.id', 'is', null)
    .limit(p.limit),
);

export const deleteOrphanCounters = statement((q) =>
  q.deleteFrom('release_counters').where('app_id', 'not in', q.selectFrom('apps').select('apps.id')),
);

export const sumSizes = statement((q, p: { appIds: string }, dialect) =>
  q
    .selectFrom('releases')
    .select((eb) => ['app_id', eb.fn.sum<number | null>('size').as('sum')])
    .where(isAmong(dialect, 'app_id', p.appIds))
    .groupBy('app_id'),
);
