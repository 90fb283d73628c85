import {
  appApiTokens_create,
  appApiTokens_delete,
  appApiTokens_list,
  userApiTokens_create,
  userApiTokens_delete,
  userApiTokens_list,
} from '@mooring/contract';
import { readApp } from '../app-address.ts';
import { readExpiry } from '../expiry.ts';
import { command } from '../runner/command.ts';

const appOption = { value: 'OWNER/APP', summary: 'The tokens of this app, instead of your own' } as const;

const scopeName = (scope: readonly string[]): string => (scope.includes('all') ? 'Full Access' : 'Read-Only');

export const tokenCommands = [
  command({
    name: 'tokens list',
    summary: 'Lists API tokens, without their values',
    options: { app: appOption },
    async run({ options, out, connect }) {
      const params = options.app && readApp(options.app);
      const { call } = connect();
      const tokens = params ? await call(appApiTokens_list, { params }) : await call(userApiTokens_list);
      out.table(tokens, tokens, [
        { header: 'ID', value: (token) => token.id },
        { header: 'DESCRIPTION', value: (token) => token.description },
        { header: 'SCOPE', value: (token) => scopeName(token.scope) },
        { header: 'ENDS IN', value: (token) => token.last_four },
        { header: 'BY', value: (token) => token.created_by },
        { header: 'CREATED', value: (token) => token.created_at, isTime: true },
        { header: 'LAST USED', value: (token) => token.last_used_at, isTime: true },
        { header: 'EXPIRES', value: (token) => token.expires_at, isTime: true },
      ]);
    },
  }),
  command({
    name: 'tokens create',
    summary: 'Creates an API token and prints its value, once',
    options: {
      app: appOption,
      description: { value: 'TEXT', summary: 'What it is for' },
      'read-only': { summary: 'Only for reading; otherwise it has Full Access' },
      expires: { value: 'WHEN', summary: 'A date (midnight UTC), a time, or a span such as 12h, 30d or 8w' },
    },
    async run({ options, out, connect }) {
      const params = options.app && readApp(options.app);
      const body = {
        description: options.description,
        scope: [options['read-only'] ? ('viewer' as const) : ('all' as const)],
        expires_at: readExpiry(options.expires, Date.now()),
      };
      const { call } = connect();
      const made = params
        ? await call(appApiTokens_create, { params, body })
        : await call(userApiTokens_create, { body });
      out.value(made, made.api_token);
      const end = made.expires_at ? `expires ${made.expires_at}` : 'does not expire';
      out.note(`Token ${made.id} has ${scopeName(made.scope)} and ${end}. Keep its value: it is shown only now.`);
    },
  }),
  command({
    name: 'tokens delete',
    summary: 'Revokes API tokens at once',
    arguments: { id: { summary: 'Ids, as in "mooring tokens list"', many: true } },
    options: { app: appOption },
    async run({ args, options, out, connect }) {
      const app = options.app && readApp(options.app);
      const { call } = connect();
      for (const api_token_id of args.id) {
        if (app) await call(appApiTokens_delete, { params: { ...app, api_token_id } });
        else await call(userApiTokens_delete, { params: { api_token_id } });
        out.note(`Revoked ${api_token_id}.`);
      }
    },
  }),
];
