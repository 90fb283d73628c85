import { readFileSync } from 'node:fs';
import {
  type Client,
  distributionGroups_addApps,
  distributionGroups_addUser,
  distributionGroups_addUsersForOrg,
  distributionGroups_bulkDeleteApps,
  distributionGroups_bulkDeleteUsers,
  distributionGroups_create,
  distributionGroups_createForOrg,
  distributionGroups_delete,
  distributionGroups_deleteForOrg,
  distributionGroups_get,
  distributionGroups_getApps,
  distributionGroups_getForOrg,
  distributionGroups_list,
  distributionGroups_listForOrg,
  distributionGroups_listUsers,
  distributionGroups_listUsersForOrg,
  distributionGroups_patchForOrg,
  distributionGroups_removeUser,
  distributionGroups_update,
  GROUP_USERS_MAX,
  type OutputOf,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { exitCodes, wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { confirm, readStdin } from '../prompt.ts';
import { getTarget, type Target } from '../targets.ts';
import { appRefOf } from './apps.ts';

const where = {
  app: { value: 'OWNER/APP', summary: 'The app whose group it is' },
  org: { value: 'NAME', summary: 'The organization whose shared group it is' },
} as const;
const group = { summary: 'Name of the distribution group' } as const;
const emails = { summary: 'E-mails; none with --from', optional: true, many: true } as const;
const from = { value: 'FILE', summary: 'Read the e-mails from a file, one on a line; - for stdin' } as const;
const sharedBy = { org: { ...where.org, required: true } } as const;
const sharedApps = { group, app: { summary: 'Names of apps, without their owner', many: true } } as const;

type Result = OutputOf<typeof distributionGroups_addUser>[number];

const columns: Column<OutputOf<typeof distributionGroups_get>>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'PUBLIC', value: ({ is_public }) => is_public },
  { header: 'ID', value: ({ id }) => id },
];

/** With what became of it. */
const resultColumns: Column<Result>[] = [
  { header: 'E-MAIL', value: ({ user_email }) => user_email },
  {
    header: 'RESULT',
    value: ({ status, invite_pending }) => (status >= 300 ? 'failed' : invite_pending ? 'invited' : 'ok'),
  },
  { header: 'REASON', value: ({ message }) => message },
];

/** Lines, or the first column of a table; blank lines, comments and a header are passed over. */
export function readEmails(text: string): string[] {
  const cells = text.split(/\r?\n/).map(
    (line) =>
      line
        .split(/[,;\t]/)[0]
        ?.trim()
        .replace(/^"(.*)"$/, '$1') ?? '',
  );
  return [...new Set(cells.filter((cell) => cell.includes('@') && !cell.startsWith('#')))];
}

async function emailsOf(given: string[], source: string | undefined): Promise<string[]> {
  if (source !== undefined && given.length > 0) throw wrongUsage('Give e-mails, or --from, not both.');
  if (source === undefined) {
    if (given.length === 0) throw wrongUsage('Give e-mails, or a file of them with --from.');
    return given;
  }
  let text: string;
  try {
    text = source === '-' ? await readStdin('e-mails') : readFileSync(source, 'utf8');
  } catch (error) {
    throw error instanceof Error && 'exitCode' in error
      ? error
      : wrongUsage(`The e-mails cannot be read: ${(error as Error).message}`);
  }
  const found = readEmails(text);
  if (found.length === 0) throw wrongUsage('There is no e-mail in it.', 'Write one on each line.');
  return found;
}

/** As many calls as their limit makes necessary. */
async function inBatches(all: string[], send: (user_emails: string[]) => Promise<Result[]>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < all.length; start += GROUP_USERS_MAX) {
    results.push(...(await send(all.slice(start, start + GROUP_USERS_MAX))));
  }
  return results;
}

const named = (distribution_group_name: string) => ({ distribution_group_name });

const add = (call: Client, target: Target, name: string) => (user_emails: string[]) =>
  'app' in target
    ? call(distributionGroups_addUser, { params: { ...target.app, ...named(name) }, body: { user_emails } })
    : call(distributionGroups_addUsersForOrg, { params: { ...target.org, ...named(name) }, body: { user_emails } });

const remove = (call: Client, target: Target, name: string) => async (user_emails: string[]) => {
  if ('app' in target) {
    const params = { ...target.app, ...named(name) };
    return call(distributionGroups_removeUser, { params, body: { user_emails } });
  }
  await call(distributionGroups_bulkDeleteUsers, { params: { ...target.org, ...named(name) }, body: { user_emails } });
  return user_emails.map((user_email): Result => ({ status: 200, user_email }));
};

export const groupCommands = [
  command({
    name: 'groups list',
    summary: 'Lists the distribution groups of an app, or the shared ones of an organization',
    options: where,
    async run({ options, out, connect }) {
      const target = getTarget(options);
      const { call } = connect();
      const groups =
        'app' in target
          ? await call(distributionGroups_list, { params: target.app })
          : await call(distributionGroups_listForOrg, { params: target.org });
      out.table(groups, groups, columns);
    },
  }),
  command({
    name: 'groups show',
    summary: 'Shows who is in a distribution group',
    arguments: { group },
    options: where,
    async run({ args, options, out, connect }) {
      const target = getTarget(options);
      const { call } = connect();
      const [found, members] = await ('app' in target
        ? Promise.all([
            call(distributionGroups_get, { params: { ...target.app, ...named(args.group) } }),
            call(distributionGroups_listUsers, { params: { ...target.app, ...named(args.group) } }),
          ])
        : Promise.all([
            call(distributionGroups_getForOrg, { params: { ...target.org, ...named(args.group) } }),
            call(distributionGroups_listUsersForOrg, { params: { ...target.org, ...named(args.group) } }),
          ]));
      out.table({ ...found, members }, members, [
        { header: 'E-MAIL', value: ({ email }) => email },
        { header: 'PENDING', value: ({ invite_pending }) => invite_pending === true },
        { header: 'NAME', value: ({ name }) => name },
      ]);
    },
  }),
  command({
    name: 'groups create',
    summary: 'Creates a distribution group, without members',
    arguments: { group },
    options: where,
    async run({ args, options, out, connect }) {
      const target = getTarget(options);
      const body = { name: args.group };
      const { call } = connect();
      const made =
        'app' in target
          ? await call(distributionGroups_create, { params: target.app, body })
          : await call(distributionGroups_createForOrg, { params: target.org, body });
      out.value(made, made.name);
    },
  }),
  command({
    name: 'groups update',
    summary: 'Renames a distribution group, or makes it public or private',
    arguments: { group },
    options: {
      ...where,
      name: { value: 'NAME', summary: 'New name' },
      'is-public': {
        value: 'yes|no',
        summary: 'Its releases may be fetched without signing in',
        choices: ['yes', 'no'],
      },
    },
    async run({ args, options, out, connect }) {
      const target = getTarget(options);
      const { name, 'is-public': isPublic } = options;
      const body = { name, is_public: isPublic === undefined ? undefined : isPublic === 'yes' };
      const { call } = connect();
      const changed =
        'app' in target
          ? await call(distributionGroups_update, { params: { ...target.app, ...named(args.group) }, body })
          : await call(distributionGroups_patchForOrg, { params: { ...target.org, ...named(args.group) }, body });
      out.record(changed, changed, columns);
    },
  }),
  command({
    name: 'groups delete',
    summary: 'Deletes a distribution group; what its members could do by it ends at once',
    arguments: { group },
    options: { ...where, yes: { summary: 'Do not ask first' } },
    async run({ args, options, out, connect }) {
      const target = getTarget(options);
      const { call } = connect();
      if (!options.yes) await confirm(`Delete the group ${args.group}?`);
      if ('app' in target) await call(distributionGroups_delete, { params: { ...target.app, ...named(args.group) } });
      else await call(distributionGroups_deleteForOrg, { params: { ...target.org, ...named(args.group) } });
      out.note(`Deleted ${args.group}.`);
    },
  }),
  command({
    name: 'groups add-testers',
    summary: 'Adds people to a distribution group, and says what became of each',
    arguments: { group, email: emails },
    options: { ...where, from },
    async run({ args, options, out, connect }) {
      const target = getTarget(options);
      const all = await emailsOf(args.email, options.from);
      const results = await inBatches(all, add(connect().call, target, args.group));
      out.table(results, results, resultColumns);
      return results.some(({ status }) => status >= 300) ? exitCodes.failed : exitCodes.ok;
    },
  }),
  command({
    name: 'groups remove-testers',
    summary: 'Removes people from a distribution group, or takes their invitations back',
    arguments: { group, email: emails },
    options: { ...where, from },
    async run({ args, options, out, connect }) {
      const target = getTarget(options);
      const all = await emailsOf(args.email, options.from);
      const results = await inBatches(all, remove(connect().call, target, args.group));
      out.table(results, results, resultColumns);
      return results.some(({ status }) => status >= 300) ? exitCodes.failed : exitCodes.ok;
    },
  }),
  operation({
    name: 'groups apps list',
    endpoint: distributionGroups_getApps,
    summary: 'Lists the apps of a shared distribution group that you can see',
    arguments: { group },
    options: sharedBy,
    input: ({ args, options }) => ({ params: { org_name: options.org, ...named(args.group) } }),
    columns: [{ header: 'APP', value: appRefOf }],
  }),
  operation({
    name: 'groups apps add',
    endpoint: distributionGroups_addApps,
    arguments: sharedApps,
    options: sharedBy,
    input: ({ args, options }) => ({
      params: { org_name: options.org, ...named(args.group) },
      body: { apps: args.app.map((name) => ({ name })) },
    }),
    done: ({ args }) => `${args.group} tests ${args.app.join(', ')}.`,
  }),
  operation({
    name: 'groups apps remove',
    endpoint: distributionGroups_bulkDeleteApps,
    arguments: sharedApps,
    options: sharedBy,
    input: ({ args, options }) => ({
      params: { org_name: options.org, ...named(args.group) },
      body: { apps: args.app.map((name) => ({ name })) },
    }),
    done: ({ args }) => `${args.group} does not test ${args.app.join(', ')} any more.`,
  }),
];
