import {
  type EndpointOutput,
  orgRoles,
  serviceAccounts_create,
  serviceAccounts_delete,
  serviceAccounts_list,
} from '@mooring/contract';
import { org } from '../../arguments/targets.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

const columns: Column<EndpointOutput<typeof serviceAccounts_create>>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'ROLE', value: ({ role }) => role },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
  { header: 'CREATED', value: ({ created_at }) => created_at, isTime: true },
];

export const serviceAccountCommands = [
  operation({
    name: 'service-accounts list',
    summary: 'List the service accounts of an organization',
    endpoint: serviceAccounts_list,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns,
  }),
  operation({
    name: 'service-accounts create',
    summary: 'Create a service account',
    endpoint: serviceAccounts_create,
    arguments: { org, 'display-name': { summary: 'Display name' } },
    options: {
      name: { value: 'NAME', summary: 'Name (default: derived from the display name)' },
      role: { value: 'ROLE', summary: 'Role in the organization', choices: orgRoles },
    },
    input: ({ args, options }) => ({
      params: { org_name: args.org },
      body: { display_name: args['display-name'], name: options.name, role: options.role },
    }),
    columns,
    done: ({ args }, { name }) =>
      `Create a token for it with "mooring tokens create --service-account ${args.org}/${name}".`,
  }),
  operation({
    name: 'service-accounts delete',
    summary: 'Delete a service account and its tokens',
    endpoint: serviceAccounts_delete,
    arguments: { org, account: { summary: 'Name of the service account' } },
    input: ({ args }) => ({ params: { org_name: args.org, account_name: args.account } }),
    confirm: ({ args }) => `Delete the service account ${args.account} and its tokens?`,
    done: ({ args }) => `Deleted service account ${args.account}.`,
  }),
];
