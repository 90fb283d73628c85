import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  type Client,
  type OutputOf,
  test_createDeviceSelection,
  test_createTestRun,
  test_getDeviceConfigurations,
  test_getTestRun,
  test_getTestRunState,
  test_getTestRuns,
  test_listDeviceSetsOfOwner,
  test_startTestRun,
  test_stopTestRun,
  test_uploadHashesBatch,
  testFrameworks,
  testRuns_compare,
  testRuns_getResults,
  testRuns_import,
  testRuns_rerun,
  testRuns_sendFile,
  testRuns_watch,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { exitCodes, Failure, wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import { type Column, type Output, printable } from '../output.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

type Run = OutputOf<typeof test_getTestRun>;
type Results = OutputOf<typeof testRuns_getResults>;
type AppParams = ReturnType<typeof readApp>;

const run = { summary: 'Id of the test run' } as const;
const atRun = (args: { app: string; run: string }) => ({ ...readApp(args.app), test_run_id: args.run });

const columns: Column<Run>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'SERIES', value: ({ testSeries }) => testSeries },
  { header: 'TYPE', value: ({ testType }) => testType },
  { header: 'STATUS', value: ({ runStatus }) => runStatus },
  { header: 'RESULT', value: ({ description }) => description },
  { header: 'PASSED', value: ({ stats }) => stats.passed },
  { header: 'FAILED', value: ({ stats }) => stats.failed },
  { header: 'DEVICES', value: ({ stats }) => stats.devices },
  { header: 'STARTED', value: ({ date }) => date, isTime: true },
];

interface SuiteFile {
  file: string;
  type: 'app-file' | 'test-file';
  path: string;
  checksum: string;
}

async function summed(file: string): Promise<string> {
  const sum = createHash('sha256');
  await pipeline(createReadStream(file), sum);
  return sum.digest('hex');
}

/** All files below a folder, or the one file. */
function filesIn(place: string): { file: string; path: string }[] {
  if (!statSync(place, { throwIfNoEntry: false })) throw wrongUsage(`${place} is not there.`);
  if (statSync(place).isFile()) return [{ file: place, path: path.basename(place) }];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return { file, path: path.relative(place, file).split(path.sep).join('/') };
    });
}

const AT_ONCE = 500;
const MAX_MESSAGE_LINES = 10;

async function sendFiles(call: Client, params: AppParams & { test_run_id: string }, files: SuiteFile[], out: Output) {
  let sent = 0;
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    const body = some.map(({ type, path, checksum }) => ({ fileType: type, relativePath: path, checksum }));
    const answers = await call(test_uploadHashesBatch, { params, body });
    const asked = new Set<string>();
    for (const [index, { uploadStatus }] of answers.entries()) {
      const one = some[index];
      if (!one || uploadStatus.location === undefined || asked.has(one.checksum)) continue;
      asked.add(one.checksum);
      const { pathname, searchParams } = new URL(uploadStatus.location);
      await call(testRuns_sendFile, {
        params: { upload_id: pathname.split('/').at(-1) ?? '' },
        query: { token: searchParams.get('token') ?? '', run: params.test_run_id },
        file: await openAsBlob(one.file),
      });
      sent += 1;
    }
  }
  out.note(`${files.length} files, ${sent} of them new to the server.`);
}

/** Names each test that failed, where, and with which message; the whole stack is in `tests report`. */
const failedLines = ({ devices, tests }: Results): string[] =>
  tests.flatMap(({ suite, test, outcomes }) =>
    outcomes
      .filter(({ status }) => status === 'failed')
      .flatMap(({ device, message, stack }) => [
        `failed  ${suite} ${test} on ${devices.find(({ index }) => index === device)?.name ?? 'a device'}`,
        ...(message ?? stack ?? 'It gave no message.')
          .split('\n')
          .slice(0, MAX_MESSAGE_LINES)
          .map((line) => `        ${line}`),
      ]),
  );

/** Prints how far it is until it has finished; its exit code is the command's, as docs/tests.md lists them. */
export async function watchRun(
  call: Client,
  params: AppParams & { test_run_id: string },
  out: Output,
): Promise<number> {
  let shown = '';
  for (;;) {
    for await (const { data } of await call(testRuns_watch, { params, query: {} })) {
      const { stats, description, waiting } = data;
      const line = `${description.replace(/\.$/, '')}${waiting === undefined ? '' : `. ${waiting.replace(/\.$/, '')}`}: ${stats.devicesFinished} of ${stats.devices} devices, ${stats.passed} passed, ${stats.failed} failed`;
      if (line !== shown) out.note(line);
      shown = line;
      if (data.runStatus !== 'finished') continue;
      const { message, exit_code } = await call(test_getTestRunState, { params });
      const failed = stats.failed === 0 ? [] : failedLines(await call(testRuns_getResults, { params }));
      out.value(data, [...failed, ...message].map(printable).join('\n'));
      return exit_code ?? exitCodes.failed;
    }
  }
}

const parametersOf = (pairs: readonly string[]): Record<string, string | null> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [pair, null] : [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

const changeWords = {
  newly_failing: 'newly failing',
  still_failing: 'still failing',
  fixed: 'fixed',
  not_run: 'did not run',
  added: 'added',
} as const;

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** For what is not known by the package that is uploaded. */
const tested = {
  release: { value: 'RELEASE', summary: 'The release that is tested, by its number' },
  build: { value: 'BUILD', summary: 'The build that is tested, by its number' },
} as const;

function readNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw wrongUsage(`--${option} is a number from 1 on, not "${text}".`);
  return Number(text);
}

const testedIn = ({ release, build }: { release: string | undefined; build: string | undefined }) => ({
  ...(release === undefined ? {} : { release_id: readNumber('release', release) }),
  ...(build === undefined ? {} : { build_id: readNumber('build', build) }),
});

export const testCommands = [
  operation({
    name: 'tests list',
    endpoint: test_getTestRuns,
    arguments: { app },
    options: {
      release: { value: 'RELEASE', summary: 'Only those of a release, by its number' },
      build: { value: 'BUILD', summary: 'Only those of a build, by its number' },
    },
    input: ({ args, options }) => ({ params: readApp(args.app), query: testedIn(options) }),
    columns,
  }),
  operation({
    name: 'tests show',
    endpoint: test_getTestRun,
    arguments: { app, run },
    input: ({ args }) => ({ params: atRun(args) }),
    columns,
  }),
  command({
    name: 'tests run',
    summary:
      'Uploads a suite and runs it on devices; exits with 1 if a test failed, 2 if the run could not be completed',
    arguments: {
      app,
      suite: { summary: 'Folder of the suite, or its one file' },
      parameters: { summary: 'Parameters of the framework, as NAME=VALUE', many: true, optional: true },
    },
    options: {
      framework: { value: 'NAME', summary: 'What runs it', choices: testFrameworks, required: true },
      devices: { value: 'DEVICES', summary: 'A short id, OWNER/SET, or any for one that is free (default any)' },
      package: { value: 'FILE', summary: 'The app that is tested' },
      series: { value: 'NAME', summary: 'The series that the run is part of' },
      locale: { value: 'LOCALE', summary: 'Of the device, such as en_US' },
      ...tested,
      async: { summary: 'Do not wait for the end' },
    },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const found: { file: string; path: string; type: SuiteFile['type'] }[] = [
        ...(options.package === undefined
          ? []
          : [{ file: options.package, path: path.basename(options.package), type: 'app-file' as const }]),
        ...filesIn(args.suite).map((one) => ({ ...one, type: 'test-file' as const })),
      ];
      const files: SuiteFile[] = [];
      for (const one of found) files.push({ ...one, checksum: await summed(one.file) });
      let location = '';
      const ofApp = readApp(args.app);
      await call(test_createTestRun, {
        params: ofApp,
        onHeaders: (headers) => {
          location = headers.get('location') ?? '';
        },
      });
      const params = { ...ofApp, test_run_id: location.split('/').at(-1) ?? '' };
      await sendFiles(call, params, files, out);
      const { accepted_devices, rejected_devices } = await call(test_startTestRun, {
        params,
        body: {
          test_framework: options.framework,
          device_selection: options.devices ?? 'any',
          ...(options.series === undefined ? {} : { test_series: options.series }),
          ...(options.locale === undefined ? {} : { locale: options.locale }),
          test_parameters: parametersOf(args.parameters),
          ...testedIn(options),
        },
      });
      out.note(`Test run ${params.test_run_id}`);
      if (accepted_devices.length > 0) out.note(`On ${accepted_devices.join(', ')}`);
      if (rejected_devices.length > 0) out.note(`Not on ${rejected_devices.join(', ')}`);
      if (!options.async) return watchRun(call, params, out);
      out.value({ id: params.test_run_id, accepted_devices, rejected_devices }, params.test_run_id);
      return exitCodes.ok;
    },
  }),
  command({
    name: 'tests watch',
    summary:
      'Says how far a test run is until it has finished; exits with 1 if a test failed, 2 if it could not be completed',
    arguments: { app, run },
    run: ({ args, out, connect }) => watchRun(connect().call, atRun(args), out),
  }),
  command({
    name: 'tests report',
    summary: 'Prints what each test of a run has shown, those that failed first, and why',
    arguments: { app, run },
    async run({ args, out, connect }) {
      const results = await connect().call(testRuns_getResults, { params: atRun(args) });
      const nameOf = (index: number) => results.devices.find((one) => one.index === index)?.name ?? '';
      const lines = [
        `${results.run.description}: ${results.run.stats.passed} passed, ${results.run.stats.failed} failed, ${results.run.stats.skipped} skipped`,
        ...results.devices.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}: ${failure}`])),
        ...results.tests.flatMap(({ suite, test, is_flaky, outcomes }) =>
          outcomes.flatMap(({ device, status, milliseconds, message, stack }) => [
            `${status.padEnd(7)} ${suite} ${test} on ${nameOf(device)}, ${seconds(milliseconds)}${is_flaky ? ', flaky' : ''}`,
            ...(status === 'failed' ? (stack ?? message ?? '').split('\n').map((line) => `        ${line}`) : []),
          ]),
        ),
      ];
      out.value(results, lines.map(printable).join('\n'));
    },
  }),
  command({
    name: 'tests compare',
    summary: 'Says what fails that did not fail in another run, what was fixed, and what takes longer',
    arguments: { app, run },
    options: { with: { value: 'RUN', summary: 'Id of the other run (default the one before)' } },
    async run({ args, options, out, connect }) {
      const query = options.with === undefined ? {} : { with: options.with };
      const compared = await connect().call(testRuns_compare, { params: atRun(args), query });
      const of = (run: Run) => `${run.date} (${run.stats.passed} passed, ${run.stats.failed} failed)`;
      const lines = [
        `${of(compared.run)}, compared with ${of(compared.before)}`,
        ...compared.tests.map(
          ({ change, suite, test, message }) =>
            `${changeWords[change].padEnd(13)} ${suite} ${test}${message === undefined ? '' : `: ${message.split('\n')[0]}`}`,
        ),
        ...compared.durations.map(
          ({ suite, test, milliseconds_before, milliseconds }) =>
            `${(milliseconds > milliseconds_before ? 'slower' : 'faster').padEnd(13)} ${suite} ${test}: ${seconds(milliseconds_before)}, now ${seconds(milliseconds)}`,
        ),
      ];
      out.value(compared, lines.map(printable).join('\n'));
    },
  }),
  operation({
    name: 'tests stop',
    endpoint: test_stopTestRun,
    arguments: { app, run },
    input: ({ args }) => ({ params: atRun(args) }),
    columns,
  }),
  operation({
    name: 'tests rerun',
    endpoint: testRuns_rerun,
    arguments: { app, run },
    options: { all: { summary: 'All tests, not only those that failed' } },
    input: ({ args, options: { all } }) => ({ params: atRun(args), body: { only_failed: !all } }),
    columns,
  }),
  command({
    name: 'tests import',
    summary: 'Keeps what a suite has shown that ran elsewhere, from its JUnit XML',
    arguments: { app, file: { summary: 'The XML file; docs/samples/junit-results.xml is one' } },
    options: {
      device: { value: 'NAME', summary: 'On which it ran' },
      os: { value: 'VERSION', summary: 'The version of its system' },
      series: { value: 'NAME', summary: 'The series that the run is part of' },
      'app-version': { value: 'VERSION', summary: 'The version of the app that was tested' },
      ...tested,
    },
    async run({ args, options, out, connect }) {
      const { device, os, series, 'app-version': version } = options;
      const file = await openAsBlob(args.file, { type: 'application/xml' }).catch(() => {
        throw new Failure(`${args.file} cannot be read.`);
      });
      const answer = await connect().call(testRuns_import, {
        params: readApp(args.app),
        query: {
          ...(device === undefined ? {} : { device }),
          ...(os === undefined ? {} : { os }),
          ...(series === undefined ? {} : { test_series: series }),
          ...(version === undefined ? {} : { app_version: version }),
          ...testedIn(options),
        },
        file,
      });
      out.record(answer, answer, columns);
    },
  }),
  operation({
    name: 'devices list',
    endpoint: test_getDeviceConfigurations,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app), query: {} }),
    columns: [
      { header: 'NAME', value: ({ name }) => name },
      { header: 'SYSTEM', value: ({ osName }) => osName },
      { header: 'ONLINE', value: ({ isOnline }) => isOnline },
      { header: 'EMULATED', value: ({ isEmulated }) => isEmulated },
      { header: 'FOR', value: ({ frameworks }) => frameworks.join(' ') },
      { header: 'AT', value: ({ runners }) => runners.join(', ') },
      { header: 'ID', value: ({ id }) => id },
    ],
  }),
  operation({
    name: 'devices sets',
    endpoint: test_listDeviceSetsOfOwner,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'NAME', value: ({ name }) => name },
      { header: 'FOR --devices', value: ({ owner, slug }) => `${owner.name}/${slug}` },
      { header: 'DEVICES', value: ({ deviceConfigurations }) => deviceConfigurations.length },
    ],
  }),
  operation({
    name: 'devices select',
    endpoint: test_createDeviceSelection,
    arguments: { app, ids: { summary: 'Ids of devices, as `devices list` prints them', many: true } },
    input: ({ args }) => ({ params: readApp(args.app), body: { devices: args.ids } }),
    line: ({ shortId }) => shortId,
  }),
];
