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
  type EndpointOutput,
  jobStates,
  tokenSorts,
} from '@mooring/contract';
import { command } from '../../framework/command.ts';
import { exitCodes, Failure, wrongUsage } from '../../framework/errors.ts';
import { listOptions, operation, toListQuery } from '../../framework/operation.ts';
import { gatherPages } from '../../lists/paging.ts';
import type { Column } from '../../terminal/output.ts';
import { confirm, readNewPassword } from '../../terminal/prompt.ts';
import { tokenColumns } from '../account/tokens.ts';

type User = EndpointOutput<typeof adminUsers_create>;
type AdminToken = EndpointOutput<typeof adminUserTokens_list>[number];

const userColumns: Column<User>[] = [
  { header: 'NAME', value: (user) => user.name },
  { header: 'EMAIL', value: (user) => user.email },
  { header: 'DISPLAY NAME', value: (user) => user.display_name },
  { header: 'ADMIN', value: (user) => user.is_admin },
  { header: 'DISABLED', value: (user) => user.is_disabled },
  { header: 'EMAIL VERIFIED', value: (user) => user.is_email_verified },
  { header: 'CREATED', value: (user) => user.created_at, isTime: true },
  { header: 'ID', value: (user) => user.id },
];

const job = { summary: 'Job ID, as in "mooring admin jobs list"' } as const;
const user = { summary: 'Name, email or ID of the user' } as const;
const yes = { yes: { summary: 'Skip the confirmation prompt' } } as const;
const yesOrNo = { value: 'yes|no', choices: ['yes', 'no'] } as const;
const isYes = (text: 'yes' | 'no' | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'yes';

/** Administrators use names and emails; the API needs IDs. */
async function findUserId(call: Client, requested: string): Promise<string> {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(requested)) return requested;
  const { values } = await gatherPages('all', (query) => call(adminUsers_list, { query }));
  const key = requested.toLowerCase();
  const match = values.find(({ name, email }) => name.toLowerCase() === key || email.toLowerCase() === key);
  if (match) return match.id;
  throw new Failure(`Unknown user "${requested}".`, {
    exitCode: exitCodes.notFound,
    advice: 'List all users with "mooring admin users list --limit all".',
  });
}

export const adminCommands = [
  operation({
    name: 'admin users list',
    summary: 'List the users of the server, by name',
    endpoint: adminUsers_list,
    columns: userColumns,
  }),
  operation({
    name: 'admin users create',
    summary: 'Create a user',
    endpoint: adminUsers_create,
    arguments: { email: { summary: 'Email of the new user' } },
    options: {
      name: { value: 'NAME', summary: 'Name (default: the part of the email before the @)' },
      'display-name': { value: 'TEXT', summary: 'Display name (default: the name)' },
      admin: { summary: 'Make the user an administrator' },
      'password-stdin': { summary: 'Read the password from stdin (default: ask for it)' },
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
    summary: 'Change a user: permissions, email, display name or password',
    arguments: { user },
    options: {
      'is-admin': { ...yesOrNo, summary: 'Whether the user is an administrator' },
      'is-disabled': { ...yesOrNo, summary: "Whether the user is disabled: can't sign in, and all tokens are revoked" },
      'email-verified': { ...yesOrNo, summary: 'Whether you vouch that the email belongs to the user' },
      email: { value: 'EMAIL', summary: 'New email' },
      'display-name': { value: 'TEXT', summary: 'New display name' },
      password: { summary: 'Ask for a new password' },
      'password-stdin': { summary: 'Read the new password from stdin' },
      'revoke-tokens': { summary: 'Also revoke all user tokens and app tokens that the user created' },
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
    summary: 'Delete a user, including sessions, tokens and memberships',
    arguments: { user },
    options: yes,
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const user_id = await findUserId(call, args.user);
      if (!options.yes)
        await confirm(
          `Delete the user ${args.user}, including sessions, tokens and memberships? This can't be undone.`,
        );
      await call(adminUsers_delete, { params: { user_id } });
      out.note(`Deleted user ${args.user}.`);
    },
  }),
  command({
    name: 'admin users tokens list',
    summary: 'List the user tokens and app tokens that a user created',
    arguments: { user },
    options: listOptions(tokenSorts),
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const params = { user_id: await findUserId(call, args.user) };
      const tokens = await call(adminUserTokens_list, { params, query: toListQuery(options) });
      out.table(tokens, tokens, [...tokenColumns, { header: 'APP', value: (token: AdminToken) => token.app }]);
    },
  }),
  command({
    name: 'admin users tokens delete',
    summary: 'Revoke API tokens of a user immediately',
    arguments: {
      user,
      id: { summary: 'Token IDs, as in "mooring admin users tokens list"', many: true, optional: true },
    },
    options: { ...yes, all: { summary: 'All tokens of the user, instead of IDs' } },
    async run({ args, options, out, connect }) {
      if (options.all === args.id.length > 0) throw wrongUsage('Pass either token IDs or --all.');
      const { call } = connect();
      const user_id = await findUserId(call, args.user);
      for (const api_token_id of args.id) {
        await call(adminUserTokens_delete, { params: { user_id, api_token_id } });
        out.note(`Revoked token ${api_token_id}.`);
      }
      if (!options.all) return;
      if (!options.yes)
        await confirm(`Revoke all API tokens of ${args.user}? Programs that use one of them lose access.`);
      await call(adminUserTokens_deleteAll, { params: { user_id } });
      out.note(`Revoked all API tokens of ${args.user}.`);
    },
  }),
  operation({
    name: 'admin jobs list',
    summary: 'List background jobs: dead letters, queued or running jobs, newest first',
    endpoint: adminJobs_list,
    options: { state: { value: 'STATE', summary: 'Filter by state (default dead)', choices: jobStates } },
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
    summary: 'Retry a dead letter, with a full set of attempts',
    endpoint: adminJobs_replay,
    arguments: { job },
    input: ({ args }) => ({ params: { job_id: args.job } }),
    done: ({ args }) => `Queued job ${args.job}.`,
  }),
  operation({
    name: 'admin jobs delete',
    summary: 'Delete a dead letter',
    endpoint: adminJobs_delete,
    arguments: { job },
    input: ({ args }) => ({ params: { job_id: args.job } }),
    confirm: ({ args }) => `Delete job ${args.job}? It will not be retried.`,
    done: ({ args }) => `Deleted job ${args.job}.`,
  }),
  operation({
    name: 'admin mails list',
    summary: 'List the emails in the outbox of the server, newest first',
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
    summary: 'Show the link in an email that was not sent, so that you can pass it on',
    endpoint: adminMails_revealLink,
    arguments: { mail: { summary: 'Email ID, as in "mooring admin mails list"' } },
    input: ({ args }) => ({ params: { mail_id: args.mail } }),
    line: ({ link }) => link,
  }),
  operation({
    name: 'admin server',
    summary: 'Show the version, database and job queue of the server',
    endpoint: adminServer_get,
    columns: [
      { header: 'VERSION', value: ({ version }) => version },
      { header: 'NODE', value: ({ node }) => node },
      { header: 'STARTED', value: ({ started_at }) => started_at, isTime: true },
      { header: 'PUBLIC URL', value: ({ public_url }) => public_url },
      { header: 'DATABASE', value: ({ database }) => database },
      { header: 'QUEUED JOBS', value: ({ jobs }) => jobs.waiting },
      { header: 'RUNNING JOBS', value: ({ jobs }) => jobs.running },
      { header: 'DEAD LETTERS', value: ({ jobs }) => jobs.dead },
    ],
  }),
];
