import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  type Client,
  type EndpointOutput,
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
import { app, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { exitCodes, Failure, wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import { type Column, type Output, printable } from '../../terminal/output.ts';

type Run = EndpointOutput<typeof test_getTestRun>;
type Results = EndpointOutput<typeof testRuns_getResults>;
type AppParams = ReturnType<typeof readApp>;

const run = { summary: 'ID of the test run, as in "mooring tests list"' } as const;
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

async function computeChecksum(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Lists all files in a folder and its subfolders, or the file itself. */
function listFiles(place: string): { file: string; path: string }[] {
  if (!statSync(place, { throwIfNoEntry: false })) throw wrongUsage(`${place} doesn't exist.`);
  if (statSync(place).isFile()) return [{ file: place, path: path.basename(place) }];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return { file, path: path.relative(place, file).split(path.sep).join('/') };
    });
}

const BATCH_SIZE = 500;
const MAX_MESSAGE_LINES = 10;

async function sendFiles(call: Client, params: AppParams & { test_run_id: string }, files: SuiteFile[], out: Output) {
  let sent = 0;
  for (let at = 0; at < files.length; at += BATCH_SIZE) {
    const batch = files.slice(at, at + BATCH_SIZE);
    const body = batch.map(({ type, path, checksum }) => ({ fileType: type, relativePath: path, checksum }));
    const results = await call(test_uploadHashesBatch, { params, body });
    const sentChecksums = new Set<string>();
    for (const [index, { uploadStatus }] of results.entries()) {
      const one = batch[index];
      if (!one || uploadStatus.location === undefined || sentChecksums.has(one.checksum)) continue;
      sentChecksums.add(one.checksum);
      const { pathname, searchParams } = new URL(uploadStatus.location);
      await call(testRuns_sendFile, {
        params: { upload_id: pathname.split('/').at(-1) ?? '' },
        query: { token: searchParams.get('token') ?? '', run: params.test_run_id },
        file: await openAsBlob(one.file),
      });
      sent += 1;
    }
  }
  out.note(`Uploaded ${sent} of ${files.length} files; the server had the others.`);
}

/** Formats each failed test with its device and message; `tests report` prints complete stacks. */
const formatFailures = ({ devices, tests }: Results): string[] =>
  tests.flatMap(({ suite, test, outcomes }) =>
    outcomes
      .filter(({ status }) => status === 'failed')
      .flatMap(({ device, message, stack }) => [
        `failed  ${suite} ${test} on ${devices.find(({ index }) => index === device)?.name ?? 'unknown device'}`,
        ...(message ?? stack ?? 'No message.')
          .split('\n')
          .slice(0, MAX_MESSAGE_LINES)
          .map((line) => `        ${line}`),
      ]),
  );

/** Prints the progress of a run until it finishes. Returns the exit code of the run; docs/tests.md lists them. */
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
      const failed = stats.failed === 0 ? [] : formatFailures(await call(testRuns_getResults, { params }));
      out.value(data, [...failed, ...message].map(printable).join('\n'));
      return exit_code ?? exitCodes.failed;
    }
  }
}

const parseParameters = (pairs: readonly string[]): Record<string, string | null> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [pair, null] : [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

const changeLabels = {
  newly_failing: 'newly failing',
  still_failing: 'still failing',
  fixed: 'fixed',
  not_run: 'did not run',
  added: 'added',
} as const;

const formatSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Needed if the uploaded package doesn't identify the release or build. */
const testedOptions = {
  release: { value: 'RELEASE', summary: 'Number of the tested release' },
  build: { value: 'BUILD', summary: 'Number of the tested build' },
} as const;

function readNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw wrongUsage(`--${option} must be a positive number, not "${text}".`);
  return Number(text);
}

const toTestedFields = ({ release, build }: { release: string | undefined; build: string | undefined }) => ({
  ...(release === undefined ? {} : { release_id: readNumber('release', release) }),
  ...(build === undefined ? {} : { build_id: readNumber('build', build) }),
});

export const testCommands = [
  operation({
    name: 'tests list',
    summary: 'List the newest test runs of an app',
    endpoint: test_getTestRuns,
    arguments: { app },
    options: {
      release: { value: 'RELEASE', summary: 'Filter by the number of the release' },
      build: { value: 'BUILD', summary: 'Filter by the number of the build' },
    },
    input: ({ args, options }) => ({ params: readApp(args.app), query: toTestedFields(options) }),
    columns,
  }),
  operation({
    name: 'tests show',
    summary: 'Show a test run',
    endpoint: test_getTestRun,
    arguments: { app, run },
    input: ({ args }) => ({ params: atRun(args) }),
    columns,
  }),
  command({
    name: 'tests run',
    summary:
      "Upload a test suite and run it on devices; exit with 1 if a test failed, and 2 if the run couldn't complete",
    arguments: {
      app,
      suite: { summary: 'Folder or file of the test suite' },
      parameters: { summary: 'Parameters for the test framework, as NAME=VALUE', many: true, optional: true },
    },
    options: {
      framework: { value: 'NAME', summary: 'Test framework', choices: testFrameworks, required: true },
      devices: {
        value: 'DEVICES',
        summary: 'Devices: a short ID from "mooring devices select", a set as OWNER/SET, or "any" (default any)',
      },
      package: { value: 'FILE', summary: 'Package of the tested app' },
      series: { value: 'NAME', summary: 'Test series of the run' },
      locale: { value: 'LOCALE', summary: 'Locale of the device, such as en_US' },
      ...testedOptions,
      async: { summary: 'Exit without waiting for the result' },
    },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const suiteFiles: { file: string; path: string; type: SuiteFile['type'] }[] = [
        ...(options.package === undefined
          ? []
          : [{ file: options.package, path: path.basename(options.package), type: 'app-file' as const }]),
        ...listFiles(args.suite).map((one) => ({ ...one, type: 'test-file' as const })),
      ];
      const files: SuiteFile[] = [];
      for (const one of suiteFiles) files.push({ ...one, checksum: await computeChecksum(one.file) });
      let location = '';
      const appParams = readApp(args.app);
      await call(test_createTestRun, {
        params: appParams,
        onHeaders: (headers) => {
          location = headers.get('location') ?? '';
        },
      });
      const params = { ...appParams, test_run_id: location.split('/').at(-1) ?? '' };
      await sendFiles(call, params, files, out);
      const { accepted_devices, rejected_devices } = await call(test_startTestRun, {
        params,
        body: {
          test_framework: options.framework,
          device_selection: options.devices ?? 'any',
          ...(options.series === undefined ? {} : { test_series: options.series }),
          ...(options.locale === undefined ? {} : { locale: options.locale }),
          test_parameters: parseParameters(args.parameters),
          ...toTestedFields(options),
        },
      });
      out.note(`Started test run ${params.test_run_id}.`);
      if (accepted_devices.length > 0) out.note(`Devices: ${accepted_devices.join(', ')}`);
      if (rejected_devices.length > 0) out.note(`Rejected devices: ${rejected_devices.join(', ')}`);
      if (!options.async) return watchRun(call, params, out);
      out.value({ id: params.test_run_id, accepted_devices, rejected_devices }, params.test_run_id);
      return exitCodes.ok;
    },
  }),
  command({
    name: 'tests watch',
    summary:
      "Print the progress of a test run until it finishes; exit with 1 if a test failed, and 2 if the run couldn't complete",
    arguments: { app, run },
    run: ({ args, out, connect }) => watchRun(connect().call, atRun(args), out),
  }),
  command({
    name: 'tests report',
    summary: 'Print the result of each test of a run, failures first',
    arguments: { app, run },
    async run({ args, out, connect }) {
      const results = await connect().call(testRuns_getResults, { params: atRun(args) });
      const getName = (index: number) => results.devices.find((one) => one.index === index)?.name ?? '';
      const lines = [
        `${results.run.description}: ${results.run.stats.passed} passed, ${results.run.stats.failed} failed, ${results.run.stats.skipped} skipped`,
        ...results.devices.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}: ${failure}`])),
        ...results.tests.flatMap(({ suite, test, is_flaky, outcomes }) =>
          outcomes.flatMap(({ device, status, milliseconds, message, stack }) => [
            `${status.padEnd(7)} ${suite} ${test} on ${getName(device)}, ${formatSeconds(milliseconds)}${is_flaky ? ', flaky' : ''}`,
            ...(status === 'failed' ? (stack ?? message ?? '').split('\n').map((line) => `        ${line}`) : []),
          ]),
        ),
      ];
      out.value(results, lines.map(printable).join('\n'));
    },
  }),
  command({
    name: 'tests compare',
    summary: 'Compare two test runs: new failures, fixed tests and durations',
    arguments: { app, run },
    options: { with: { value: 'RUN', summary: 'ID of the other run (default: the previous run)' } },
    async run({ args, options, out, connect }) {
      const query = options.with === undefined ? {} : { with: options.with };
      const compared = await connect().call(testRuns_compare, { params: atRun(args), query });
      const formatRun = (run: Run) => `${run.date} (${run.stats.passed} passed, ${run.stats.failed} failed)`;
      const lines = [
        `${formatRun(compared.run)}, compared with ${formatRun(compared.before)}`,
        ...compared.tests.map(
          ({ change, suite, test, message }) =>
            `${changeLabels[change].padEnd(13)} ${suite} ${test}${message === undefined ? '' : `: ${message.split('\n')[0]}`}`,
        ),
        ...compared.durations.map(
          ({ suite, test, milliseconds_before, milliseconds }) =>
            `${(milliseconds > milliseconds_before ? 'slower' : 'faster').padEnd(13)} ${suite} ${test}: ${formatSeconds(milliseconds_before)}, now ${formatSeconds(milliseconds)}`,
        ),
      ];
      out.value(compared, lines.map(printable).join('\n'));
    },
  }),
  operation({
    name: 'tests stop',
    summary: 'Stop a test run; its report keeps the completed tests',
    endpoint: test_stopTestRun,
    arguments: { app, run },
    input: ({ args }) => ({ params: atRun(args) }),
    columns,
  }),
  operation({
    name: 'tests rerun',
    summary: 'Run the failed and unfinished tests of a run again, on the same devices',
    endpoint: testRuns_rerun,
    arguments: { app, run },
    options: { all: { summary: 'Run all tests, not only failed ones' } },
    input: ({ args, options: { all } }) => ({ params: atRun(args), body: { only_failed: !all } }),
    columns,
  }),
  command({
    name: 'tests import',
    summary: 'Import the results of a test suite that ran elsewhere, as JUnit XML',
    arguments: { app, file: { summary: 'JUnit XML file, such as docs/samples/junit-results.xml' } },
    options: {
      device: { value: 'NAME', summary: 'Name of the device' },
      os: { value: 'VERSION', summary: 'OS version of the device' },
      series: { value: 'NAME', summary: 'Test series of the run' },
      'app-version': { value: 'VERSION', summary: 'Version of the tested app' },
      ...testedOptions,
    },
    async run({ args, options, out, connect }) {
      const { device, os, series, 'app-version': version } = options;
      const file = await openAsBlob(args.file, { type: 'application/xml' }).catch(() => {
        throw new Failure(`Can't read ${args.file}.`);
      });
      const result = await connect().call(testRuns_import, {
        params: readApp(args.app),
        query: {
          ...(device === undefined ? {} : { device }),
          ...(os === undefined ? {} : { os }),
          ...(series === undefined ? {} : { test_series: series }),
          ...(version === undefined ? {} : { app_version: version }),
          ...toTestedFields(options),
        },
        file,
      });
      out.record(result, result, columns);
    },
  }),
  operation({
    name: 'devices list',
    summary: 'List the devices that runners offer for tests of an app',
    endpoint: test_getDeviceConfigurations,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app), query: {} }),
    columns: [
      { header: 'NAME', value: ({ name }) => name },
      { header: 'SYSTEM', value: ({ osName }) => osName },
      { header: 'ONLINE', value: ({ isOnline }) => isOnline },
      { header: 'EMULATED', value: ({ isEmulated }) => isEmulated },
      { header: 'FRAMEWORKS', value: ({ frameworks }) => frameworks.join(' ') },
      { header: 'RUNNERS', value: ({ runners }) => runners.join(', ') },
      { header: 'ID', value: ({ id }) => id },
    ],
  }),
  operation({
    name: 'devices sets',
    summary: 'List the device sets of the owner of an app',
    endpoint: test_listDeviceSetsOfOwner,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'NAME', value: ({ name }) => name },
      { header: '--devices', value: ({ owner, slug }) => `${owner.name}/${slug}` },
      { header: 'DEVICES', value: ({ deviceConfigurations }) => deviceConfigurations.length },
    ],
  }),
  operation({
    name: 'devices select',
    summary: 'Create a short ID for a selection of devices, for "mooring tests run --devices"',
    endpoint: test_createDeviceSelection,
    arguments: { app, ids: { summary: 'Device IDs, as in "mooring devices list"', many: true } },
    input: ({ args }) => ({ params: readApp(args.app), body: { devices: args.ids } }),
    line: ({ shortId }) => shortId,
  }),
];
