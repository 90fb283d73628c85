import { createHash } from 'node:crypto';
import {
  branchConfigurations_create,
  builds_create,
  repositoryConfigurations_createOrUpdate,
  test_createDeviceSelection,
  test_createTestRun,
  test_getDeviceConfigurations,
  test_getTestRuns,
  test_startTestRun,
  test_uploadHashesBatch,
  testRuns_sendFile,
} from '@mooring/contract';
import { SECOND } from '../../packages/server/src/kernel/clock.ts';
import { createApk } from '../samples/packages.ts';
import { getManager, toAppPath } from './community.ts';
import { drawIcon } from './icon.ts';
import { apps, type DemoApp } from './orgs.ts';
import type { Story } from './plot.ts';
import { type DemoRunner, type Done, openRunner } from './runner.ts';
import { drawScreen } from './screens.ts';

const commits = [
  'Show the price before the date',
  'Add pier names in Danish, Swedish and German',
  'Keep tickets while offline',
  'Send a crossing to a friend',
  'Fix crash when a ticket is opened twice',
  'Enlarge the boarding code',
  'Check for delays once a day instead of every hour',
  'Use system colors',
];
/** The builds that failed. */
const BROKEN = 3;

/** One build every five days. */
const FIRST_DAY = 40;
const DAYS_BETWEEN_BUILDS = 5;
const getBuildDay = (n: number, days: number): number => days - FIRST_DAY + DAYS_BETWEEN_BUILDS * n;

const sha = (text: string): string => createHash('sha1').update(text).digest('hex');

/** The last commit that was built successfully before a day of the story. */
export function findBuiltCommit(day: number, days: number) {
  const n = commits.findLastIndex((_, at) => at !== BROKEN && getBuildDay(at, days) < day);
  const message = commits[n];
  return message && { branch_name: 'main', commit_hash: sha(message), commit_message: message };
}

/** Tests of the app's suite, each with its steps. */
const tests: Record<string, string[]> = {
  buysACrossing: ['App is open', 'Route is selected', 'Date is selected', 'Crossing is paid'],
  boardsWithACode: ['Ticket is open', 'Code is visible'],
  showsDelays: ['Timetable is open', 'Delay is visible'],
  worksWithoutNetwork: ['Network is off', 'Ticket is still visible'],
};

/** Commits of the ticket app are built on a machine of the ferry company, and tested on the phones connected to it. */
export function planBuilds(story: Story): void {
  const { stage, at, days } = story;
  const app = apps.find(({ name }) => name === 'tickets-android') as DemoApp;
  const [params, manager] = [toAppPath(app), getManager(app)];
  let runner: DemoRunner;
  stage.plan(at(days - 45, 10), async () => {
    const call = await stage.as(manager);
    runner = await openRunner(stage, 'saltmarsh', manager, 'shipyard');
    await runner.wake();
    const repo_url = 'https://git.saltmarsh.example/ferries/tickets.git';
    await call(repositoryConfigurations_createOrUpdate, { params, body: { repo_url } });
    const body = {
      trigger: 'continous' as const,
      toolsets: { android: { gradleWrapperPath: 'android/gradlew', module: 'app', buildVariant: 'release' } },
    };
    await call(branchConfigurations_create, { params: { ...params, branch: 'main' }, body });
  });
  for (const [n, message] of commits.entries()) {
    stage.plan(at(getBuildDay(n, days), 14), async () => {
      const call = await stage.as(manager);
      await runner.wake();
      const body = { sourceVersion: sha(message) };
      const { id } = await call(builds_create, { params: { ...params, branch: 'main' }, body });
      await stage.runJobs();
      await runner.work(() => createBuild(app, n, message));
      if (n === BROKEN) return;
      await planRun(n, id);
    });
  }

  /** The suite on all phones. */
  async function planRun(n: number, build_id: number): Promise<void> {
    const call = await stage.as(manager);
    await call(test_createTestRun, { params });
    const [run] = await call(test_getTestRuns, { params });
    const test_run_id = run?.id ?? '';
    const suite = Buffer.from('the suite of the ticket app');
    const name = {
      fileType: 'test-file' as const,
      checksum: createHash('sha256').update(suite).digest('hex'),
      relativePath: 'test-classes/TicketsTest.class',
    };
    const [requested] = await call(test_uploadHashesBatch, { params: { ...params, test_run_id }, body: [name] });
    if (requested?.uploadStatus.location) {
      const { pathname, searchParams } = new URL(requested.uploadStatus.location);
      await call(testRuns_sendFile, {
        params: { upload_id: pathname.split('/').at(-1) ?? '' },
        query: { token: searchParams.get('token') ?? '', run: test_run_id },
        file: new Blob([new Uint8Array(suite)], { type: 'application/octet-stream' }),
      });
    }
    const configurations = await call(test_getDeviceConfigurations, { params });
    const ids = configurations.map(({ id }) => id);
    const { shortId } = await call(test_createDeviceSelection, { params, body: { devices: ids } });
    await call(test_startTestRun, {
      params: { ...params, test_run_id },
      body: { test_framework: 'appium', device_selection: shortId, test_series: 'main', language: 'JUnit', build_id },
    });
    await stage.runJobs();
    for (let device = 0; await runner.work(() => createRun(n, device, stage.now())); device += 1);
  }
}

/** The output of Gradle. */
function createBuild(app: DemoApp, n: number, message: string): Done {
  const bold = (text: string) => `\u001b[1m${text}\u001b[0m`;
  const tasks = ['preBuild', 'compileReleaseKotlin', 'mergeReleaseResources', 'bundleReleaseJs', 'minifyReleaseWithR8'];
  const isBroken = n === BROKEN;
  const seconds = isBroken ? 52 : 64 + n * 3;
  const lines = [
    '== Sources',
    `HEAD is now at ${sha(message).slice(0, 7)} ${message}`,
    '== Dependencies',
    `added ${1180 + n} packages in 41s`,
    '== Build',
    ...tasks.slice(0, isBroken ? 2 : undefined).map((task) => `> Task :app:${task}`),
    ...(isBroken
      ? [
          "\u001b[31me: CrossingScreen.kt:48:31 Unresolved reference 'friend'.\u001b[0m",
          bold(`BUILD FAILED in ${seconds}s`),
          '== Result',
          'Build failed: gradlew ended with 1.',
        ]
      : [bold(`BUILD SUCCESSFUL in ${seconds}s`), '412 actionable tasks: 97 executed, 315 from cache', '== Result']),
  ];
  const apk = createApk({
    name: 'example.tickets.android',
    label: app.displayName,
    icon: drawIcon(app.name),
    version: 200 + n,
    shortVersion: '2.1.0',
  });
  return {
    seconds: seconds + 45,
    log: `${lines.join('\n')}\n`,
    ...(isBroken
      ? { result: 'failed', reason: 'gradlew ended with 1.' }
      : { files: [{ name: 'app-release.apk', kind: 'build', content: apk }] }),
  };
}

/** One test fails on the oldest phone until it is fixed; another one is flaky. */
function createRun(n: number, device: number, now: number): Done {
  const files: NonNullable<Done['files']> = [];
  const events: NonNullable<Done['events']> = [];
  let at = now;
  for (const [test, steps] of Object.entries(tests)) {
    const about = { suite: 'TicketsTest', test };
    const hasFailed =
      (test === 'boardsWithACode' && device === 2 && n < 4) || (test === 'showsDelays' && device === 0 && n % 3 === 1);
    events.push({ type: 'test-started', at, ...about });
    for (const [step, label] of steps.entries()) {
      at += 2 * SECOND;
      const screenshot = `${test}-${step + 1}.png`;
      files.push({ name: screenshot, kind: 'screenshot', content: drawScreen(`${test}${step}`, device) });
      events.push({ type: 'step', at, ...about, label, screenshot });
    }
    const milliseconds = steps.length * 2 * SECOND;
    const memory = 140 + device * 9 + n;
    const failure = {
      message: 'expected the code to be visible within 5 s',
      stack: `at example.tickets.TicketsTest.${test}(TicketsTest.java:${40 + steps.length})`,
    };
    const ending = hasFailed ? { status: 'failed' as const, ...failure } : { status: 'passed' as const };
    events.push({ type: 'test-ended', at, ...about, milliseconds, memory, ...ending });
  }
  const log = Buffer.from(`TicketsTest: ${Object.keys(tests).length} tests\n`);
  return {
    seconds: (at - now) / SECOND,
    events,
    files: [...files, { name: 'device.log', kind: 'device-log', content: log }],
  };
}
