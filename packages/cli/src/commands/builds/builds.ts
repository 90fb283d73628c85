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
  type EndpointOutput,
  pushHooks_create,
  pushHooks_delete,
  repositoryConfigurations_createOrUpdate,
  repositoryConfigurations_delete,
  repositoryConfigurations_list,
} from '@mooring/contract';
import { downloadTo, readJson, readText } from '../../arguments/files.ts';
import { app, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { exitCodes } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import { type Column, printable } from '../../terminal/output.ts';

type Build = EndpointOutput<typeof builds_get>;
type Settings = CallInput<typeof branchConfigurations_create>['body'];

const branch = { summary: 'Name of the branch' } as const;
const build = { summary: 'Build number' } as const;
const file = { summary: 'JSON file with the fields of the API, or - for stdin' } as const;

const columns: Column<Build>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'BRANCH', value: ({ sourceBranch }) => sourceBranch },
  { header: 'COMMIT', value: ({ sourceVersion }) => sourceVersion.slice(0, 12) },
  { header: 'STATUS', value: ({ status }) => status },
  { header: 'RESULT', value: ({ result }) => (result === 'none' ? undefined : result) },
  { header: 'REASON', value: ({ failure, waiting }) => failure ?? waiting },
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
    summary: 'Show the Git repository of an app',
    endpoint: repositoryConfigurations_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app), query: {} }),
    columns: [
      { header: 'REPOSITORY', value: ({ repo_url }) => repo_url },
      { header: 'USER', value: ({ username }) => username },
      { header: 'DEPLOY KEY', value: ({ deploy_key }) => deploy_key },
      { header: 'STATE', value: ({ state }) => state },
      { header: 'LAST ERROR', value: ({ trouble }) => trouble },
    ],
  }),
  operation({
    name: 'repos connect',
    summary: 'Connect an app to its Git repository',
    endpoint: repositoryConfigurations_createOrUpdate,
    arguments: { app, url: { summary: 'URL of the repository (https or ssh)' } },
    options: {
      user: { value: 'NAME', summary: 'User name for the repository' },
      'password-file': { value: 'FILE', summary: 'File with the password or token, or - for stdin' },
      'no-check': { summary: 'Skip the check that the repository is readable' },
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
    summary: 'Disconnect an app from its repository and delete its build configurations and builds',
    endpoint: repositoryConfigurations_delete,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    confirm: ({ args }) =>
      `Disconnect ${args.app} from its repository? This also deletes its build configurations and builds.`,
    done: (_, { message }) => message,
  }),
  operation({
    name: 'repos webhook',
    aliases: ['repos hook'],
    endpoint: pushHooks_create,
    summary: 'Create a push webhook for your Git host, so that pushes start builds',
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app), body: {} }),
    line: ({ url, secret, git_hook }) =>
      [`URL     ${url}`, `Secret  ${secret}`, '', 'Without webhooks, use this hooks/post-receive:', git_hook].join(
        '\n',
      ),
  }),
  operation({
    name: 'repos unhook',
    summary: 'Delete the push webhook of an app',
    endpoint: pushHooks_delete,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    done: ({ args }) => `Deleted the push webhook of ${args.app}.`,
  }),
  operation({
    name: 'builds branches',
    summary: 'List branches with their configuration status and last build',
    endpoint: builds_listBranches,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'BRANCH', value: (one) => one.branch.name },
      { header: 'COMMIT', value: (one) => one.branch.commit.sha.slice(0, 12) },
      { header: 'CONFIGURED', value: ({ configured }) => configured },
      { header: 'LAST BUILD', value: ({ lastBuild }) => lastBuild?.id },
      {
        header: 'RESULT',
        value: ({ lastBuild }) => (lastBuild?.status === 'completed' ? lastBuild.result : lastBuild?.status),
      },
    ],
  }),
  operation({
    name: 'builds config',
    summary: 'Show the build configuration of a branch',
    endpoint: branchConfigurations_get,
    arguments: { app, branch },
    input: ({ args }) => ({ params: atBranch(args) }),
    line: (settings) => JSON.stringify(settings, null, 2),
  }),
  operation({
    name: 'builds configure',
    summary: 'Create the build configuration of a branch',
    endpoint: branchConfigurations_create,
    arguments: { app, branch, file },
    input: async ({ args }) => ({ params: atBranch(args), body: await readSettings(args.file) }),
    done: ({ args }) => `Created the build configuration of ${args.branch}.`,
  }),
  operation({
    name: 'builds reconfigure',
    summary: 'Replace the build configuration of a branch',
    endpoint: branchConfigurations_update,
    arguments: { app, branch, file },
    input: async ({ args }) => ({ params: atBranch(args), body: await readSettings(args.file) }),
    done: ({ args }) => `Replaced the build configuration of ${args.branch}.`,
  }),
  operation({
    name: 'builds unconfigure',
    summary: 'Delete the build configuration of a branch, with its builds and their files',
    endpoint: branchConfigurations_delete,
    arguments: { app, branch },
    input: ({ args }) => ({ params: atBranch(args) }),
    confirm: ({ args }) => `Delete the build configuration of ${args.branch}, with its builds and their files?`,
    done: (_, { message }) => message,
  }),
  operation({
    name: 'builds list',
    summary: 'List the builds of a branch, newest first',
    endpoint: builds_listByBranch,
    arguments: { app, branch },
    input: ({ args }) => ({ params: atBranch(args) }),
    columns,
  }),
  operation({
    name: 'builds history',
    summary: 'List the builds of an app, newest first',
    endpoint: builds_list,
    arguments: { app },
    options: {
      branch: { value: 'NAME', summary: 'Filter by branch' },
      status: { value: 'STATUS', summary: 'Filter by status', choices: buildStatuses },
      result: { value: 'RESULT', summary: 'Filter by result', choices: buildResults },
    },
    input: ({ args, options: { branch, status, result } }) => ({
      params: readApp(args.app),
      query: {
        ...(branch === undefined ? {} : { branch }),
        ...(status === undefined ? {} : { status }),
        ...(result === undefined ? {} : { result }),
      },
    }),
    columns,
  }),
  operation({
    name: 'builds show',
    summary: 'Show a build',
    endpoint: builds_get,
    arguments: { app, build },
    input: ({ args }) => ({ params: atBuild(args) }),
    columns,
  }),
  operation({
    name: 'builds queue',
    summary: 'Queue a build of a branch',
    endpoint: builds_create,
    arguments: { app, branch },
    options: {
      commit: { value: 'SHA', summary: 'Full hash of the commit to build (default: the newest)' },
      debug: { summary: 'Write a more detailed log' },
      priority: { value: 'PRIORITY', summary: 'Position in the queue', choices: buildPriorities },
      'variables-file': {
        value: 'FILE',
        summary:
          'JSON file with environment variables of this build, as [{"name", "value", "isSecret"}], or - for stdin',
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
    summary: 'Build the commit of a finished build again',
    endpoint: builds_retry,
    arguments: { app, build },
    input: ({ args }) => ({ params: atBuild(args), body: {} }),
    columns,
  }),
  operation({
    name: 'builds prioritize',
    endpoint: builds_update,
    summary: 'Change the priority of a queued build',
    arguments: { app, build, priority: { summary: 'Position in the queue', choices: buildPriorities } },
    input: ({ args }) => ({ params: atBuild(args), body: { priority: args.priority } }),
    columns,
  }),
  operation({
    name: 'builds settings',
    summary: 'Show the build settings of an app',
    endpoint: buildSettings_get,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    line: (settings) => JSON.stringify(settings, null, 2),
  }),
  operation({
    name: 'builds set',
    summary: 'Replace the build settings of an app',
    endpoint: buildSettings_update,
    arguments: { app, file },
    input: async ({ args }) => ({ params: readApp(args.app), body: await readBuildSettings(args.file) }),
    done: ({ args }) => `Replaced the build settings of ${args.app}.`,
  }),
  operation({
    name: 'builds cancel',
    endpoint: builds_update,
    summary: 'Cancel a build',
    arguments: { app, build },
    input: ({ args }) => ({ params: atBuild(args), body: { status: 'cancelling' as const } }),
    columns,
  }),
  operation({
    name: 'builds distribute',
    summary: 'Create a release from a build and distribute it to a group',
    endpoint: builds_distribute,
    arguments: { app, build },
    options: {
      group: { value: 'ID', summary: 'ID of the distribution group', required: true },
      notes: { value: 'TEXT', summary: 'Release notes' },
    },
    input: ({ args, options: { group, notes } }) => ({
      params: atBuild(args),
      body: {
        destinations: [{ id: group, type: 'group' as const }],
        ...(notes === undefined ? {} : { releaseNotes: notes }),
      },
    }),
    done: ({ args }) => `Started the distribution of build ${args.build}.`,
  }),
  command({
    name: 'builds check',
    summary: 'Validate a mooring.yml and list errors by line',
    arguments: { file: { summary: 'Path of the file, or - for stdin' } },
    async run({ args, out }) {
      const { InvalidYml, readYml } = await import('@mooring/runner');
      try {
        const read = readYml(await readText(args.file, 'mooring.yml'));
        out.value(read, 'The file is valid.');
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
    summary: 'Print the log of a build',
    arguments: { app, build },
    async run({ args, out, connect }) {
      const log = await connect().call(builds_getLog, { params: atBuild(args) });
      out.value(log, (log.value ?? []).map(printable).join('\n'));
    },
  }),
  command({
    name: 'builds watch',
    summary: 'Print the log of a running build until it ends; exit with 1 if the build fails',
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
              out.note(`Build ${data.id} is queued. ${data.waiting}`);
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
    summary: 'Download the output of a build as a ZIP file',
    arguments: { app, build },
    options: {
      type: { value: 'TYPE', summary: 'Kind of output (default build)', choices: downloadTypes },
      to: { value: 'FILE', summary: 'Path to save to (default: the name on the server, in the current folder)' },
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
