import {
  type EndpointInput,
  type EndpointOutput,
  type GrantablePermission,
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
import { call, useArranged, useChange, useRead } from '../client.ts';

export type Team = EndpointOutput<typeof teams_listAll>[number];
export type TeamMember = EndpointOutput<typeof teams_getUsers>[number];
export type TeamApp = EndpointOutput<typeof teams_listApps>[number];
export type TeamRef = EndpointInput<typeof teams_getTeam>['params'];

const teamsKey = (org: string) => ['org', org, 'teams'];
const teamKey = ({ org_name, team_name }: TeamRef) => [...teamsKey(org_name), team_name];

export const useTeams = (org_name: string, enabled = true) =>
  useRead(teamsKey(org_name), () => call(teams_listAll, { params: { org_name } }), enabled);

/** Searched and sorted page by page. */
export const useArrangedTeams = (org_name: string, query: EndpointInput<typeof teams_listAll>['query']) =>
  useArranged(teamsKey(org_name), query, (page) => call(teams_listAll, { params: { org_name }, query: page }));

export const useTeam = (params: TeamRef) => useRead(teamKey(params), () => call(teams_getTeam, { params }));

export const useCreateTeam = (org_name: string) =>
  useChange(
    (body: EndpointInput<typeof teams_createTeam>['body']) => call(teams_createTeam, { params: { org_name }, body }),
    teamsKey(org_name),
  );

export const useRenameTeam = (params: TeamRef) =>
  useChange(
    (display_name: string) => call(teams_update, { params, body: { display_name } }),
    teamsKey(params.org_name),
  );

/** The user leaves the page of the deleted team, so only the list is refetched. */
export const useDeleteTeam = (params: TeamRef) => useChange(() => call(teams_delete, { params }));

export const useTeamMembers = (params: TeamRef) =>
  useRead([...teamKey(params), 'users'], () => call(teams_getUsers, { params }));

export const useAddTeamMember = (params: TeamRef) =>
  useChange((user_email: string) => call(teams_addUser, { params, body: { user_email } }), teamKey(params));

export const useRemoveTeamMember = (params: TeamRef) =>
  useChange((user_name: string) => call(teams_removeUser, { params: { ...params, user_name } }), teamKey(params));

export const useTeamApps = (params: TeamRef) =>
  useRead([...teamKey(params), 'apps'], () => call(teams_listApps, { params }));

export const useAddTeamApp = (params: TeamRef) =>
  useChange(
    ({ app_name, permission }: { app_name: string; permission: GrantablePermission }) =>
      call(teams_addApp, { params, body: { name: app_name, permissions: [permission] } }),
    teamKey(params),
  );

export const useSetTeamPermission = (params: TeamRef) =>
  useChange(
    ({ app_name, permission }: { app_name: string; permission: GrantablePermission }) =>
      call(teams_updatePermissions, { params: { ...params, app_name }, body: { permissions: [permission] } }),
    teamKey(params),
  );

export const useRemoveTeamApp = (params: TeamRef) =>
  useChange((app_name: string) => call(teams_removeApp, { params: { ...params, app_name } }), teamKey(params));
