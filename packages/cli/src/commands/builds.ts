import path from 'node:path';
import {
  branchConfigurations_create,
  branchConfigurations_delete,
  branchConfigurations_get,
  branchConfigurations_update,
  buildPriorities,
  buildResults,
  buildSettings_get,
  buildSettings_update,
  buildStatuses,
  builds_create,
  builds_distribute,
  builds_get,
  builds_getDownloadUri,
  builds_getLog,
  builds_list,
  builds_listBranches,
  builds_listByBranch,
  builds_retry,
  builds_update,
  builds_watchLog,
  type CallInput,
  downloadTypes,
  type OutputOf,
  pushHooks_create,
  pushHooks_delete,
  repositoryConfigurations_createOrUpdate,
  repositoryConfigurations_delete,
  repositoryConfigurations_list,
} from '@mooring/contract';
import { downloadTo, readJson, readText } from '../files.ts';
import { command } from '../framework/command.ts';
import { exitCodes } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import { type Column, printable } from '../output.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

type Build = OutputOf<typeof builds_get>;
type Settings = CallInput<typeof branchConfigurations_create>['body'];

const branch = { summary: 'Name of the branch' } as const;
const build = { summary: 'Number of the build' } as const;
const file = { summary: 'JSON with the fields of the API; - for standard input' } as const;

const columns: Column<Build>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'BRANCH', value: ({ sourceBranch }) => sourceBranch },
  { header: 'COMMIT', value: ({ sourceVersion }) => sourceVersion.slice(0, 12) },
  { header: 'STATUS', value: ({ status }) => status },
  { header: 'RESULT', value: ({ result }) => (result === 'none' ? undefined : result) },
  { header: 'WHY', value: ({ failure, waiting }) => failure ?? waiting },
  { header: 'QUEUED', value: ({ queueTime }) => queueTime, isTime: true },
  { header: 'FINISHED', value: ({ finishTime }) => finishTime, isTime: true },
];

const atBranch = (args: { app: string; branch: string }) => ({ ...readApp(args.app), branch: args.branch });
const atBuild = (args: { app: string; build: string }) => ({ ...readApp(args.app), build_id: args.build });
const readSettings = async (name: string) =>
  readJson(await readText(name, 'configuration'), 'configuration') as Settings;
const readBuildSettings = async (name: string) =>
  readJson(await readText(name, 'settings'), 'settings') as CallInput<typeof buildSettings_update>['body'];
const readVariables = async (name: string) =>
  readJson(await readText(name, 'variables'), 'variables') as NonNullable<
    NonNullable<Settings>['environmentVariables']
  >;

export const buildCommands = [
  operation({
    name: 'repos show',
    endpoint: repositoryConfigurations_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app), query: {} }),
    columns: [
      { header: 'REPOSITORY', value: ({ repo_url }) => repo_url },
      { header: 'AS', value: ({ username }) => username },
      { header: 'DEPLOY KEY', value: ({ deploy_key }) => deploy_key },
      { header: 'STATE', value: ({ state }) => state },
      { header: 'TROUBLE', value: ({ trouble }) => trouble },
    ],
  }),
  operation({
    name: 'repos connect',
    endpoint: repositoryConfigurations_createOrUpdate,
    arguments: { app, url: { summary: 'Address of the repository, by https or ssh' } },
    options: {
      user: { value: 'NAME', summary: 'Whom to read it as' },
      'password-file': { value: 'FILE', summary: 'File with a password or token, or - for standard input' },
      'no-check': { summary: 'Connect it even if it cannot be read now' },
    },
    input: async ({ args, options: { user, 'password-file': from, 'no-check': isUnchecked } }) => ({
      params: readApp(args.app),
      body: {
        repo_url: args.url,
        ...(isUnchecked ? {} : { check: true }),
        ...(user === undefined ? {} : { username: user }),
        ...(from === undefined ? {} : { password: (await readText(from, 'password')).trim() }),
      },
    }),
    done: (_, { message }) => message,
  }),
  operation({
    name: 'repos disconnect',
    endpoint: repositoryConfigurations_delete,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    confirm: ({ args }) => `Take ${args.app} from its repository? All its configurations and builds go, too.`,
    done: (_, { message }) => message,
  }),
  operation({
    name: 'repos hook',
    endpoint: pushHooks_create,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app), body: {} }),
    line: ({ url, secret, git_hook }) =>
      [`Address  ${url}`, `Secret   ${secret}`, '', 'Or, in hooks/post-receive:', git_hook].join('\n'),
  }),
  operation({
    name: 'repos unhook',
    endpoint: pushHooks_delete,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    done: ({ args }) => `Nobody tells of pushes to ${args.app} any more.`,
  }),
  operation({
    name: 'builds branches',
    endpoint: builds_listBranches,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'BRANCH', value: (one) => one.branch.name },
      { header: 'COMMIT', value: (one) => one.branch.commit.sha.slice(0, 12) },
      { header: 'CONFIGURED', value: ({ configured }) => configured },
      { header: 'LAST', value: ({ lastBuild }) => lastBuild?.id },
      {
        header: 'RESULT',
        value: ({ lastBuild }) => (lastBuild?.status === 'completed' ? lastBuild.result : lastBuild?.status),
      },
    ],
  }),
  operation({
    name: 'builds config',
    endpoint: branchConfigurations_get,
    arguments: { app, branch },
    input: ({ args }) => ({ params: atBranch(args) }),
    line: (settings) => JSON.stringify(settings, null, 2),
  }),
  operation({
    name: 'builds configure',
    endpoint: branchConfigurations_create,
    arguments: { app, branch, file },
    input: async ({ args }) => ({ params: atBranch(args), body: await readSettings(args.file) }),
    done: ({ args }) => `${args.branch} can be built now.`,
  }),
  operation({
    name: 'builds reconfigure',
    endpoint: branchConfigurations_update,
    arguments: { app, branch, file },
    input: async ({ args }) => ({ params: atBranch(args), body: await readSettings(args.file) }),
    done: ({ args }) => `${args.branch} is built as the file says.`,
  }),
  operation({
    name: 'builds unconfigure',
    endpoint: branchConfigurations_delete,
    arguments: { app, branch },
    input: ({ args }) => ({ params: atBranch(args) }),
    confirm: ({ args }) => `Delete the configuration of ${args.branch}, with its builds and their files?`,
    done: (_, { message }) => message,
  }),
  operation({
    name: 'builds list',
    endpoint: builds_listByBranch,
    arguments: { app, branch },
    input: ({ args }) => ({ params: atBranch(args) }),
    columns,
  }),
  operation({
    name: 'builds history',
    endpoint: builds_list,
    arguments: { app },
    options: {
      branch: { value: 'NAME', summary: 'Only of this branch' },
      status: { value: 'STATUS', summary: 'Only those with this status', choices: buildStatuses },
      result: { value: 'RESULT', summary: 'Only those with this result', choices: buildResults },
    },
    input: ({ args, options: { branch: of, status, result } }) => ({
      params: readApp(args.app),
      query: {
        ...(of === undefined ? {} : { branch: of }),
        ...(status === undefined ? {} : { status }),
        ...(result === undefined ? {} : { result }),
      },
    }),
    columns,
  }),
  operation({
    name: 'builds show',
    endpoint: builds_get,
    arguments: { app, build },
    input: ({ args }) => ({ params: atBuild(args) }),
    columns,
  }),
  operation({
    name: 'builds queue',
    endpoint: builds_create,
    arguments: { app, branch },
    options: {
      commit: { value: 'SHA', summary: 'This commit, in full, instead of the newest' },
      debug: { summary: 'Its log tells more' },
      priority: { value: 'PRIORITY', summary: 'Before or after others that wait', choices: buildPriorities },
      'variables-file': {
        value: 'FILE',
        summary:
          'JSON with environment variables for this build alone, as [{"name", "value", "isSecret"}]; - for standard input',
      },
    },
    input: async ({ args, options: { commit, debug, priority, 'variables-file': from } }) => ({
      params: atBranch(args),
      body: {
        ...(commit === undefined ? {} : { sourceVersion: commit }),
        ...(debug ? { debug } : {}),
        ...(priority === undefined ? {} : { priority }),
        ...(from === undefined ? {} : { environmentVariables: await readVariables(from) }),
      },
    }),
    columns,
  }),
  operation({
    name: 'builds retry',
    endpoint: builds_retry,
    arguments: { app, build },
    input: ({ args }) => ({ params: atBuild(args), body: {} }),
    columns,
  }),
  operation({
    name: 'builds prioritize',
    endpoint: builds_update,
    summary: 'Says how urgent a build is that waits',
    arguments: { app, build, priority: { summary: 'Before or after others that wait', choices: buildPriorities } },
    input: ({ args }) => ({ params: atBuild(args), body: { priority: args.priority } }),
    columns,
  }),
  operation({
    name: 'builds settings',
    endpoint: buildSettings_get,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    line: (settings) => JSON.stringify(settings, null, 2),
  }),
  operation({
    name: 'builds set',
    endpoint: buildSettings_update,
    arguments: { app, file },
    input: async ({ args }) => ({ params: readApp(args.app), body: await readBuildSettings(args.file) }),
    done: ({ args }) => `Builds of ${args.app} obey the file from now on.`,
  }),
  operation({
    name: 'builds cancel',
    endpoint: builds_update,
    summary: 'Cancels a build',
    arguments: { app, build },
    input: ({ args }) => ({ params: atBuild(args), body: { status: 'cancelling' as const } }),
    columns,
  }),
  operation({
    name: 'builds distribute',
    endpoint: builds_distribute,
    arguments: { app, build },
    options: {
      group: { value: 'ID', summary: 'Id of a distribution group', required: true },
      notes: { value: 'TEXT', summary: 'What is new' },
    },
    input: ({ args, options: { group, notes } }) => ({
      params: atBuild(args),
      body: {
        destinations: [{ id: group, type: 'group' as const }],
        ...(notes === undefined ? {} : { releaseNotes: notes }),
      },
    }),
    done: () => 'It becomes a release.',
  }),
  command({
    name: 'builds check',
    summary: 'Looks whether a mooring.yml can be understood; what is wrong is named by line',
    arguments: { file: { summary: 'The file; - for standard input' } },
    async run({ args, out }) {
      const { InvalidYml, readYml } = await import('@mooring/runner');
      try {
        const read = readYml(await readText(args.file, 'mooring.yml'));
        out.value(read, 'It can be built so.');
        return exitCodes.ok;
      } catch (error) {
        if (!(error instanceof InvalidYml)) throw error;
        for (const problem of error.problems) out.note(problem);
        return exitCodes.failed;
      }
    },
  }),
  command({
    name: 'builds logs',
    summary: 'Prints the log of a build',
    arguments: { app, build },
    async run({ args, out, connect }) {
      const answer = await connect().call(builds_getLog, { params: atBuild(args) });
      out.value(answer, (answer.value ?? []).map(printable).join('\n'));
    },
  }),
  command({
    name: 'builds watch',
    summary: 'Prints the log of a build while it is written, until it ends; fails if the build does',
    arguments: { app, build },
    async run({ args, out, connect }) {
      const { call } = connect();
      const params = atBuild(args);
      let last: string | undefined;
      let reason: string | undefined;
      let rest = '';
      for (;;) {
        const headers = last === undefined ? {} : { 'last-event-id': last };
        for await (const { event, id, data } of await call(builds_watchLog, { params, query: {}, headers })) {
          last = id;
          if (event === 'build') {
            if (data.waiting !== undefined && data.waiting !== reason)
              out.note(`Build ${data.id} waits. ${data.waiting}`);
            reason = data.waiting;
            if (data.status !== 'completed') continue;
            if (rest !== '') out.value({ line: rest }, printable(rest));
            out.note(`Build ${data.id}: ${data.failure ?? data.result}`);
            return data.result === 'succeeded' ? exitCodes.ok : exitCodes.failed;
          }
          const lines = (rest + data.text).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) out.value({ line }, printable(line));
        }
      }
    },
  }),
  command({
    name: 'builds download',
    summary: 'Downloads what a build made, as a zip',
    arguments: { app, build },
    options: {
      type: { value: 'TYPE', summary: 'What of it (default build)', choices: downloadTypes },
      to: { value: 'FILE', summary: 'Where to; its own name in this folder if absent' },
    },
    async run({ args, options, out, connect }) {
      const params = { ...atBuild(args), download_type: options.type ?? 'build' } as const;
      const { uri } = await connect().call(builds_getDownloadUri, { params });
      const target = options.to ?? path.basename(decodeURIComponent(new URL(uri).pathname));
      await downloadTo(uri, target);
      out.value({ file: target }, target);
    },
  }),
];
