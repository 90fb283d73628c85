import {
  apps_getTeams,
  teams_addApp,
  teams_addUser,
  teams_createTeam,
  teams_delete,
  teams_getTeam,
  teams_getUsers,
  teams_listAll,
  teams_listApps,
  teams_removeApp,
  teams_removeUser,
  teams_update,
  teams_updatePermissions,
} from '@mooring/contract';
import type { Ctx } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { appToWire } from '../apps.routes.ts';
import {
  addTeamApp,
  addTeamUser,
  createTeam,
  deleteTeam,
  getTeam,
  listAppTeams,
  listTeamApps,
  listTeams,
  listTeamUsers,
  removeTeamApp,
  removeTeamUser,
  type Team,
  type TeamApp,
  type TeamMember,
  updateTeam,
  updateTeamPermissions,
} from './teams.ts';

const toWire = (team: Team) => ({
  id: team.id,
  name: team.name,
  display_name: team.displayName,
  description: team.description,
});

const memberToWire = (member: TeamMember) => ({
  email: member.email,
  display_name: member.displayName,
  name: member.name,
  role: member.role === 'admin' ? ('maintainer' as const) : ('collaborator' as const),
});

const teamAppToWire = (ctx: Pick<Ctx, 'origin' | 'publicUrl'>, { app, permission }: TeamApp) => ({
  ...appToWire(ctx, app),
  team_permissions: [permission],
});

export const teamRoutes = [
  route(apps_getTeams, async (ctx) =>
    (await listAppTeams(ctx)).map((team) => ({ ...toWire(team), permissions: [team.permission] })),
  ),
  route(teams_listAll, async (ctx, { query }) => (await listTeams(ctx, query)).map(toWire)),
  route(teams_createTeam, async (ctx, { body: { display_name, name, description } }) =>
    toWire(await createTeam(ctx, { displayName: display_name, name, description })),
  ),
  route(teams_getTeam, async (ctx, { params }) => toWire(await getTeam(ctx, params.team_name))),
  route(teams_update, async (ctx, { params, body }) =>
    toWire(await updateTeam(ctx, params.team_name, body.display_name)),
  ),
  route(teams_delete, (ctx, { params }) => deleteTeam(ctx, params.team_name)),
  route(teams_getUsers, async (ctx, { params }) => (await listTeamUsers(ctx, params.team_name)).map(memberToWire)),
  route(teams_addUser, async (ctx, { params, body }) =>
    memberToWire(await addTeamUser(ctx, params.team_name, body.user_email)),
  ),
  route(teams_removeUser, (ctx, { params }) => removeTeamUser(ctx, params.team_name, params.user_name)),
  route(teams_listApps, async (ctx, { params }) =>
    (await listTeamApps(ctx, params.team_name)).map((app) => teamAppToWire(ctx, app)),
  ),
  route(teams_addApp, async (ctx, { params, body }) =>
    teamAppToWire(ctx, await addTeamApp(ctx, params.team_name, body.name, body.permissions)),
  ),
  route(teams_updatePermissions, async (ctx, { params, body }) =>
    teamAppToWire(ctx, await updateTeamPermissions(ctx, params.team_name, params.app_name, body.permissions)),
  ),
  route(teams_removeApp, (ctx, { params }) => removeTeamApp(ctx, params.team_name, params.app_name)),
];
