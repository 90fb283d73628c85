import {
  givenPermissions,
  type OutputOf,
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
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { appRefOf } from './apps.ts';
import { org } from './orgs.ts';

const team = { summary: 'Name of the team' } as const;
const app = { summary: 'Name of the app, without its owner' } as const;
const ofTeam = (args: { org: string; team: string }) => ({ org_name: args.org, team_name: args.team });

const columns: Column<OutputOf<typeof teams_getTeam>>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
  { header: 'DESCRIPTION', value: ({ description }) => description },
];

const memberColumns: Column<OutputOf<typeof teams_addUser>>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'ROLE', value: ({ role }) => role },
  { header: 'E-MAIL', value: ({ email }) => email },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
];

const appColumns: Column<OutputOf<typeof teams_addApp>>[] = [
  { header: 'APP', value: appRefOf },
  { header: 'PERMISSION', value: ({ team_permissions }) => team_permissions?.join(', ') },
];

export const teamCommands = [
  operation({
    name: 'teams list',
    endpoint: teams_listAll,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns,
  }),
  operation({
    name: 'teams show',
    endpoint: teams_getTeam,
    summary: 'Shows a team',
    arguments: { org, team },
    input: ({ args }) => ({ params: ofTeam(args) }),
    columns,
  }),
  operation({
    name: 'teams create',
    endpoint: teams_createTeam,
    arguments: { org, 'display-name': { summary: 'The name to show' } },
    options: {
      name: { value: 'NAME', summary: 'Name in addresses (default: made from the name to show)' },
      description: { value: 'TEXT', summary: 'What it is for' },
    },
    input: ({ args, options }) => ({
      params: { org_name: args.org },
      body: { display_name: args['display-name'], name: options.name, description: options.description },
    }),
    line: ({ name }) => name,
  }),
  operation({
    name: 'teams update',
    endpoint: teams_update,
    arguments: { org, team, 'display-name': { summary: 'New name to show' } },
    input: ({ args }) => ({ params: ofTeam(args), body: { display_name: args['display-name'] } }),
    columns,
  }),
  operation({
    name: 'teams delete',
    endpoint: teams_delete,
    arguments: { org, team },
    input: ({ args }) => ({ params: ofTeam(args) }),
    confirm: ({ args }) => `Delete the team ${args.team}? Its members lose what they could do by it.`,
    done: ({ args }) => `Deleted ${args.team}.`,
  }),
  operation({
    name: 'teams members list',
    endpoint: teams_getUsers,
    arguments: { org, team },
    input: ({ args }) => ({ params: ofTeam(args) }),
    columns: memberColumns,
  }),
  operation({
    name: 'teams members add',
    endpoint: teams_addUser,
    arguments: { org, team, email: { summary: 'E-mail of a member of the organization' } },
    input: ({ args }) => ({ params: ofTeam(args), body: { user_email: args.email } }),
    columns: memberColumns,
  }),
  operation({
    name: 'teams members remove',
    endpoint: teams_removeUser,
    arguments: { org, team, user: { summary: 'Name of the member' } },
    input: ({ args }) => ({ params: { ...ofTeam(args), user_name: args.user } }),
    done: ({ args }) => `${args.user} is no longer in ${args.team}.`,
  }),
  operation({
    name: 'teams apps list',
    endpoint: teams_listApps,
    summary: 'Lists the apps of a team that you can see',
    arguments: { org, team },
    input: ({ args }) => ({ params: ofTeam(args) }),
    columns: appColumns,
  }),
  operation({
    name: 'teams apps add',
    endpoint: teams_addApp,
    arguments: { org, team, app },
    options: {
      permission: {
        value: 'PERMISSION',
        summary: 'What its members may do (default: developer)',
        choices: givenPermissions,
      },
    },
    input: ({ args, options }) => ({
      params: ofTeam(args),
      body: { name: args.app, ...(options.permission ? { permissions: [options.permission] } : {}) },
    }),
    columns: appColumns,
  }),
  operation({
    name: 'teams apps set',
    endpoint: teams_updatePermissions,
    arguments: { org, team, app, permission: { summary: 'What its members may do', choices: givenPermissions } },
    input: ({ args }) => ({
      params: { ...ofTeam(args), app_name: args.app },
      body: { permissions: [args.permission] },
    }),
    columns: appColumns,
  }),
  operation({
    name: 'teams apps remove',
    endpoint: teams_removeApp,
    arguments: { org, team, app },
    input: ({ args }) => ({ params: { ...ofTeam(args), app_name: args.app } }),
    done: ({ args }) => `${args.team} has no access to ${args.app} any more.`,
  }),
];
