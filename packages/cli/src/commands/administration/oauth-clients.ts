import {
  adminOauthClients_create,
  adminOauthClients_delete,
  adminOauthClients_list,
  type EndpointOutput,
} from '@mooring/contract';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

type Client = EndpointOutput<typeof adminOauthClients_create>;

const columns: Column<Client>[] = [
  { header: 'CLIENT ID', value: ({ client_id }) => client_id },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'FLOW', value: ({ allows_implicit }) => (allows_implicit ? 'code, implicit' : 'code') },
  { header: 'REDIRECT URIS', value: ({ redirect_uris }) => redirect_uris.join(' ') },
];

const client = { summary: 'Client ID, as in "mooring admin oauth-clients list"' } as const;

export const oauthClientCommands = [
  operation({
    name: 'admin oauth-clients list',
    summary: 'List OAuth clients',
    endpoint: adminOauthClients_list,
    columns,
  }),
  operation({
    name: 'admin oauth-clients create',
    summary: 'Register an OAuth client',
    endpoint: adminOauthClients_create,
    arguments: {
      name: { summary: 'Name shown on the consent page' },
      'redirect-uris': { summary: 'Allowed redirect URIs', many: true },
    },
    options: {
      flow: {
        value: 'FLOW',
        summary: "OAuth flow: code (with PKCE), or implicit for clients that don't support it",
        choices: ['code', 'implicit'],
        required: true,
      },
    },
    input: ({ args, options }) => ({
      body: {
        name: args.name,
        redirect_uris: args['redirect-uris'],
        allows_implicit: options.flow === 'implicit',
      },
    }),
    columns,
  }),
  operation({
    name: 'admin oauth-clients delete',
    summary: 'Delete an OAuth client',
    endpoint: adminOauthClients_delete,
    arguments: { client },
    input: ({ args }) => ({ params: { client_id: args.client } }),
    confirm: ({ args }) => `Delete the OAuth client ${args.client}? Its access tokens become invalid.`,
    done: ({ args }) => `Deleted OAuth client ${args.client}.`,
  }),
];
