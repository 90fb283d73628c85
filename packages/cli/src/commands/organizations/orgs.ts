import {
  apps_listGlances,
  type EndpointOutput,
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
import { org } from '../../arguments/targets.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

const user = { summary: 'Name of the user' } as const;

const columns: Column<EndpointOutput<typeof organizations_get>>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
  { header: 'CREATED', value: ({ created_at }) => created_at, isTime: true },
  { header: 'ID', value: ({ id }) => id },
];

const memberColumns: Column<EndpointOutput<typeof users_updateOrgRole>>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'ROLE', value: ({ role }) => role },
  { header: 'EMAIL', value: ({ email }) => email },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
  { header: 'JOINED', value: ({ joined_at }) => joined_at, isTime: true },
];

export const orgCommands = [
  operation({
    name: 'orgs list',
    endpoint: organizations_list,
    summary: 'List the organizations that you belong to',
    columns: [
      { header: 'NAME', value: ({ name }) => name },
      { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
    ],
  }),
  operation({
    name: 'orgs show',
    endpoint: organizations_get,
    summary: 'Show an organization',
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns,
  }),
  operation({
    name: 'orgs overview',
    summary: 'List the apps of an organization with their latest release, last build, open crashes and alerts',
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
    summary: 'Create an organization, with you as its admin',
    arguments: { 'display-name': { summary: 'Display name' } },
    options: { name: { value: 'NAME', summary: 'Name in URLs (default: derived from the display name)' } },
    input: ({ args, options }) => ({ body: { display_name: args['display-name'], name: options.name } }),
    line: ({ name }) => name,
  }),
  operation({
    name: 'orgs update',
    summary: 'Rename an organization',
    endpoint: organizations_update,
    arguments: { org },
    options: {
      name: { value: 'NAME', summary: 'New name in URLs' },
      'display-name': { value: 'TEXT', summary: 'New display name' },
    },
    input: ({ args, options }) => ({
      params: { org_name: args.org },
      body: { name: options.name, display_name: options['display-name'] },
    }),
    columns,
  }),
  operation({
    name: 'orgs delete',
    summary: 'Delete an organization with its members, teams and invitations',
    endpoint: organizations_delete,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    confirm: ({ args }) => `Delete the organization ${args.org} with its members, teams and invitations?`,
    done: ({ args }) => `Deleted organization ${args.org}.`,
  }),
  operation({
    name: 'orgs members list',
    summary: 'List the members of an organization',
    endpoint: users_listForOrg,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns: memberColumns,
  }),
  operation({
    name: 'orgs members set',
    summary: 'Change the role of a member',
    endpoint: users_updateOrgRole,
    arguments: { org, user, role: { summary: 'New role', choices: orgRoles } },
    input: ({ args }) => ({ params: { org_name: args.org, user_name: args.user }, body: { role: args.role } }),
    columns: memberColumns,
  }),
  operation({
    name: 'orgs members remove',
    endpoint: users_removeFromOrg,
    summary: 'Remove a member from an organization, including its apps and teams; you can remove yourself',
    arguments: { org, user },
    input: ({ args }) => ({ params: { org_name: args.org, user_name: args.user } }),
    confirm: ({ args }) => `Remove ${args.user} from ${args.org}, including all its apps and teams?`,
    done: ({ args }) => `Removed ${args.user} from ${args.org}.`,
  }),
];
