import {
  adminOauthClients_create,
  adminOauthClients_delete,
  adminOauthClients_list,
  type OutputOf,
} from '@mooring/contract';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';

type Client = OutputOf<typeof adminOauthClients_create>;

const columns: Column<Client>[] = [
  { header: 'CLIENT ID', value: ({ client_id }) => client_id },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'FLOW', value: ({ allows_implicit }) => (allows_implicit ? 'code, implicit' : 'code') },
  { header: 'REDIRECT URIS', value: ({ redirect_uris }) => redirect_uris.join(' ') },
];

const client = { summary: 'ID of the client' } as const;

export const oauthClientCommands = [
  operation({ name: 'admin oauth-clients list', endpoint: adminOauthClients_list, columns }),
  operation({
    name: 'admin oauth-clients create',
    endpoint: adminOauthClients_create,
    arguments: {
      name: { summary: 'Name that people see when they are asked' },
      'redirect-uris': { summary: 'URIs that responses may go to', many: true },
    },
    options: {
      flow: {
        value: 'FLOW',
        summary: 'How the client gets its tokens: code (with PKCE), or implicit for clients that cannot use a code',
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
    endpoint: adminOauthClients_delete,
    arguments: { client },
    input: ({ args }) => ({ params: { client_id: args.client } }),
    confirm: ({ args }) => `Delete the OAuth client ${args.client}? Its access tokens stop working.`,
    done: ({ args }) => `Deleted OAuth client ${args.client}.`,
  }),
];
