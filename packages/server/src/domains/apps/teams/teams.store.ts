import { type Kysely, sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { isAmong, lockRows } from '../../../db/portable.ts';
import { folded, inOrder, mentionsTerms } from '../../../db/rows/listing.ts';
import type { Arrangement } from '../../../kernel/paging.ts';
import { insertInto, query, statement, type Tables, type TeamAppsTable, updateRow } from '../apps.tables.ts';

const teamColumns = ['teams.id', 'teams.name', 'teams.display_name', 'teams.description'] as const;

const selectTeam = (q: Kysely<Tables>, p: { orgId: string; key: string }) =>
  q.selectFrom('teams').select(teamColumns).where('org_id', '=', p.orgId).where('name_key', '=', p.key);

export const findTeam = statement((q, p: { orgId: string; key: string }) => selectTeam(q, p));

/** Locked so that nothing is added to a team that is being deleted. */
export const lockTeam = statement((q, p: { orgId: string; key: string }, dialect) =>
  lockRows(dialect, selectTeam(q, p)),
);

const teamKeys = { name: sql.ref<string>('teams.name_key'), display_name: folded('teams.display_name') };

export const listOrgTeams = (db: Db, { orgId }: { orgId: string }, arranged: Arrangement<keyof typeof teamKeys>) =>
  query(db, (q) =>
    inOrder(
      q
        .selectFrom('teams')
        .select(teamColumns)
        .where('org_id', '=', orgId)
        .where(mentionsTerms(arranged.terms, ['teams.name', 'teams.display_name', 'teams.description'])),
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

/** Returns nothing if the organization has a team of that name. */
export const insertTeam = insertInto('teams', (insert) =>
  insert.onConflict((c) => c.columns(['org_id', 'name_key']).doNothing()).returning(teamColumns),
);

export const updateTeamRow = updateRow('teams');

export const deleteTeamRow = statement((q, p: { id: string }) => q.deleteFrom('teams').where('id', '=', p.id));

const selectMembers = (q: Kysely<Tables>, p: { teamId: string }) =>
  q
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .innerJoin('organization_members', (join) =>
      join
        .onRef('organization_members.org_id', '=', 'teams.org_id')
        .onRef('organization_members.user_id', '=', 'team_members.user_id'),
    )
    .innerJoin('people', 'people.id', 'team_members.user_id')
    .select(['people.id', 'people.name', 'people.display_name', 'people.email', 'organization_members.role'])
    .where('team_members.team_id', '=', p.teamId);

export const listTeamMembers = statement((q, p: { teamId: string }) => selectMembers(q, p).orderBy('people.name_key'));

export const findTeamMember = statement((q, p: { teamId: string; userId: string }) =>
  selectMembers(q, p).where('team_members.user_id', '=', p.userId),
);

export const findTeamMemberByName = statement((q, p: { teamId: string; key: string }) =>
  selectMembers(q, p).where('people.name_key', '=', p.key),
);

/** Returns nothing if the user is already in the team. */
export const insertTeamMember = insertInto('team_members', (insert) =>
  insert.onConflict((c) => c.columns(['team_id', 'user_id']).doNothing()).returning('user_id'),
);

export const deleteTeamMember = statement((q, p: { teamId: string; userId: string }) =>
  q.deleteFrom('team_members').where('team_id', '=', p.teamId).where('user_id', '=', p.userId),
);

/** Returns nothing if the team already has the app. */
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

const selectPeople = (q: Kysely<Tables>) =>
  q
    .selectFrom('team_members')
    .innerJoin('people', 'people.id', 'team_members.user_id')
    .select(['team_members.team_id', 'people.id', 'people.display_name']);

/** `teamIds` is a JSON array. */
export const listTeamPeople = statement((q, p: { teamIds: string; limit: number }, dialect) =>
  selectPeople(q)
    .where(isAmong(dialect, 'team_members.team_id', p.teamIds))
    .orderBy('people.id')
    .limit(p.limit),
);

export const findTeamById = statement((q, p: { id: string; orgId: string }, dialect) =>
  lockRows(dialect, q.selectFrom('teams').select(teamColumns).where('id', '=', p.id).where('org_id', '=', p.orgId)),
);

/** `userIds` is a JSON array. Adds those who are members of the organization and not in the team yet. */
export const insertTeamPeople = statement((q, p: { teamId: string; orgId: string; userIds: string }, dialect) =>
  q
    .insertInto('team_members')
    .columns(['team_id', 'user_id'])
    .expression((e) =>
      e
        .selectFrom('organization_members')
        .select([sql<string>`${p.teamId}`.as('team_id'), 'organization_members.user_id'])
        .where('organization_members.org_id', '=', p.orgId)
        .where(isAmong(dialect, 'organization_members.user_id', p.userIds)),
    )
    .onConflict((c) => c.columns(['team_id', 'user_id']).doNothing())
    .returning('user_id'),
);

/** `userIds` is a JSON array. */
export const deleteTeamPeople = statement((q, p: { teamId: string; userIds: string }, dialect) =>
  q
    .deleteFrom('team_members')
    .where('team_id', '=', p.teamId)
    .where(isAmong(dialect, 'user_id', p.userIds))
    .returning('user_id'),
);

export const deleteMemberFromTeams = statement((q, p: { orgId: string; userId: string }) =>
  q
    .deleteFrom('team_members')
    .where('user_id', '=', p.userId)
    .where('team_id', 'in', q.selectFrom('teams').select('id').where('org_id', '=', p.orgId)),
);
