import {
  appApiTokens_create,
  appApiTokens_delete,
  appApiTokens_list,
  type OutputOf,
  serviceAccountTokens_create,
  serviceAccountTokens_delete,
  serviceAccountTokens_list,
  tokenSorts,
  userApiTokens_create,
  userApiTokens_delete,
  userApiTokens_list,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { arrangementOf, listOptions } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readAccount, readApp } from '../targets.ts';
import { readTime } from '../times.ts';

const whose = {
  app: { value: 'OWNER/APP', summary: 'The tokens of this app, instead of your own' },
  'service-account': { value: 'ORG/ACCOUNT', summary: 'The tokens of this service account, instead of your own' },
} as const;

type Whose = { app: ReturnType<typeof readApp> } | { account: ReturnType<typeof readAccount> } | undefined;

function readWhose(options: { app?: string; 'service-account'?: string }): Whose {
  const { app, 'service-account': account } = options;
  if (app !== undefined && account !== undefined) {
    throw wrongUsage('Give one of --app and --service-account, not both.');
  }
  if (app !== undefined) return { app: readApp(app, '--app') };
  return account === undefined ? undefined : { account: readAccount(account) };
}

const scopeName = (scope: readonly string[]): string => (scope.includes('all') ? 'Full Access' : 'Read-Only');

export const tokenColumns: Column<OutputOf<typeof userApiTokens_list>[number]>[] = [
  { header: 'ID', value: (token) => token.id },
  { header: 'DESCRIPTION', value: (token) => token.description },
  { header: 'SCOPE', value: (token) => scopeName(token.scope) },
  { header: 'ENDS IN', value: (token) => token.last_four },
  { header: 'BY', value: (token) => token.created_by },
  { header: 'CREATED', value: (token) => token.created_at, isTime: true },
  { header: 'LAST USED', value: (token) => token.last_used_at, isTime: true },
  { header: 'EXPIRES', value: (token) => token.expires_at, isTime: true },
];

export const tokenCommands = [
  command({
    name: 'tokens list',
    summary: 'Lists API tokens, without their values',
    options: { ...whose, ...listOptions(tokenSorts) },
    async run({ options, out, connect }) {
      const of = readWhose(options);
      const query = arrangementOf(options);
      const { call } = connect();
      const listed = !of
        ? call(userApiTokens_list, { query })
        : 'app' in of
          ? call(appApiTokens_list, { params: of.app, query })
          : call(serviceAccountTokens_list, { params: of.account, query });
      const tokens = await listed;
      out.table(tokens, tokens, tokenColumns);
    },
  }),
  command({
    name: 'tokens create',
    summary: 'Creates an API token and prints its value, once',
    options: {
      ...whose,
      description: { value: 'TEXT', summary: 'What it is for' },
      'read-only': { summary: 'Only for reading; otherwise it has Full Access' },
      expires: { value: 'WHEN', summary: 'A date (midnight UTC), a time, or a span such as 12h, 30d or 8w' },
    },
    async run({ options, out, connect }) {
      const of = readWhose(options);
      const body = {
        description: options.description,
        scope: [options['read-only'] ? ('viewer' as const) : ('all' as const)],
        expires_at: readTime('--expires', options.expires, { now: Date.now(), direction: 1 }),
      };
      const { call } = connect();
      const making = !of
        ? call(userApiTokens_create, { body })
        : 'app' in of
          ? call(appApiTokens_create, { params: of.app, body })
          : call(serviceAccountTokens_create, { params: of.account, body });
      const made = await making;
      out.value(made, made.api_token);
      const end = made.expires_at ? `expires ${made.expires_at}` : 'does not expire';
      out.note(`Token ${made.id} has ${scopeName(made.scope)} and ${end}. Keep its value: it is shown only now.`);
    },
  }),
  command({
    name: 'tokens delete',
    summary: 'Revokes API tokens at once',
    arguments: { id: { summary: 'Ids, as in "mooring tokens list"', many: true } },
    options: whose,
    async run({ args, options, out, connect }) {
      const of = readWhose(options);
      const { call } = connect();
      for (const api_token_id of args.id) {
        if (!of) await call(userApiTokens_delete, { params: { api_token_id } });
        else if ('app' in of) await call(appApiTokens_delete, { params: { ...of.app, api_token_id } });
        else await call(serviceAccountTokens_delete, { params: { ...of.account, api_token_id } });
        out.note(`Revoked ${api_token_id}.`);
      }
    },
  }),
];
