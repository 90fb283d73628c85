import {
  appTokenPermissions,
  ciProviders,
  ciRules_create,
  ciRules_delete,
  ciRules_list,
  type EndpointOutput,
  type TokenPermission,
} from '@mooring/contract';
import { app, readApp } from '../../arguments/targets.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

type Rule = EndpointOutput<typeof ciRules_create>;

const columns: Column<Rule>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'ISSUER', value: ({ issuer }) => issuer },
  {
    header: 'CLAIMS',
    value: ({ claims }) =>
      Object.entries(claims)
        .map(([name, pattern]) => `${name}=${pattern}`)
        .join(' '),
  },
  { header: 'PERMISSIONS', value: ({ permissions }) => permissions.join(' ') },
  { header: 'CREATED BY', value: ({ created_by }) => created_by },
  { header: 'LAST USED', value: ({ last_used_at }) => last_used_at, isTime: true },
];

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function readClaims(text: string | undefined): Record<string, string> {
  const pairs = splitList(text ?? '').map((item) => /^([a-z][a-z0-9_]*)=(.+)$/.exec(item) ?? []);
  if (pairs.length === 0 || pairs.some(([, name]) => name === undefined)) {
    throw wrongUsage('--claims must be a list such as repository=octo/compass,ref=refs/heads/main.');
  }
  return Object.fromEntries(pairs.map(([, name = '', pattern = '']) => [name, pattern]));
}

function readPermissions(text: string | undefined): TokenPermission[] {
  const permissions = splitList(text ?? '');
  const unknown = permissions.find((each) => !(appTokenPermissions as readonly string[]).includes(each));
  if (unknown !== undefined || permissions.length === 0) {
    throw wrongUsage(`--permissions: "${unknown ?? ''}" is none of ${appTokenPermissions.join(', ')}.`);
  }
  return permissions as TokenPermission[];
}

export const ciRuleCommands = [
  operation({
    name: 'ci-rules list',
    summary: 'List the CI rules of an app, which let jobs sign in without a stored secret',
    endpoint: ciRules_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  operation({
    name: 'ci-rules create',
    summary: 'Let CI jobs sign in with "mooring login --ci", without a stored secret',
    endpoint: ciRules_create,
    arguments: { app },
    options: {
      provider: { value: 'NAME', summary: 'Provider of the jobs', choices: ciProviders },
      issuer: { value: 'URL', summary: 'Issuer of a self-hosted server (default: the public service)' },
      claims: { value: 'LIST', summary: 'Claims of the jobs, such as repository=octo/compass,ref=refs/heads/main' },
      permissions: { value: 'LIST', summary: 'Permissions of the tokens, such as releases:write,symbols:write' },
    },
    input: ({ args, options: { provider = 'github', issuer, claims, permissions } }) => ({
      params: readApp(args.app),
      body: {
        provider,
        ...(issuer ? { issuer } : {}),
        claims: readClaims(claims),
        permissions: readPermissions(permissions),
      },
    }),
    columns,
  }),
  operation({
    name: 'ci-rules delete',
    summary: 'Delete a CI rule; its tokens stop working immediately',
    endpoint: ciRules_delete,
    arguments: { app, rule: { summary: 'Rule ID, as in "mooring ci-rules list"' } },
    input: ({ args }) => ({ params: { ...readApp(args.app), ci_rule_id: args.rule } }),
    confirm: ({ args }) => `Delete the CI rule ${args.rule}? Jobs that use it can no longer sign in.`,
    done: ({ args }) => `Deleted the CI rule ${args.rule}.`,
  }),
];
