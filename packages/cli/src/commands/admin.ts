import {
  adminJobs_delete,
  adminJobs_list,
  adminJobs_replay,
  adminMails_list,
  adminMails_revealLink,
  adminServer_get,
  adminUsers_create,
  adminUsers_delete,
  adminUsers_list,
  adminUsers_update,
  adminUserTokens_delete,
  adminUserTokens_deleteAll,
  adminUserTokens_list,
  type Client,
  jobStates,
  type OutputOf,
  tokenSorts,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { exitCodes, Failure, wrongUsage } from '../framework/errors.ts';
import { arrangementOf, listOptions, operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { gatherPages } from '../paging.ts';
import { confirm, readNewPassword } from '../prompt.ts';
import { tokenColumns } from './tokens.ts';

type User = OutputOf<typeof adminUsers_create>;
type AdminToken = OutputOf<typeof adminUserTokens_list>[number];

const userColumns: Column<User>[] = [
  { header: 'NAME', value: (user) => user.name },
  { header: 'E-MAIL', value: (user) => user.email },
  { header: 'DISPLAY NAME', value: (user) => user.display_name },
  { header: 'ADMIN', value: (user) => user.is_admin },
  { header: 'DISABLED', value: (user) => user.is_disabled },
  { header: 'E-MAIL VERIFIED', value: (user) => user.is_email_verified },
  { header: 'CREATED', value: (user) => user.created_at, isTime: true },
  { header: 'ID', value: (user) => user.id },
];

const job = { summary: 'Id, as in "mooring admin jobs list"' } as const;
const user = { summary: 'Name, e-mail or id' } as const;
const yes = { yes: { summary: 'Do not ask first' } } as const;
const yesOrNo = { value: 'yes|no', choices: ['yes', 'no'] } as const;
const isYes = (text: 'yes' | 'no' | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'yes';

/** The API knows users by id, people know them by name. */
async function findUserId(call: Client, wanted: string): Promise<string> {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(wanted)) return wanted;
  const { values } = await gatherPages('all', (query) => call(adminUsers_list, { query }));
  const key = wanted.toLowerCase();
  const found = values.find(({ name, email }) => name.toLowerCase() === key || email.toLowerCase() === key);
  if (found) return found.id;
  throw new Failure(`There is no user "${wanted}".`, {
    exitCode: exitCodes.notFound,
    advice: '"mooring admin users list --limit all" shows them.',
  });
}

export const adminCommands = [
  operation({ name: 'admin users list', endpoint: adminUsers_list, columns: userColumns }),
  operation({
    name: 'admin users create',
    endpoint: adminUsers_create,
    arguments: { email: { summary: 'E-mail of the new user' } },
    options: {
      name: { value: 'NAME', summary: 'Name (default: the e-mail before the @)' },
      'display-name': { value: 'TEXT', summary: 'Name as shown (default: the name)' },
      admin: { summary: 'Make the user an administrator' },
      'password-stdin': { summary: 'Read the password from stdin, instead of asking' },
    },
    input: async ({ args, options }) => ({
      body: {
        email: args.email,
        name: options.name,
        display_name: options['display-name'],
        password: await readNewPassword(options['password-stdin']),
        is_admin: options.admin,
      },
    }),
    columns: userColumns,
  }),
  command({
    name: 'admin users update',
    summary: adminUsers_update.summary,
    arguments: { user },
    options: {
      'is-admin': { ...yesOrNo, summary: 'Administers this server' },
      'is-disabled': { ...yesOrNo, summary: 'Cannot sign in, and their tokens are revoked' },
      'email-verified': { ...yesOrNo, summary: 'Whether you vouch that the e-mail is theirs' },
      email: { value: 'E-MAIL', summary: 'New e-mail' },
      'display-name': { value: 'TEXT', summary: 'New name to show' },
      password: { summary: 'Ask for a new password' },
      'password-stdin': { summary: 'Read a new password from stdin' },
      'revoke-tokens': { summary: 'Also revoke every API token that they made, for themselves and for apps' },
    },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const setsPassword = options.password || options['password-stdin'];
      const body = {
        is_admin: isYes(options['is-admin']),
        is_disabled: isYes(options['is-disabled']),
        email: options.email,
        display_name: options['display-name'],
        is_email_verified: isYes(options['email-verified']),
        revoke_tokens: options['revoke-tokens'],
        password: setsPassword ? await readNewPassword(options['password-stdin']) : undefined,
      };
      const user = await call(adminUsers_update, { params: { user_id: await findUserId(call, args.user) }, body });
      out.record(user, user, userColumns);
    },
  }),
  command({
    name: 'admin users delete',
    summary: adminUsers_delete.summary,
    arguments: { user },
    options: yes,
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const user_id = await findUserId(call, args.user);
      if (!options.yes)
        await confirm(`Delete ${args.user}? Their sessions, tokens and memberships go at once, for good.`);
      await call(adminUsers_delete, { params: { user_id } });
      out.note(`Deleted ${args.user}.`);
    },
  }),
  command({
    name: 'admin users tokens list',
    summary: adminUserTokens_list.summary,
    arguments: { user },
    options: listOptions(tokenSorts),
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const params = { user_id: await findUserId(call, args.user) };
      const tokens = await call(adminUserTokens_list, { params, query: arrangementOf(options) });
      out.table(tokens, tokens, [...tokenColumns, { header: 'APP', value: (token: AdminToken) => token.app }]);
    },
  }),
  command({
    name: 'admin users tokens delete',
    summary: 'Revokes API tokens that a user made, at once',
    arguments: { user, id: { summary: 'Ids, as in "mooring admin users tokens list"', many: true, optional: true } },
    options: { ...yes, all: { summary: 'Every one, instead of ids' } },
    async run({ args, options, out, connect }) {
      if (options.all === args.id.length > 0) throw wrongUsage('Give ids, or --all.');
      const { call } = connect();
      const user_id = await findUserId(call, args.user);
      for (const api_token_id of args.id) {
        await call(adminUserTokens_delete, { params: { user_id, api_token_id } });
        out.note(`Revoked ${api_token_id}.`);
      }
      if (!options.all) return;
      if (!options.yes)
        await confirm(`Revoke every API token of ${args.user}? Whatever uses one is refused from then on.`);
      await call(adminUserTokens_deleteAll, { params: { user_id } });
      out.note(`Revoked every API token that ${args.user} made.`);
    },
  }),
  operation({
    name: 'admin jobs list',
    endpoint: adminJobs_list,
    options: { state: { value: 'STATE', summary: 'Which ones (default dead)', choices: jobStates } },
    input: ({ options }) => ({ query: { state: options.state } }),
    columns: [
      { header: 'ID', value: (row) => row.id },
      { header: 'NAME', value: (row) => row.name },
      { header: 'ATTEMPTS', value: (row) => row.attempts },
      { header: 'CREATED', value: (row) => row.created_at, isTime: true },
      { header: 'DUE', value: (row) => row.due_at, isTime: true },
      { header: 'FAILED', value: (row) => row.failed_at, isTime: true },
      { header: 'LAST ERROR', value: (row) => row.last_error },
    ],
  }),
  operation({
    name: 'admin jobs replay',
    endpoint: adminJobs_replay,
    arguments: { job },
    input: ({ args }) => ({ params: { job_id: args.job } }),
    done: ({ args }) => `${args.job} runs as soon as a worker is free.`,
  }),
  operation({
    name: 'admin jobs delete',
    endpoint: adminJobs_delete,
    arguments: { job },
    input: ({ args }) => ({ params: { job_id: args.job } }),
    confirm: ({ args }) => `Throw ${args.job} away? What it was for will not be done.`,
    done: ({ args }) => `Threw ${args.job} away.`,
  }),
  operation({
    name: 'admin mails list',
    endpoint: adminMails_list,
    columns: [
      { header: 'CREATED', value: (mail) => mail.created_at, isTime: true },
      { header: 'TO', value: (mail) => mail.to },
      { header: 'SUBJECT', value: (mail) => mail.subject },
      { header: 'SENT', value: (mail) => mail.sent_at, isTime: true },
      { header: 'ERROR', value: (mail) => mail.error },
      { header: 'ID', value: (mail) => mail.id },
    ],
  }),
  operation({
    name: 'admin mails link',
    endpoint: adminMails_revealLink,
    arguments: { mail: { summary: 'Id, as in "mooring admin mails list"' } },
    input: ({ args }) => ({ params: { mail_id: args.mail } }),
    line: ({ link }) => link,
  }),
  operation({
    name: 'admin server',
    endpoint: adminServer_get,
    columns: [
      { header: 'VERSION', value: ({ version }) => version },
      { header: 'NODE', value: ({ node }) => node },
      { header: 'STARTED', value: ({ started_at }) => started_at, isTime: true },
      { header: 'PUBLIC URL', value: ({ public_url }) => public_url },
      { header: 'DATABASE', value: ({ database }) => database },
      { header: 'JOBS WAITING', value: ({ jobs }) => jobs.waiting },
      { header: 'JOBS RUNNING', value: ({ jobs }) => jobs.running },
      { header: 'DEAD LETTERS', value: ({ jobs }) => jobs.dead },
    ],
  }),
];
