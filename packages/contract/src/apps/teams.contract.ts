import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Description, DisplayName, Email, OrgPath, ownerNamePattern, PathName, Uuid } from '../fields.ts';
import { unpagedListQuery } from '../paging.ts';
import { appPermissions, givenPermissions } from '../permissions.ts';
import { Type } from '../type.ts';
import { App, GivenPermissions } from './apps.contract.ts';

const teamFields = {
  id: Uuid,
  name: Type.String(),
  display_name: Type.String(),
  description: Type.Optional(Type.String()),
};

export const Team = Type.Object(teamFields, { $id: 'Team' });

const TeamOfApp = Type.Object({
  ...teamFields,
  permissions: Type.Optional(Type.Array(Type.Enum([...appPermissions]), { description: 'What its members may do.' })),
});

export const TeamMember = Type.Object(
  {
    email: Type.String(),
    display_name: Type.String(),
    name: Type.String(),
    role: Type.Enum(['maintainer', 'collaborator'], {
      description: 'maintainer for an admin of the organization, collaborator for everybody else.',
    }),
  },
  { $id: 'TeamMember' },
);

export const TeamApp = Type.Object(
  {
    ...App.properties,
    team_permissions: Type.Optional(
      Type.Array(Type.Enum([...givenPermissions]), { description: 'What the members of the team may do.' }),
    ),
  },
  { $id: 'TeamApp' },
);

const TeamName = Type.String({
  pattern: ownerNamePattern,
  description: 'Letters, digits, "-", "_" and "."; at most 100 characters; unique in the organization.',
});

const TeamPath = { ...OrgPath, team_name: PathName };
const TeamUserPath = { ...TeamPath, user_name: PathName };
const TeamAppPath = { ...TeamPath, app_name: PathName };

export const apps_getTeams = endpoint({
  id: 'apps_getTeams',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/teams',
  tag: 'teams',
  summary: 'Lists the teams that have access to an app, with their permissions',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(TeamOfApp), { description: 'By name; none if a user owns the app.' }),
  errors: [404],
});

export const teams_listAll = endpoint({
  id: 'teams_listAll',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/teams',
  tag: 'teams',
  summary: 'Lists the teams of an organization',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  query: Type.Object(unpagedListQuery(['name', 'display_name'], 'the name, the display name or the description')),
  response: json(Type.Array(Team), { description: 'By name, unless another order is asked for.' }),
  errors: [404],
});

export const teams_createTeam = endpoint({
  id: 'teams_createTeam',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/teams',
  tag: 'teams',
  summary: 'Creates a team, without members and apps',
  description: 'Without a name, one is made from the display name.',
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
  summary: 'Returns a team',
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
  summary: "Changes a team's display name",
  description: 'Its name, and so its address, stays.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(TeamPath),
  request: json(Type.Object({ display_name: DisplayName })),
  response: json(Team, { description: 'The team after the change.' }),
  errors: [404],
});

export const teams_delete = endpoint({
  id: 'teams_delete',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}',
  tag: 'teams',
  summary: 'Deletes a team',
  description: 'Its members stay in the organization; what they could do by the team ends with the next request.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(TeamPath),
  response: empty({ description: 'The team is gone.' }),
  errors: [404],
});

export const teams_getUsers = endpoint({
  id: 'teams_getUsers',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}/users',
  tag: 'teams',
  summary: 'Lists the members of a team',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(TeamPath),
  response: json(Type.Array(TeamMember), { description: 'By name.' }),
  errors: [404],
});

export const teams_addUser = endpoint({
  id: 'teams_addUser',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}/users',
  tag: 'teams',
  summary: 'Adds a member of the organization to a team',
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
  summary: 'Removes a member from a team',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(TeamUserPath),
  response: empty({ description: 'They are no longer in the team, from the next request on.' }),
  errors: [404],
});

export const teams_listApps = endpoint({
  id: 'teams_listApps',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}/apps',
  tag: 'teams',
  summary: 'Lists the apps of a team that the caller can see',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(TeamPath),
  response: json(Type.Array(TeamApp), { description: 'By display name.' }),
  errors: [404],
});

export const teams_addApp = endpoint({
  id: 'teams_addApp',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}/apps',
  tag: 'teams',
  summary: 'Adds an app of the organization to a team, as developer unless another permission is named',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(TeamPath),
  request: json(Type.Object({ name: PathName, permissions: Type.Optional(GivenPermissions) })),
  response: json(TeamApp, { status: 201, description: 'The app.' }),
  errors: [404, 409],
});

export const teams_updatePermissions = endpoint({
  id: 'teams_updatePermissions',
  method: 'PATCH',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}/apps/{app_name}',
  tag: 'teams',
  summary: 'Changes what the members of a team may do to an app',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(TeamAppPath),
  request: json(Type.Object({ permissions: GivenPermissions })),
  response: json(TeamApp, { description: 'The app after the change.' }),
  errors: [404],
});

export const teams_removeApp = endpoint({
  id: 'teams_removeApp',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/teams/{team_name}/apps/{app_name}',
  tag: 'teams',
  summary: 'Removes an app from a team',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(TeamAppPath),
  response: empty({ description: 'The team has no access to it, from the next request on.' }),
  errors: [404],
});
