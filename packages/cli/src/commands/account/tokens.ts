import {
  appApiTokens_create,
  appApiTokens_delete,
  appApiTokens_list,
  type EndpointOutput,
  serviceAccountTokens_create,
  serviceAccountTokens_delete,
  serviceAccountTokens_list,
  type TokenScopeValue,
  tokenPermissions,
  tokenSorts,
  userApiTokens_create,
  userApiTokens_delete,
  userApiTokens_list,
} from '@mooring/contract';
import { readAccount, readApp } from '../../arguments/targets.ts';
import { readTime } from '../../arguments/times.ts';
import { command } from '../../framework/command.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { listOptions, toListQuery } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

const ownerOptions = {
  app: { value: 'OWNER/APP', summary: 'App whose tokens to use (default: your own tokens)' },
  'service-account': {
    value: 'ORG/ACCOUNT',
    summary: 'Service account whose tokens to use (default: your own tokens)',
  },
} as const;

type TokenOwner = { app: ReturnType<typeof readApp> } | { account: ReturnType<typeof readAccount> } | undefined;

function readTokenOwner(options: { app?: string; 'service-account'?: string }): TokenOwner {
  const { app, 'service-account': account } = options;
  if (app !== undefined && account !== undefined) {
    throw wrongUsage("--app and --service-account can't be combined.");
  }
  if (app !== undefined) return { app: readApp(app, '--app') };
  return account === undefined ? undefined : { account: readAccount(account) };
}

function scopeName(scope: readonly string[]): string {
  if (scope.includes('all')) return 'Full Access';
  return scope.includes('viewer') ? 'Read-Only' : scope.join(' ');
}

function readScope(options: { 'read-only'?: boolean; permissions?: string }): TokenScopeValue[] {
  if (options.permissions === undefined) return [options['read-only'] ? 'viewer' : 'all'];
  if (options['read-only']) throw wrongUsage("--read-only and --permissions can't be combined.");
  const permissions = splitNames(options.permissions);
  const unknown = permissions.find((each) => !(tokenPermissions as readonly string[]).includes(each));
  if (unknown !== undefined || permissions.length === 0) {
    throw wrongUsage(`--permissions: "${unknown ?? ''}" is none of ${tokenPermissions.join(', ')}.`);
  }
  return permissions as TokenScopeValue[];
}

const splitNames = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const readNames = (text: string | undefined): string[] | undefined =>
  text === undefined ? undefined : splitNames(text);

export const tokenColumns: Column<EndpointOutput<typeof userApiTokens_list>[number]>[] = [
  { header: 'ID', value: (token) => token.id },
  { header: 'DESCRIPTION', value: (token) => token.description },
  { header: 'SCOPE', value: (token) => scopeName(token.scope) },
  { header: 'LAST FOUR', value: (token) => token.last_four },
  { header: 'CREATED BY', value: (token) => token.created_by },
  { header: 'CREATED', value: (token) => token.created_at, isTime: true },
  { header: 'LAST USED', value: (token) => token.last_used_at, isTime: true },
  { header: 'EXPIRES', value: (token) => token.expires_at, isTime: true },
  { header: 'USED FROM', value: (token) => token.last_used_from },
];

export const tokenCommands = [
  command({
    name: 'tokens list',
    summary: 'List API tokens, without their values',
    options: { ...ownerOptions, ...listOptions(tokenSorts) },
    async run({ options, out, connect }) {
      const owner = readTokenOwner(options);
      const query = toListQuery(options);
      const { call } = connect();
      const listed = !owner
        ? call(userApiTokens_list, { query })
        : 'app' in owner
          ? call(appApiTokens_list, { params: owner.app, query })
          : call(serviceAccountTokens_list, { params: owner.account, query });
      const tokens = await listed;
      out.table(tokens, tokens, tokenColumns);
    },
  }),
  command({
    name: 'tokens create',
    summary: 'Create an API token and print its value',
    options: {
      ...ownerOptions,
      description: { value: 'TEXT', summary: 'Description of the token' },
      'read-only': { summary: 'Create a Read-Only token (default: Full Access)' },
      permissions: { value: 'LIST', summary: 'Only these permissions, such as releases:write,symbols:write' },
      apps: { value: 'LIST', summary: 'Only these apps, as owner/name,owner/name' },
      deployments: { value: 'LIST', summary: 'Only these CodePush deployments, by name' },
      networks: { value: 'LIST', summary: 'Only from these IP addresses or networks, such as 10.0.0.0/8' },
      'not-before': { value: 'WHEN', summary: 'Valid from: a date (midnight UTC), a time, or a duration such as 12h' },
      expires: {
        value: 'WHEN',
        summary: 'Expiry: a date (midnight UTC), a time, or a duration such as 12h, 30d or 8w (default: never)',
      },
    },
    async run({ options, out, connect }) {
      const owner = readTokenOwner(options);
      const body = {
        description: options.description,
        scope: readScope(options),
        apps: readNames(options.apps),
        deployments: readNames(options.deployments),
        networks: readNames(options.networks),
        not_before: readTime('--not-before', options['not-before'], { now: Date.now(), direction: 1 }),
        expires_at: readTime('--expires', options.expires, { now: Date.now(), direction: 1 }),
      };
      const { call } = connect();
      const creation = !owner
        ? call(userApiTokens_create, { body })
        : 'app' in owner
          ? call(appApiTokens_create, { params: owner.app, body })
          : call(serviceAccountTokens_create, { params: owner.account, body });
      const made = await creation;
      out.value(made, made.api_token);
      const end = made.expires_at ? `expires at ${made.expires_at}` : 'does not expire';
      out.note(
        `Created token ${made.id} (${scopeName(made.scope)}), which ${end}. Save the value: it is shown only once.`,
      );
    },
  }),
  command({
    name: 'tokens delete',
    summary: 'Revoke API tokens immediately',
    arguments: { id: { summary: 'Token IDs, as in "mooring tokens list"', many: true } },
    options: ownerOptions,
    async run({ args, options, out, connect }) {
      const owner = readTokenOwner(options);
      const { call } = connect();
      for (const api_token_id of args.id) {
        if (!owner) await call(userApiTokens_delete, { params: { api_token_id } });
        else if ('app' in owner) await call(appApiTokens_delete, { params: { ...owner.app, api_token_id } });
        else await call(serviceAccountTokens_delete, { params: { ...owner.account, api_token_id } });
        out.note(`Revoked token ${api_token_id}.`);
      }
    },
  }),
];
