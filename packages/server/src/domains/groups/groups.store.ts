import { type Kysely, sql } from 'kysely';
import { lockRows } from '../../db/portable.ts';
import { insertInto, statement, type Tables, updateRow } from './groups.tables.ts';

/** A group with the owner of its app, or with the organization that shares it. */
const selectGroups = (q: Kysely<Tables>) =>
  q
    .selectFrom('distribution_groups')
    .leftJoin('apps', 'apps.id', 'distribution_groups.app_id')
    .innerJoin('owners', (join) =>
      join.on('owners.id', '=', sql<string>`coalesce(apps.owner_id, distribution_groups.org_id)`),
    )
    .select([
      'distribution_groups.id',
      'distribution_groups.name',
      'distribution_groups.display_name',
      'distribution_groups.is_public',
      'distribution_groups.app_id',
      'distribution_groups.org_id',
      'owners.id as owner_id',
      'owners.name as owner_name',
      'apps.name as app_name',
    ]);

/** The groups that an app is in, its own and shared ones; and the groups that an organization shares. */
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
  /** So that nothing is added to a group that is being deleted. */
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

/** Nothing comes back when the organization has a group of that name. */
export const insertGroup = insertInto('distribution_groups', (insert) =>
  insert.onConflict((c) => c.columns(['org_id', 'name_key']).doNothing()).returning('id'),
);

/** Nothing comes back when the app is in the group, or has another of that name. */
export const insertGroupApp = insertInto('distribution_group_apps', (insert) =>
  insert.onConflict((c) => c.doNothing()).returning('app_id'),
);

const missesCollaborators = (q: Kysely<Tables>, p: { key: string }) =>
  q
    .selectFrom('apps')
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('distribution_groups as own').select('own.id').whereRef('own.id', '=', 'apps.id')),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('distribution_group_apps')
            .select('distribution_group_apps.group_id')
            .whereRef('distribution_group_apps.app_id', '=', 'apps.id')
            .where('distribution_group_apps.name_key', '=', p.key),
        ),
      ),
    );

/** Apps without the group of their collaborators, such as those that an earlier version created; not where the name is in use. */
export const lockAppsWithoutCollaborators = statement((q, p: { key: string; after: string; limit: number }, dialect) =>
  lockRows(
    dialect,
    missesCollaborators(q, p).select('apps.id').where('apps.id', '>', p.after).orderBy('apps.id').limit(p.limit),
  ),
);

/** Another process can do the same at the same time: each group is created once. */
export const insertMissingCollaborators = statement(
  (q, p: { key: string; name: string; first: string; last: string; now: number }) =>
    q
      .insertInto('distribution_groups')
      .columns(['id', 'app_id', 'name', 'name_key', 'is_public', 'created_at'])
      .expression(
        missesCollaborators(q, p)
          .select([
            'apps.id',
            'apps.id as app_id',
            sql<string>`cast(${p.name} as text)`.as('name'),
            sql<string>`cast(${p.key} as text)`.as('name_key'),
            sql<0>`0`.as('is_public'),
            sql<number>`cast(${p.now} as bigint)`.as('created_at'),
          ])
          .where('apps.id', '>=', p.first)
          .where('apps.id', '<=', p.last),
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

/** An app of the group that is in another group of that name. */
export const findAppWithName = statement((q, p: { groupId: string; key: string }) =>
  q
    .selectFrom('distribution_group_apps')
    .innerJoin('apps', 'apps.id', 'distribution_group_apps.app_id')
    .select('apps.name')
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

/** Locks the app, so that it does not change hands while a group gets it. */
export const lockAppOfOwner = statement((q, p: { ownerId: string; nameKey: string }, dialect) =>
  lockRows(
    dialect,
    q.selectFrom('apps').select('id').where('owner_id', '=', p.ownerId).where('name_key', '=', p.nameKey),
  ),
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

/** Which app is in which of the groups that an organization shares. */
export const listSharedApps = statement((q, p: { homeId: string }) =>
  q.selectFrom('distribution_group_apps').select(['group_id', 'app_id']).where('group_id', 'in', idsIn.org(q, p)),
);

/** How many people are in each group that an organization shares, with those who have not accepted yet. */
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

/** An app that changes hands leaves the shared groups of others; its own stay with it. */
export const deleteFromForeignGroups = statement((q, p: { appId: string; ownerId: string }) =>
  q
    .deleteFrom('distribution_group_apps')
    .where('app_id', '=', p.appId)
    .where('group_id', 'in', q.selectFrom('distribution_groups').select('id').where('org_id', '<>', p.ownerId)),
);
