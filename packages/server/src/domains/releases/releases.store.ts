import { type Kysely, sql } from 'kysely';
import { isAmong, lockRows } from '../../db/portable.ts';
import { insertInto, statement, type Tables } from './releases.tables.ts';

const selectReleases = (q: Kysely<Tables>) =>
  q
    .selectFrom('releases')
    .leftJoin('file_downloads', 'file_downloads.key', 'releases.blob_key')
    .selectAll('releases')
    .select(sql<number>`coalesce(file_downloads.count, 0)`.as('downloads'));

/** Numbers of releases that somebody has: by a group of the app that they are in, or by themselves. */
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
    .where('distribution_group_members.user_id', '=', p.userId),
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

export const listReleasesOfPublicGroups = statement((q, p: { appId: string }) =>
  selectReleases(q)
    .where('releases.app_id', '=', p.appId)
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
    .orderBy('releases.id', 'desc'),
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
    },
  ) =>
    q
      .updateTable('releases')
      .set({ notes: p.notes, is_enabled: p.isEnabled, build: p.build, signatures: p.signatures })
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

/** Apps of which somebody has a release, each with the number of the latest that is enabled. */
export const listAppsGivenTo = statement((q, p: { userId: string }) =>
  q
    .selectFrom('releases')
    .innerJoin('apps', 'apps.id', 'releases.app_id')
    .select(['releases.app_id', (eb) => eb.fn.max('releases.id').as('latest')])
    .where('releases.is_enabled', '=', 1)
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('release_groups')
            .innerJoin('distribution_group_members', 'distribution_group_members.group_id', 'release_groups.group_id')
            .innerJoin('distribution_group_apps', (join) =>
              join
                .onRef('distribution_group_apps.group_id', '=', 'release_groups.group_id')
                .onRef('distribution_group_apps.app_id', '=', 'release_groups.app_id'),
            )
            .select('release_groups.group_id')
            .whereRef('release_groups.app_id', '=', 'releases.app_id')
            .whereRef('release_groups.release_id', '=', 'releases.id')
            .where('distribution_group_members.user_id', '=', p.userId),
        ),
        eb.exists(
          eb
            .selectFrom('release_testers')
            .select('release_testers.user_id')
            .whereRef('release_testers.app_id', '=', 'releases.app_id')
            .whereRef('release_testers.release_id', '=', 'releases.id')
            .where('release_testers.user_id', '=', p.userId),
        ),
      ]),
    )
    .groupBy('releases.app_id'),
);

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
