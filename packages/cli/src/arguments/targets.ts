import type { ArgumentSpec } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const formerApp = { app: { form: 'owner/app', pattern: /^[^/]+\/[^/]+$/ } } as const;
const formerOrg = { org: { form: 'the name of an organization', pattern: /^[^/]+$/ } } as const;
const formerSubscription = { subscription: { form: 'the ID of a subscription', pattern: UUID } } as const;

/** The first argument of commands about one app. */
export const app = { summary: 'App, as owner/app', formerOptions: formerApp } as const satisfies ArgumentSpec;

/** The first argument of commands about one organization. */
export const org = { summary: 'Name of the organization', formerOptions: formerOrg } as const satisfies ArgumentSpec;

/** The first argument of commands about one subscription. */
export const subscription = {
  summary: 'Subscription ID, as in "mooring subscriptions list"',
  formerOptions: formerSubscription,
} as const satisfies ArgumentSpec;

/** The first argument of commands about an app or an organization. */
export const appOrOrg = {
  'app|org': {
    summary: 'App, as owner/app, or name of an organization',
    formerOptions: { ...formerApp, ...formerOrg },
  },
} as const satisfies Record<string, ArgumentSpec>;

/** The first argument of commands about an app, an organization or a subscription. */
export const appOrgOrSubscription = {
  'app|org|subscription': {
    summary: 'App, as owner/app, name of an organization, or subscription ID',
    formerOptions: { ...formerApp, ...formerOrg, ...formerSubscription },
  },
} as const satisfies Record<string, ArgumentSpec>;

function readPair(text: string, name: string, form: string): [string, string] {
  const [, first, second] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (!first || !second) throw wrongUsage(`${name} must be ${form}, not "${text}".`);
  return [first, second];
}

/** Reads `owner/app`. */
export function readApp(text: string, name = '<app>'): { owner_name: string; app_name: string } {
  const [owner_name, app_name] = readPair(text, name, 'owner/app');
  return { owner_name, app_name };
}

/** Reads `organization/account`. */
export function readAccount(text: string): { org_name: string; account_name: string } {
  const [org_name, account_name] = readPair(text, '--service-account', 'organization/account');
  return { org_name, account_name };
}

export type Target = { app: ReturnType<typeof readApp> } | { org: { org_name: string } };

/** Reads the options `--app` and `--org` of a command that works without both. */
export function findTarget({ app, org }: { app?: string; org?: string }): Target | undefined {
  if (app !== undefined && org !== undefined) throw wrongUsage("--app and --org can't be combined.");
  if (app !== undefined) return { app: readApp(app, '--app') };
  return org === undefined ? undefined : { org: { org_name: org } };
}

/** Reads the argument `<app|org>`. The slash tells an app from an organization. */
export function getTarget({ 'app|org': text }: { 'app|org': string }): Target {
  return text.includes('/') ? { app: readApp(text, '<app|org>') } : { org: { org_name: text } };
}

/** The kind of resource that the argument `<app|org|subscription>` names. */
export function getTargetKind(text: string): 'app' | 'org' | 'subscription' {
  if (text.includes('/')) return 'app';
  return UUID.test(text) ? 'subscription' : 'org';
}
