import {
  type EndpointOutput,
  grantablePermissions,
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
import { org } from '../../arguments/targets.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';
import { formatAppRef } from './apps.ts';

const team = { summary: 'Name of the team' } as const;
const app = { summary: 'Name of the app, without the owner' } as const;
const toParams = (args: { org: string; team: string }) => ({ org_name: args.org, team_name: args.team });

const columns: Column<EndpointOutput<typeof teams_getTeam>>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
  { header: 'DESCRIPTION', value: ({ description }) => description },
];

const memberColumns: Column<EndpointOutput<typeof teams_addUser>>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'ROLE', value: ({ role }) => role },
  { header: 'EMAIL', value: ({ email }) => email },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
];

const appColumns: Column<EndpointOutput<typeof teams_addApp>>[] = [
  { header: 'APP', value: formatAppRef },
  { header: 'PERMISSION', value: ({ team_permissions }) => team_permissions?.join(', ') },
];

export const teamCommands = [
  operation({
    name: 'teams list',
    summary: 'List the teams of an organization',
    endpoint: teams_listAll,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns,
  }),
  operation({
    name: 'teams show',
    endpoint: teams_getTeam,
    summary: 'Show a team',
    arguments: { org, team },
    input: ({ args }) => ({ params: toParams(args) }),
    columns,
  }),
  operation({
    name: 'teams create',
    summary: 'Create an empty team',
    endpoint: teams_createTeam,
    arguments: { org, 'display-name': { summary: 'Display name' } },
    options: {
      name: { value: 'NAME', summary: 'Name in URLs (default: derived from the display name)' },
      description: { value: 'TEXT', summary: 'Description' },
    },
    input: ({ args, options }) => ({
      params: { org_name: args.org },
      body: { display_name: args['display-name'], name: options.name, description: options.description },
    }),
    line: ({ name }) => name,
  }),
  operation({
    name: 'teams update',
    summary: 'Change the display name of a team',
    endpoint: teams_update,
    arguments: { org, team, 'display-name': { summary: 'New display name' } },
    input: ({ args }) => ({ params: toParams(args), body: { display_name: args['display-name'] } }),
    columns,
  }),
  operation({
    name: 'teams delete',
    summary: 'Delete a team',
    endpoint: teams_delete,
    arguments: { org, team },
    input: ({ args }) => ({ params: toParams(args) }),
    confirm: ({ args }) => `Delete the team ${args.team}? Its members lose the permissions of the team.`,
    done: ({ args }) => `Deleted team ${args.team}.`,
  }),
  operation({
    name: 'teams members list',
    summary: 'List the members of a team',
    endpoint: teams_getUsers,
    arguments: { org, team },
    input: ({ args }) => ({ params: toParams(args) }),
    columns: memberColumns,
  }),
  operation({
    name: 'teams members add',
    summary: 'Add a member of the organization to a team',
    endpoint: teams_addUser,
    arguments: { org, team, email: { summary: 'Email of a member of the organization' } },
    input: ({ args }) => ({ params: toParams(args), body: { user_email: args.email } }),
    columns: memberColumns,
  }),
  operation({
    name: 'teams members remove',
    summary: 'Remove a member from a team',
    endpoint: teams_removeUser,
    arguments: { org, team, user: { summary: 'Name of the member' } },
    input: ({ args }) => ({ params: { ...toParams(args), user_name: args.user } }),
    done: ({ args }) => `Removed ${args.user} from ${args.team}.`,
  }),
  operation({
    name: 'teams apps list',
    endpoint: teams_listApps,
    summary: 'List the apps of a team',
    arguments: { org, team },
    input: ({ args }) => ({ params: toParams(args) }),
    columns: appColumns,
  }),
  operation({
    name: 'teams apps add',
    summary: 'Add an app of the organization to a team',
    endpoint: teams_addApp,
    arguments: { org, team, app },
    options: {
      permission: {
        value: 'PERMISSION',
        summary: 'Permission of the team on the app (default developer)',
        choices: grantablePermissions,
      },
    },
    input: ({ args, options }) => ({
      params: toParams(args),
      body: { name: args.app, ...(options.permission ? { permissions: [options.permission] } : {}) },
    }),
    columns: appColumns,
  }),
  operation({
    name: 'teams apps set',
    summary: 'Change the permission of a team on an app',
    endpoint: teams_updatePermissions,
    arguments: {
      org,
      team,
      app,
      permission: { summary: 'Permission of the team on the app', choices: grantablePermissions },
    },
    input: ({ args }) => ({
      params: { ...toParams(args), app_name: args.app },
      body: { permissions: [args.permission] },
    }),
    columns: appColumns,
  }),
  operation({
    name: 'teams apps remove',
    summary: 'Remove an app from a team',
    endpoint: teams_removeApp,
    arguments: { org, team, app },
    input: ({ args }) => ({ params: { ...toParams(args), app_name: args.app } }),
    done: ({ args }) => `Removed ${args.app} from ${args.team}.`,
  }),
];
