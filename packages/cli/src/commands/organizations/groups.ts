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
  type EndpointOutput,
  GROUP_USERS_MAX,
} from '@mooring/contract';
import { appOrOrg, getTarget, org, type Target } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { exitCodes, wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';
import { confirm, readStdin } from '../../terminal/prompt.ts';
import { formatAppRef } from './apps.ts';

const group = { summary: 'Name of the distribution group' } as const;
const emails = { summary: 'Emails; omit with --from', optional: true, many: true } as const;
const from = { value: 'FILE', summary: 'File with one email per line, or - for stdin' } as const;
const sharedApps = { org, group, app: { summary: 'Names of apps, without the owner', many: true } } as const;

type Result = EndpointOutput<typeof distributionGroups_addUser>[number];

const columns: Column<EndpointOutput<typeof distributionGroups_get>>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'PUBLIC', value: ({ is_public }) => is_public },
  { header: 'ID', value: ({ id }) => id },
];

/** Result for each email. */
const resultColumns: Column<Result>[] = [
  { header: 'EMAIL', value: ({ user_email }) => user_email },
  {
    header: 'RESULT',
    value: ({ status, invite_pending }) => (status >= 300 ? 'failed' : invite_pending ? 'invited' : 'ok'),
  },
  { header: 'REASON', value: ({ message }) => message },
];

/** Reads lines, or the first column of a table. Skips blank lines, comments and a header. */
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

async function collectEmails(emails: string[], source: string | undefined): Promise<string[]> {
  if (source !== undefined && emails.length > 0) throw wrongUsage("Emails and --from can't be combined.");
  if (source === undefined) {
    if (emails.length === 0) throw wrongUsage('Missing emails. Pass them as arguments, or a file with --from.');
    return emails;
  }
  let text: string;
  try {
    text = source === '-' ? await readStdin('emails') : readFileSync(source, 'utf8');
  } catch (error) {
    throw error instanceof Error && 'exitCode' in error
      ? error
      : wrongUsage(`Can't read the emails: ${(error as Error).message}`);
  }
  const matches = readEmails(text);
  if (matches.length === 0) throw wrongUsage('The file contains no emails.', 'Write one email on each line.');
  return matches;
}

/** Splits the emails into several requests, as the size of one is limited. */
async function inBatches(all: string[], send: (user_emails: string[]) => Promise<Result[]>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < all.length; start += GROUP_USERS_MAX) {
    results.push(...(await send(all.slice(start, start + GROUP_USERS_MAX))));
  }
  return results;
}

const toGroupParam = (distribution_group_name: string) => ({ distribution_group_name });

const add = (call: Client, target: Target, name: string) => (user_emails: string[]) =>
  'app' in target
    ? call(distributionGroups_addUser, { params: { ...target.app, ...toGroupParam(name) }, body: { user_emails } })
    : call(distributionGroups_addUsersForOrg, {
        params: { ...target.org, ...toGroupParam(name) },
        body: { user_emails },
      });

const remove = (call: Client, target: Target, name: string) => async (user_emails: string[]) => {
  if ('app' in target) {
    const params = { ...target.app, ...toGroupParam(name) };
    return call(distributionGroups_removeUser, { params, body: { user_emails } });
  }
  await call(distributionGroups_bulkDeleteUsers, {
    params: { ...target.org, ...toGroupParam(name) },
    body: { user_emails },
  });
  return user_emails.map((user_email): Result => ({ status: 200, user_email }));
};

export const groupCommands = [
  command({
    name: 'groups list',
    summary: 'List the distribution groups of an app, or the shared groups of an organization',
    arguments: appOrOrg,
    async run({ args, out, connect }) {
      const target = getTarget(args);
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
    summary: 'List the testers of a distribution group',
    arguments: { ...appOrOrg, group },
    async run({ args, out, connect }) {
      const target = getTarget(args);
      const { call } = connect();
      const [group, members] = await ('app' in target
        ? Promise.all([
            call(distributionGroups_get, { params: { ...target.app, ...toGroupParam(args.group) } }),
            call(distributionGroups_listUsers, { params: { ...target.app, ...toGroupParam(args.group) } }),
          ])
        : Promise.all([
            call(distributionGroups_getForOrg, { params: { ...target.org, ...toGroupParam(args.group) } }),
            call(distributionGroups_listUsersForOrg, { params: { ...target.org, ...toGroupParam(args.group) } }),
          ]));
      out.table({ ...group, members }, members, [
        { header: 'EMAIL', value: ({ email }) => email },
        { header: 'PENDING', value: ({ invite_pending }) => invite_pending === true },
        { header: 'NAME', value: ({ name }) => name },
      ]);
    },
  }),
  command({
    name: 'groups create',
    summary: 'Create an empty distribution group',
    arguments: { ...appOrOrg, group },
    async run({ args, out, connect }) {
      const target = getTarget(args);
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
    summary: 'Rename a distribution group, or make it public or private',
    arguments: { ...appOrOrg, group },
    options: {
      name: { value: 'NAME', summary: 'New name' },
      'is-public': {
        value: 'yes|no',
        summary: 'Whether releases can be downloaded without signing in',
        choices: ['yes', 'no'],
      },
    },
    async run({ args, options, out, connect }) {
      const target = getTarget(args);
      const { name, 'is-public': isPublic } = options;
      const body = { name, is_public: isPublic === undefined ? undefined : isPublic === 'yes' };
      const { call } = connect();
      const changed =
        'app' in target
          ? await call(distributionGroups_update, { params: { ...target.app, ...toGroupParam(args.group) }, body })
          : await call(distributionGroups_patchForOrg, {
              params: { ...target.org, ...toGroupParam(args.group) },
              body,
            });
      out.record(changed, changed, columns);
    },
  }),
  command({
    name: 'groups delete',
    summary: 'Delete a distribution group; its testers lose access immediately',
    arguments: { ...appOrOrg, group },
    options: { yes: { summary: 'Skip the confirmation prompt' } },
    async run({ args, options, out, connect }) {
      const target = getTarget(args);
      const { call } = connect();
      if (!options.yes) await confirm(`Delete the group ${args.group}? Its testers lose access.`);
      if ('app' in target)
        await call(distributionGroups_delete, { params: { ...target.app, ...toGroupParam(args.group) } });
      else await call(distributionGroups_deleteForOrg, { params: { ...target.org, ...toGroupParam(args.group) } });
      out.note(`Deleted group ${args.group}.`);
    },
  }),
  command({
    name: 'groups add-testers',
    summary: 'Add testers to a distribution group, and invite unknown ones by email',
    arguments: { ...appOrOrg, group, email: emails },
    options: { from },
    async run({ args, options, out, connect }) {
      const target = getTarget(args);
      const all = await collectEmails(args.email, options.from);
      const results = await inBatches(all, add(connect().call, target, args.group));
      out.table(results, results, resultColumns);
      return results.some(({ status }) => status >= 300) ? exitCodes.failed : exitCodes.ok;
    },
  }),
  command({
    name: 'groups remove-testers',
    summary: 'Remove testers from a distribution group, or revoke their invitations',
    arguments: { ...appOrOrg, group, email: emails },
    options: { from },
    async run({ args, options, out, connect }) {
      const target = getTarget(args);
      const all = await collectEmails(args.email, options.from);
      const results = await inBatches(all, remove(connect().call, target, args.group));
      out.table(results, results, resultColumns);
      return results.some(({ status }) => status >= 300) ? exitCodes.failed : exitCodes.ok;
    },
  }),
  operation({
    name: 'groups apps list',
    endpoint: distributionGroups_getApps,
    summary: 'List the apps of a shared distribution group',
    arguments: { org, group },
    input: ({ args }) => ({ params: { org_name: args.org, ...toGroupParam(args.group) } }),
    columns: [{ header: 'APP', value: formatAppRef }],
  }),
  operation({
    name: 'groups apps add',
    summary: 'Add apps to a shared distribution group',
    endpoint: distributionGroups_addApps,
    arguments: sharedApps,
    input: ({ args }) => ({
      params: { org_name: args.org, ...toGroupParam(args.group) },
      body: { apps: args.app.map((name) => ({ name })) },
    }),
    done: ({ args }) => `Added ${args.app.join(', ')} to ${args.group}.`,
  }),
  operation({
    name: 'groups apps remove',
    summary: 'Remove apps from a shared distribution group',
    endpoint: distributionGroups_bulkDeleteApps,
    arguments: sharedApps,
    input: ({ args }) => ({
      params: { org_name: args.org, ...toGroupParam(args.group) },
      body: { apps: args.app.map((name) => ({ name })) },
    }),
    done: ({ args }) => `Removed ${args.app.join(', ')} from ${args.group}.`,
  }),
];
