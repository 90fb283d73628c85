import { type Kysely, sql } from 'kysely';
import { lockRows } from '../../db/portable.ts';
import { insertInto, statement, type Tables, updateRow } from './groups.tables.ts';

/** Groups with their owner: that of the app, or the organization that shares them. */
const selectGroups = (q: Kysely<Tables>) =>
  q
    .selectFrom('distribution_groups')
    .leftJoin('app_names', 'app_names.id', 'distribution_groups.app_id')
    .innerJoin('owner_names', (join) =>
      join.on('owner_names.id', '=', sql<string>`coalesce(app_names.owner_id, distribution_groups.org_id)`),
    )
    .select([
      'distribution_groups.id',
      'distribution_groups.name',
      'distribution_groups.display_name',
      'distribution_groups.is_public',
      'distribution_groups.app_id',
      'distribution_groups.org_id',
      'owner_names.id as owner_id',
      'owner_names.name as owner_name',
      'app_names.name as app_name',
    ]);

/** Groups of an app, including shared ones; or shared groups of an organization. */
const idsIn = {
  app: (q: Kysely<Tables>, p: { homeId: string }) =>
    q
      .selectFrom('distribution_group_apps')
      .select('distribution_group_apps.group_id as id')
      .where('distribution_group_apps.app_id', '=', p.homeId),
  org: (q: Kysely<Tables>, p: { homeId: string }) =>
    q.selectFrom('distribution_groups as shared').select('shared.id').where('shared.org_id', '=', p.homeId),
};

const statementsFor = (kind: keyof typeof idsIn) => ({
  list: statement((q, p: { homeId: string }) =>
    selectGroups(q).where('distribution_groups.id', 'in', idsIn[kind](q, p)).orderBy('distribution_groups.name_key'),
  ),
  find: statement((q, p: { homeId: string; key: string }) =>
    selectGroups(q)
      .where('distribution_groups.id', 'in', idsIn[kind](q, p))
      .where('distribution_groups.name_key', '=', p.key),
  ),
  findById: statement((q, p: { homeId: string; id: string }) =>
    selectGroups(q).where('distribution_groups.id', '=', p.id).where('distribution_groups.id', 'in', idsIn[kind](q, p)),
  ),
  /** Prevents additions to a group that is being deleted. */
  lock: statement((q, p: { homeId: string; key: string }, dialect) =>
    lockRows(
      dialect,
      q
        .selectFrom('distribution_groups')
        .select('id')
        .where('id', 'in', idsIn[kind](q, p))
        .where('name_key', '=', p.key),
    ),
  ),
});

export const groupsIn = { app: statementsFor('app'), org: statementsFor('org') };

export const listGroupsInvitedTo = statement((q, p: { emailKey: string }) =>
  selectGroups(q)
    .where(
      'distribution_groups.id',
      'in',
      q
        .selectFrom('distribution_group_invitations')
        .select('distribution_group_invitations.group_id')
        .where('distribution_group_invitations.email_key', '=', p.emailKey),
    )
    .orderBy('distribution_groups.id'),
);

/** Returns nothing if the organization has a group of that name. */
export const insertGroup = insertInto('distribution_groups', (insert) =>
  insert.onConflict((c) => c.columns(['org_id', 'name_key']).doNothing()).returning('id'),
);

/** Returns nothing if the app is in the group, or has another group of that name. */
export const insertGroupApp = insertInto('distribution_group_apps', (insert) =>
  insert.onConflict((c) => c.doNothing()).returning('app_id'),
);

const missesCollaborators = (q: Kysely<Tables>, p: { key: string }) =>
  q
    .selectFrom('app_names')
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('distribution_groups as own').select('own.id').whereRef('own.id', '=', 'app_names.id')),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('distribution_group_apps')
            .select('distribution_group_apps.group_id')
            .whereRef('distribution_group_apps.app_id', '=', 'app_names.id')
            .where('distribution_group_apps.name_key', '=', p.key),
        ),
      ),
    );

/** Apps without a group of collaborators, such as those that an earlier version created, unless the name is in use. */
export const listAppsWithoutCollaborators = statement((q, p: { key: string; after: string; limit: number }) =>
  missesCollaborators(q, p)
    .select('app_names.id')
    .where('app_names.id', '>', p.after)
    .orderBy('app_names.id')
    .limit(p.limit),
);

/** Several processes may do this at the same time; each group is created once. */
export const insertMissingCollaborators = statement(
  (q, p: { key: string; name: string; first: string; last: string; now: number }) =>
    q
      .insertInto('distribution_groups')
      .columns(['id', 'app_id', 'name', 'name_key', 'is_public', 'created_at'])
      .expression(
        missesCollaborators(q, p)
          .select([
            'app_names.id',
            'app_names.id as app_id',
            sql<string>`cast(${p.name} as text)`.as('name'),
            sql<string>`cast(${p.key} as text)`.as('name_key'),
            sql<0>`0`.as('is_public'),
            sql<number>`cast(${p.now} as bigint)`.as('created_at'),
          ])
          .where('app_names.id', '>=', p.first)
          .where('app_names.id', '<=', p.last),
      )
      .onConflict((c) => c.doNothing()),
);

export const linkMissingCollaborators = statement((q, p: { first: string; last: string }) =>
  q
    .insertInto('distribution_group_apps')
    .columns(['group_id', 'app_id', 'name_key'])
    .expression(
      q
        .selectFrom('distribution_groups')
        .select(['distribution_groups.id', 'distribution_groups.app_id', 'distribution_groups.name_key'])
        .whereRef('distribution_groups.id', '=', 'distribution_groups.app_id')
        .where('distribution_groups.id', '>=', p.first)
        .where('distribution_groups.id', '<=', p.last)
        .$narrowType<{ app_id: string }>(),
    )
    .onConflict((c) => c.doNothing()),
);

export const updateGroupRow = updateRow('distribution_groups');

export const renameInApps = statement((q, p: { groupId: string; key: string }) =>
  q.updateTable('distribution_group_apps').set({ name_key: p.key }).where('group_id', '=', p.groupId),
);

/** An app of this group that is also in another group of that name. */
export const findAppWithName = statement((q, p: { groupId: string; key: string }) =>
  q
    .selectFrom('distribution_group_apps')
    .innerJoin('app_names', 'app_names.id', 'distribution_group_apps.app_id')
    .select('app_names.name')
    .where('distribution_group_apps.name_key', '=', p.key)
    .where('distribution_group_apps.group_id', '<>', p.groupId)
    .where(
      'distribution_group_apps.app_id',
      'in',
      q.selectFrom('distribution_group_apps as own').select('own.app_id').where('own.group_id', '=', p.groupId),
    )
    .limit(1),
);

export const deleteGroupRow = statement((q, p: { id: string }) =>
  q.deleteFrom('distribution_groups').where('id', '=', p.id),
);

export const findGroupApp = statement((q, p: { groupId: string; appId: string }) =>
  q
    .selectFrom('distribution_group_apps')
    .select('app_id')
    .where('group_id', '=', p.groupId)
    .where('app_id', '=', p.appId),
);

export const deleteGroupApp = statement((q, p: { groupId: string; appId: string }) =>
  q
    .deleteFrom('distribution_group_apps')
    .where('group_id', '=', p.groupId)
    .where('app_id', '=', p.appId)
    .returning('app_id'),
);

/** The apps of each shared group of an organization. */
export const listSharedApps = statement((q, p: { homeId: string }) =>
  q.selectFrom('distribution_group_apps').select(['group_id', 'app_id']).where('group_id', 'in', idsIn.org(q, p)),
);

/** Counts members and pending invitations of each shared group of an organization. */
export const countSharedUsers = statement((q, p: { homeId: string }) =>
  q
    .selectFrom(
      q
        .selectFrom('distribution_group_members')
        .select('group_id')
        .where('group_id', 'in', idsIn.org(q, p))
        .unionAll(
          q.selectFrom('distribution_group_invitations').select('group_id').where('group_id', 'in', idsIn.org(q, p)),
        )
        .as('people'),
    )
    .select(['people.group_id', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('people.group_id'),
);

/** A transferred app leaves the shared groups of other owners; its own groups stay. */
export const deleteFromForeignGroups = statement((q, p: { appId: string; ownerId: string }) =>
  q
    .deleteFrom('distribution_group_apps')
    .where('app_id', '=', p.appId)
    .where('group_id', 'in', q.selectFrom('distribution_groups').select('id').where('org_id', '<>', p.ownerId)),
);
