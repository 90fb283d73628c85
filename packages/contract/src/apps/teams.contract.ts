import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Description, DisplayName, Email, OrgPath, ownerNamePattern, PathName, Uuid } from '../fields.ts';
import { unpagedListQuery } from '../paging.ts';
import { appPermissions, grantablePermissions } from '../permissions.ts';
import { Type } from '../type.ts';
import { App, GrantablePermissions } from './apps.contract.ts';

const teamFields = {
  id: Uuid,
  name: Type.String(),
  display_name: Type.String(),
  description: Type.Optional(Type.String()),
};

export const Team = Type.Object(teamFields, { $id: 'Team' });

const AppTeam = Type.Object({
  ...teamFields,
  permissions: Type.Optional(
    Type.Array(Type.Enum([...appPermissions]), { description: "The permission of the team's members on the app." }),
  ),
});

export const TeamMember = Type.Object(
  {
    email: Type.String(),
    display_name: Type.String(),
    name: Type.String(),
    role: Type.Enum(['maintainer', 'collaborator'], {
      description: '`maintainer` for admins of the organization, `collaborator` for other members.',
    }),
  },
  { $id: 'TeamMember' },
);

export const TeamApp = Type.Object(
  {
    ...App.properties,
    team_permissions: Type.Optional(
      Type.Array(Type.Enum([...grantablePermissions]), {
        description: "The permission of the team's members on the app.",
      }),
    ),
  },
  { $id: 'TeamApp' },
);

const TeamName = Type.String({
  pattern: ownerNamePattern,
  description: 'Letters, digits, "-", "_" and ".". At most 100 characters, and unique in the organization.',
});

const TeamPath = { ...OrgPath, team_name: PathName };
const TeamUserPath = { ...TeamPath, user_name: PathName };
const TeamAppPath = { ...TeamPath, app_name: PathName };

export const apps_getTeams = endpoint({
  id: 'apps_getTeams',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/teams',
  tag: 'teams',
  summary: 'List the teams that have access to an app, with their permissions',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(AppTeam), { description: 'The teams, sorted by name. Empty if a user owns the app.' }),
  errors: [404],
});

export const teams_listAll = endpoint({
  id: 'teams_listAll',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/teams',
  tag: 'teams',
  summary: 'List the teams of an organization',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  query: Type.Object(unpagedListQuery(['name', 'display_name'], 'the name, the display name or the description')),
  response: json(Type.Array(Team), { description: 'The teams, sorted by name by default.' }),
  errors: [404],
});

export const teams_createTeam = endpoint({
  id: 'teams_createTeam',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/teams',
  tag: 'teams',
  summary: 'Create a team without members or apps',
  description: 'The default name is derived from the display name.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgPath),
  request: json(
    Type.Object({
      display_name: DisplayName,
      name: Type.Optional(TeamName),
      description: Type.Optional(Description),
    }),
  ),
  response: json(Team, { status: 201, description: 'The new team.' }),
  errors: [404, 409],
});

export const teams_getTeam = endpoint({
  id: 'teams_getTeam',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}',
  tag: 'teams',
  summary: 'Get a team',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(TeamPath),
  response: json(Team, { description: 'The team.' }),
  errors: [404],
});

export const teams_update = endpoint({
  id: 'teams_update',
  method: 'PATCH',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}',
  tag: 'teams',
  summary: "Update a team's display name",
  description: 'The name of the team stays, and with it its URL.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(TeamPath),
  request: json(Type.Object({ display_name: DisplayName })),
  response: json(Team, { description: 'The updated team.' }),
  errors: [404],
});

export const teams_delete = endpoint({
  id: 'teams_delete',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}',
  tag: 'teams',
  summary: 'Delete a team',
  description: 'Members of the team stay in the organization, and immediately lose the access that came from the team.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(TeamPath),
  response: empty({ description: 'The team is deleted.' }),
  errors: [404],
});

export const teams_getUsers = endpoint({
  id: 'teams_getUsers',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}/users',
  tag: 'teams',
  summary: 'List the members of a team',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(TeamPath),
  response: json(Type.Array(TeamMember), { description: 'The members, sorted by name.' }),
  errors: [404],
});

export const teams_addUser = endpoint({
  id: 'teams_addUser',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}/users',
  tag: 'teams',
  summary: 'Add a member of the organization to a team',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(TeamPath),
  request: json(Type.Object({ user_email: Email })),
  response: json(TeamMember, { status: 201, description: 'The new member.' }),
  errors: [404, 409],
});

export const teams_removeUser = endpoint({
  id: 'teams_removeUser',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}/users/{user_name}',
  tag: 'teams',
  summary: 'Remove a member from a team',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(TeamUserPath),
  response: empty({ description: 'The user is removed and immediately loses the access that came from the team.' }),
  errors: [404],
});

export const teams_listApps = endpoint({
  id: 'teams_listApps',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}/apps',
  tag: 'teams',
  summary: 'List the apps of a team that the caller can see',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(TeamPath),
  response: json(Type.Array(TeamApp), { description: 'The apps, sorted by display name.' }),
  errors: [404],
});

export const teams_addApp = endpoint({
  id: 'teams_addApp',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}/apps',
  tag: 'teams',
  summary: 'Add an app of the organization to a team (default permission: developer)',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(TeamPath),
  request: json(Type.Object({ name: PathName, permissions: Type.Optional(GrantablePermissions) })),
  response: json(TeamApp, { status: 201, description: 'The app.' }),
  errors: [404, 409],
});

export const teams_updatePermissions = endpoint({
  id: 'teams_updatePermissions',
  method: 'PATCH',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}/apps/{app_name}',
  tag: 'teams',
  summary: 'Update the permission of a team on an app',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(TeamAppPath),
  request: json(Type.Object({ permissions: GrantablePermissions })),
  response: json(TeamApp, { description: 'The updated app.' }),
  errors: [404],
});

export const teams_removeApp = endpoint({
  id: 'teams_removeApp',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}/apps/{app_name}',
  tag: 'teams',
  summary: 'Remove an app from a team',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(TeamAppPath),
  response: empty({ description: 'The team immediately loses access to the app.' }),
  errors: [404],
});
