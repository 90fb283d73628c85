import { wrongUsage } from './framework/errors.ts';

function readPair(text: string, where: string, form: string): [string, string] {
  const [, first, second] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (!first || !second) throw wrongUsage(`${where} must look like ${form}, not "${text}".`);
  return [first, second];
}

/** Reads `owner/app`, the way apps are listed. */
export function readApp(text: string, where = '<app>'): { owner_name: string; app_name: string } {
  const [owner_name, app_name] = readPair(text, where, 'owner/app');
  return { owner_name, app_name };
}

/** Reads `organization/account`. */
export function readAccount(text: string): { org_name: string; account_name: string } {
  const [org_name, account_name] = readPair(text, '--service-account', 'organization/account');
  return { org_name, account_name };
}

export type Target = { app: ReturnType<typeof readApp> } | { org: { org_name: string } };

/** The app or the organization that `--app` or `--org` names, if one does. */
export function findTarget({ app, org }: { app?: string; org?: string }): Target | undefined {
  if (app !== undefined && org !== undefined) throw wrongUsage('Give one of --app and --org, not both.');
  if (app !== undefined) return { app: readApp(app, '--app') };
  return org === undefined ? undefined : { org: { org_name: org } };
}

export function getTarget(options: { app?: string; org?: string }): Target {
  const target = findTarget(options);
  if (!target) throw wrongUsage('Say where: --org NAME, or --app OWNER/APP.');
  return target;
}
