import { type Kysely, sql } from 'kysely';
import { folded, inOrder, mentionsWords } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import { lockRows } from '../../db/portable.ts';
import type { Arrangement } from '../../kernel/paging.ts';
import { insertInto, query, statement, type Tables, type TeamAppsTable, updateRow } from './apps.tables.ts';

const teamColumns = ['teams.id', 'teams.name', 'teams.display_name', 'teams.description'] as const;

const selectTeam = (q: Kysely<Tables>, p: { orgId: string; key: string }) =>
  q.selectFrom('teams').select(teamColumns).where('org_id', '=', p.orgId).where('name_key', '=', p.key);

export const findTeam = statement((q, p: { orgId: string; key: string }) => selectTeam(q, p));

/** Locks it, so that nothing is added to a team that is being deleted. */
export const lockTeam = statement((q, p: { orgId: string; key: string }, dialect) =>
  lockRows(dialect, selectTeam(q, p)),
);

const teamKeys = { name: sql.ref<string>('teams.name_key'), display_name: folded('teams.display_name') };

export const listTeamsOfOrg = (db: Db, { orgId }: { orgId: string }, arranged: Arrangement<keyof typeof teamKeys>) =>
  query(db, (q) =>
    inOrder(
      q
        .selectFrom('teams')
        .select(teamColumns)
        .where('org_id', '=', orgId)
        .where(mentionsWords(arranged.words, ['teams.name', 'teams.display_name', 'teams.description'])),
      { key: teamKeys[arranged.sort], id: sql.ref('teams.id') },
      arranged,
    ),
  );

export const listTeamsWithApp = statement((q, p: { appId: string }) =>
  q
    .selectFrom('team_apps')
    .innerJoin('teams', 'teams.id', 'team_apps.team_id')
    .select([...teamColumns, 'team_apps.permission'])
    .where('team_apps.app_id', '=', p.appId)
    .orderBy('teams.name_key'),
);

/** Nothing comes back when the organization has a team of that name. */
export const insertTeam = insertInto('teams', (insert) =>
  insert.onConflict((c) => c.columns(['org_id', 'name_key']).doNothing()).returning(teamColumns),
);

export const updateTeamRow = updateRow('teams');

export const deleteTeamRow = statement((q, p: { id: string }) => q.deleteFrom('teams').where('id', '=', p.id));

const selectMembers = (q: Kysely<Tables>, p: { teamId: string }) =>
  q
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .innerJoin('org_members', (join) =>
      join.onRef('org_members.org_id', '=', 'teams.org_id').onRef('org_members.user_id', '=', 'team_members.user_id'),
    )
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select(['users.id', 'owners.name', 'owners.display_name', 'users.email', 'org_members.role'])
    .where('team_members.team_id', '=', p.teamId);

export const listTeamMembers = statement((q, p: { teamId: string }) => selectMembers(q, p).orderBy('owners.name_key'));

export const findTeamMember = statement((q, p: { teamId: string; userId: string }) =>
  selectMembers(q, p).where('team_members.user_id', '=', p.userId),
);

export const findTeamMemberByName = statement((q, p: { teamId: string; key: string }) =>
  selectMembers(q, p).where('owners.name_key', '=', p.key),
);

/** Locks the membership, so that nobody joins a team of an organization that they are leaving. */
export const lockMembership = statement((q, p: { orgId: string; emailKey: string }, dialect) =>
  lockRows(
    dialect,
    q
      .selectFrom('org_members')
      .select('user_id')
      .where('org_id', '=', p.orgId)
      .where('user_id', 'in', q.selectFrom('users').select('id').where('email_key', '=', p.emailKey)),
  ),
);

/** Nothing comes back when the user is in the team already. */
export const insertTeamMember = insertInto('team_members', (insert) =>
  insert.onConflict((c) => c.columns(['team_id', 'user_id']).doNothing()).returning('user_id'),
);

export const deleteTeamMember = statement((q, p: { teamId: string; userId: string }) =>
  q.deleteFrom('team_members').where('team_id', '=', p.teamId).where('user_id', '=', p.userId),
);

/** Locks the app, so that it does not change hands while a team gets it. */
export const lockAppOfOwner = statement((q, p: { ownerId: string; nameKey: string }, dialect) =>
  lockRows(
    dialect,
    q.selectFrom('apps').select('id').where('owner_id', '=', p.ownerId).where('name_key', '=', p.nameKey),
  ),
);

/** Nothing comes back when the team has the app already. */
export const insertTeamApp = insertInto('team_apps', (insert) =>
  insert.onConflict((c) => c.columns(['team_id', 'app_id']).doNothing()).returning('app_id'),
);

export const updateTeamApp = statement((q, p: TeamAppsTable) =>
  q
    .updateTable('team_apps')
    .set({ permission: p.permission })
    .where('team_id', '=', p.team_id)
    .where('app_id', '=', p.app_id),
);

export const deleteTeamApp = statement((q, p: { teamId: string; appId: string }) =>
  q.deleteFrom('team_apps').where('team_id', '=', p.teamId).where('app_id', '=', p.appId),
);

export const deleteMemberFromTeams = statement((q, p: { orgId: string; userId: string }) =>
  q
    .deleteFrom('team_members')
    .where('user_id', '=', p.userId)
    .where('team_id', 'in', q.selectFrom('teams').select('id').where('org_id', '=', p.orgId)),
);
