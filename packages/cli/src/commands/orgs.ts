import {
  apps_listGlances,
  type OutputOf,
  organizations_createOrUpdate,
  organizations_delete,
  organizations_get,
  organizations_list,
  organizations_update,
  orgRoles,
  users_listForOrg,
  users_removeFromOrg,
  users_updateOrgRole,
} from '@mooring/contract';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';

export const org = { summary: 'Name of the organization' } as const;
const user = { summary: 'Name of the user' } as const;

const columns: Column<OutputOf<typeof organizations_get>>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
  { header: 'CREATED', value: ({ created_at }) => created_at, isTime: true },
  { header: 'ID', value: ({ id }) => id },
];

const memberColumns: Column<OutputOf<typeof users_updateOrgRole>>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'ROLE', value: ({ role }) => role },
  { header: 'E-MAIL', value: ({ email }) => email },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
  { header: 'JOINED', value: ({ joined_at }) => joined_at, isTime: true },
];

export const orgCommands = [
  operation({
    name: 'orgs list',
    endpoint: organizations_list,
    summary: 'Lists the organizations that you belong to',
    columns: [
      { header: 'NAME', value: ({ name }) => name },
      { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
    ],
  }),
  operation({
    name: 'orgs show',
    endpoint: organizations_get,
    summary: 'Shows an organization',
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns,
  }),
  operation({
    name: 'orgs overview',
    endpoint: apps_listGlances,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns: [
      { header: 'APP', value: ({ name }) => name },
      { header: 'RELEASE', value: ({ latest_release }) => latest_release?.short_version },
      { header: 'BUILD', value: ({ last_build }) => last_build && `${last_build.id} ${last_build.result}` },
      { header: 'OPEN CRASHES', value: ({ open_crashes }) => open_crashes },
      { header: 'ALERTS', value: ({ alerting_rules }) => alerting_rules },
    ],
  }),
  operation({
    name: 'orgs create',
    endpoint: organizations_createOrUpdate,
    summary: 'Creates an organization, with you as its admin',
    arguments: { 'display-name': { summary: 'The name to show' } },
    options: { name: { value: 'NAME', summary: 'Name in addresses (default: made from the name to show)' } },
    input: ({ args, options }) => ({ body: { display_name: args['display-name'], name: options.name } }),
    line: ({ name }) => name,
  }),
  operation({
    name: 'orgs update',
    endpoint: organizations_update,
    arguments: { org },
    options: {
      name: { value: 'NAME', summary: 'New name in addresses' },
      'display-name': { value: 'TEXT', summary: 'New name to show' },
    },
    input: ({ args, options }) => ({
      params: { org_name: args.org },
      body: { name: options.name, display_name: options['display-name'] },
    }),
    columns,
  }),
  operation({
    name: 'orgs delete',
    endpoint: organizations_delete,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    confirm: ({ args }) => `Delete ${args.org} with its members, teams and invitations?`,
    done: ({ args }) => `Deleted ${args.org}.`,
  }),
  operation({
    name: 'orgs members list',
    endpoint: users_listForOrg,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns: memberColumns,
  }),
  operation({
    name: 'orgs members set',
    endpoint: users_updateOrgRole,
    arguments: { org, user, role: { summary: 'What they are in it', choices: orgRoles } },
    input: ({ args }) => ({ params: { org_name: args.org, user_name: args.user }, body: { role: args.role } }),
    columns: memberColumns,
  }),
  operation({
    name: 'orgs members remove',
    endpoint: users_removeFromOrg,
    summary: 'Removes a member, from the apps and teams of the organization too; you may remove yourself',
    arguments: { org, user },
    input: ({ args }) => ({ params: { org_name: args.org, user_name: args.user } }),
    confirm: ({ args }) => `Remove ${args.user} from ${args.org} with all its apps and teams?`,
    done: ({ args }) => `${args.user} is no longer a member of ${args.org}.`,
  }),
];
