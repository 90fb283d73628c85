import {
  type OutputOf,
  orgRoles,
  serviceAccounts_create,
  serviceAccounts_delete,
  serviceAccounts_list,
} from '@mooring/contract';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { org } from './orgs.ts';

const columns: Column<OutputOf<typeof serviceAccounts_create>>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'ROLE', value: ({ role }) => role },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
  { header: 'CREATED', value: ({ created_at }) => created_at, isTime: true },
];

export const serviceAccountCommands = [
  operation({
    name: 'service-accounts list',
    endpoint: serviceAccounts_list,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns,
  }),
  operation({
    name: 'service-accounts create',
    endpoint: serviceAccounts_create,
    arguments: { org, 'display-name': { summary: 'The name to show' } },
    options: {
      name: { value: 'NAME', summary: 'Name (default: made from the name to show)' },
      role: { value: 'ROLE', summary: 'What it is in the organization', choices: orgRoles },
    },
    input: ({ args, options }) => ({
      params: { org_name: args.org },
      body: { display_name: args['display-name'], name: options.name, role: options.role },
    }),
    columns,
    done: ({ args }, { name }) =>
      `It acts by its tokens: "mooring tokens create --service-account ${args.org}/${name}".`,
  }),
  operation({
    name: 'service-accounts delete',
    endpoint: serviceAccounts_delete,
    arguments: { org, account: { summary: 'Name of the account' } },
    input: ({ args }) => ({ params: { org_name: args.org, account_name: args.account } }),
    confirm: ({ args }) => `Delete ${args.account} and its tokens?`,
    done: ({ args }) => `Deleted ${args.account}.`,
  }),
];
