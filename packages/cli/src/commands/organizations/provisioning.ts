import {
  adminOrgDomains_set,
  type EndpointOutput,
  orgProvisioning_get,
  orgScimTokens_create,
  orgScimTokens_delete,
  orgScimTokens_list,
} from '@mooring/contract';
import { org } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

const columns: Column<EndpointOutput<typeof orgScimTokens_list>[number]>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'DESCRIPTION', value: ({ description }) => description },
  { header: 'LAST FOUR', value: ({ last_four }) => last_four },
  { header: 'CREATED BY', value: ({ created_by }) => created_by },
  { header: 'CREATED', value: ({ created_at }) => created_at, isTime: true },
  { header: 'LAST USED', value: ({ last_used_at }) => last_used_at, isTime: true },
];

const stateColumns: Column<EndpointOutput<typeof orgProvisioning_get>>[] = [
  { header: 'SCIM URL', value: ({ base_url }) => base_url },
  { header: 'DOMAINS', value: ({ domains }) => domains.join(', ') },
  { header: 'USERS', value: ({ users }) => users },
  { header: 'GROUPS', value: ({ groups }) => groups },
];

export const provisioningCommands = [
  operation({
    name: 'provisioning show',
    summary: 'Show the SCIM URL, domains and size of the directory of an organization',
    endpoint: orgProvisioning_get,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns: stateColumns,
  }),
  operation({
    name: 'provisioning domains',
    summary: 'Set the email domains of an organization, as an administrator of the server',
    endpoint: adminOrgDomains_set,
    arguments: { org, domain: { summary: 'Domains, such as example.com', many: true } },
    input: ({ args }) => ({ params: { org_name: args.org }, body: { domains: args.domain } }),
    columns: [{ header: 'DOMAINS', value: ({ domains }) => domains.join(', ') }],
  }),
  operation({
    name: 'provisioning tokens list',
    summary: 'List the SCIM tokens of an organization, without their values',
    endpoint: orgScimTokens_list,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns,
  }),
  command({
    name: 'provisioning tokens create',
    summary: 'Create a SCIM token and print its value',
    arguments: { org },
    options: { description: { value: 'TEXT', summary: 'Description of the token' } },
    async run({ args, options, out, connect }) {
      const body = { description: options.description };
      const created = await connect().call(orgScimTokens_create, { params: { org_name: args.org }, body });
      out.value(created, created.scim_token);
      out.note(`Created SCIM token ${created.id}. Save the value: it is shown only once.`);
    },
  }),
  operation({
    name: 'provisioning tokens delete',
    summary: 'Revoke a SCIM token immediately',
    endpoint: orgScimTokens_delete,
    arguments: { org, id: { summary: 'Token ID, as in "mooring provisioning tokens list"' } },
    input: ({ args }) => ({ params: { org_name: args.org, scim_token_id: args.id } }),
    confirm: ({ args }) => `Revoke the SCIM token ${args.id}? The directory that uses it stops.`,
    done: ({ args }) => `Revoked SCIM token ${args.id}.`,
  }),
];
