import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../../packages/server/src/workers/find-program.ts';
import { type Bench, type Contestant, median, number, table } from '../harness.ts';
import { openApp, startRunner } from '../load/open-app.ts';

const TESTS = 100;
/** How many previous runs a report reads. */
const RUNS_BEFORE = 8;
const TIMEOUT_MS = 60_000;
const APPIUM_PORT = 47_231;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const phone = {
  key: 'usb-1',
  manufacturer: 'Google',
  model: 'Pixel 8',
  platform: 'android',
  os: '14',
  form_factor: 'phone',
  is_emulated: false,
  frameworks: ['command'],
};

/** An app whose suites run on any device. */
async function openTested(contestant: Contestant, display_name: string) {
  const app = await openApp(contestant, display_name);
  const { server, callApi } = app;
  return {
    ...app,
    /** Starts a suite of one file on any device; returns the ID of the run. */
    async start(parameters: object): Promise<string> {
      const suite = Buffer.from('a suite');
      const id = (await callApi('POST', '/test_runs', {})).location.split('/').at(-1) ?? '';
      const checksum = createHash('sha256').update(suite).digest('hex');
      const files = [{ fileType: 'test-file', checksum, relativePath: 'suite' }];
      const [named] = (await callApi('POST', `/test_runs/${id}/hashes/batch`, files)).body;
      if (named.uploadStatus.location) {
        const form = new FormData();
        form.append('file', new Blob([suite]), 'suite');
        const { pathname, search } = new URL(named.uploadStatus.location);
        const sent = await fetch(`${server}${pathname}${search}`, { method: 'POST', body: form });
        if (!sent.ok) throw new Error(`The server rejected the suite: ${sent.status}`);
      }
      const body = { test_framework: 'command', device_selection: 'any', test_parameters: parameters };
      await callApi('POST', `/test_runs/${id}/start`, body);
      return id;
    },
  };
}

const formatRow = (what: string, times: readonly number[]): string[] => [
  what,
  `${number(median([...times]) / 1000, 2)} s`,
  `${number(Math.max(...times) / 1000, 2)} s`,
];

type App = Awaited<ReturnType<typeof openTested>>;

/** Runs with many steps; only the last has screenshots, because the others are not opened. */
async function makeReport(app: App, stepsPerTest: number): Promise<string> {
  const { token } = (await app.send('POST', '/v0.1/runners', {}, { code: await app.code(), name: 'phones' })).body;
  const headers = { 'x-runner-token': token as string };
  const registration = { protocol: 1, version: '1', labels: [], tools: [], slots: 1, devices: [phone] };
  await app.send('PUT', '/v0.1/runner', headers, registration);
  let last = '';
  for (let run = 0; run <= RUNS_BEFORE; run += 1) {
    last = await app.start({ command: 'true' });
    const job = (await app.send('POST', '/v0.1/runner/jobs?wait=0', headers, {})).body;
    const own = { 'x-job-token': job.token as string };
    const at = `/v0.1/runner/jobs/${job.id}`;
    let from = 0;
    for (let test = 0; test < TESTS; test += 1) {
      const which = { suite: `Suite${test % 10}`, test: `test${test}` };
      const steps = Array.from({ length: stepsPerTest }, (_, step) => ({
        ...{ type: 'step', at: 1000 + step, ...which, label: `Step ${step}` },
        screenshot: `${test}-${step}.png`,
      }));
      const keep = ({ screenshot }: { screenshot: string }) =>
        app.send('PUT', `${at}/files/${randomUUID()}?name=${screenshot}&kind=screenshot`, own, png);
      if (run === RUNS_BEFORE) await Promise.all(steps.map(keep));
      // Keeps the lease of the job even on a slow machine.
      await app.send('POST', `${at}/heartbeat`, own, {});
      const events = [
        { type: 'test-started', at: 1000, ...which },
        ...steps,
        { type: 'test-ended', at: 2000, ...which, status: test % 17 === 0 ? 'failed' : 'passed', milliseconds: 1000 },
      ];
      await app.send('POST', `${at}/events`, own, { from, events });
      from += events.length;
    }
    await app.send('POST', `${at}/finish`, own, { result: 'succeeded' });
  }
  return last;
}

/** One after the other, after some for warming up. */
async function measureTimes(count: number, action: () => Promise<unknown>): Promise<number[]> {
  for (let n = 0; n < 5; n += 1) await action();
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const start = performance.now();
    await action();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

/** The tools that `npm run devices` installs; undefined without them. */
function findAppium(): Record<string, string> | undefined {
  const folder = path.join(import.meta.dirname, '../../acceptance/devices');
  const programs = path.join(folder, 'node_modules/.bin');
  const hasAll = existsSync(path.join(programs, 'appium')) && findProgram(['chromedriver']) !== undefined;
  return hasAll ? { APPIUM_HOME: folder, PATH: `${programs}:${process.env.PATH}` } : undefined;
}

/** The time until Appium itself is ready, started alone like a runner does. */
async function measureAppium(env: Record<string, string>, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    const args = ['server', '--address', '127.0.0.1', '--port', String(APPIUM_PORT), '--base-path', '/wd/hub'];
    const appium = spawn('appium', args, { env: { ...env, HOME: process.env.HOME }, stdio: 'ignore' });
    const isUp = () =>
      fetch(`http://127.0.0.1:${APPIUM_PORT}/wd/hub/status`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isUp())) {
      if (performance.now() - begun > TIMEOUT_MS) throw new Error('Appium did not start within a minute.');
      await sleep(20);
    }
    times.push(performance.now() - begun);
    appium.kill('SIGKILL');
    await once(appium, 'exit');
  }
  return times;
}

/** From the start of a run until its first test is reported, on a real idle runner. */
async function measureStart(
  bench: Bench,
  app: App,
  rounds: number,
  env: Record<string, string> = {},
): Promise<number[]> {
  const at = (folder: string) => bench.at(`${app.home.split('/').at(-1)}-${folder}`);
  const runner = await startRunner({ ...bench, at }, app, env);
  const times: number[] = [];
  try {
    const isOnline = async () =>
      (await app.callApi('GET', '/device_configurations')).body.some(
        ({ isOnline, runners }: { isOnline: boolean; runners: string[] }) => isOnline && runners.includes('box'),
      );
    for (const end = performance.now() + TIMEOUT_MS; !(await isOnline()); await sleep(50)) {
      if (performance.now() > end) throw new Error('The runner has no device. Install Chromium.');
    }
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now();
      const id = await app.start({ command: "echo 'started: opens (Notes)'; echo succeeded; echo finished" });
      const getResults = async () => (await app.callApi('GET', `/test_runs/${id}/results`)).body;
      while ((await getResults()).tests.length === 0) {
        if (performance.now() - begun > TIMEOUT_MS) throw new Error('No test started within a minute.');
        await sleep(20);
      }
      times.push(performance.now() - begun);
      while ((await getResults()).run.runStatus !== 'finished') await sleep(50);
    }
  } finally {
    runner.kill();
  }
  return times;
}

export async function measureTests(bench: Bench): Promise<string> {
  const steps = bench.isQuick ? 2 : 10;
  const rows: string[][] = [];
  const starts: string[][] = [];
  for (const name of ['SQLite', 'PostgreSQL']) {
    const databaseUrl = name === 'PostgreSQL' ? await bench.postgresDatabase('tests') : undefined;
    const dataDir = bench.at(`tests-${name}`);
    const server = await bench.startMooring(name, { dataDir, ...(databaseUrl ? { databaseUrl } : {}) });
    const app = await openTested(server, 'Shop');
    const id = await makeReport(app, steps);
    for (const what of ['results', 'report']) {
      const times = await measureTimes(bench.isQuick ? 10 : 100, () => app.callApi('GET', `/test_runs/${id}/${what}`));
      const p99 = times[Math.floor((times.length - 1) * 0.99)] ?? 0;
      bench.goal({
        what: `Report of ${number(TESTS * steps)} steps (${what}), ${name}, p50`,
        aim: { atMost: 100 },
        measured: median(times),
        unit: ' ms',
        digits: 1,
      });
      rows.push([name, `GET …/${what}`, `${number(median(times), 1)} ms`, `${number(p99, 1)} ms`]);
    }
    // Without it, the runner declares no device.
    const hasBrowser = findProgram(['chromium', 'chromium-browser', 'google-chrome']) !== undefined;
    if (name === 'SQLite' && !hasBrowser) starts.push(['', 'not measured: no Chromium', '']);
    if (name === 'SQLite' && hasBrowser) {
      const times = await measureStart(bench, await openTested(server, 'Chart'), bench.isQuick ? 2 : 10);
      bench.goal({
        what: 'From a suite to its first test',
        aim: { atMost: 5 },
        measured: median(times) / 1000,
        unit: ' s',
        digits: 2,
      });
      starts.push(formatRow('without Appium', times));
      const appium = findAppium();
      if (appium === undefined) starts.push(['with Appium', 'not measured: no Appium', '']);
      else {
        const rounds = bench.isQuick ? 2 : 5;
        const alone = await measureAppium(appium, rounds);
        const whole = await measureStart(bench, await openTested(server, 'Log'), rounds, appium);
        bench.goal({
          what: "From a suite to its first test, beyond Appium's own start",
          aim: { atMost: 5 },
          measured: (median(whole) - median(alone)) / 1000,
          unit: ' s',
          digits: 2,
        });
        starts.push(formatRow('with Appium', whole), formatRow('Appium alone, until it answers', alone));
        starts.push(['beyond Appium', `${number((median(whole) - median(alone)) / 1000, 2)} s`, '']);
      }
    }
    server.process.kill();
  }
  return [
    '## Tests on devices',
    `A report of ${number(TESTS * steps)} steps, each with a screenshot, with the history of ${RUNS_BEFORE} runs before it. Goal: under 100 ms at the server.`,
    table(['database', 'request', 'p50', 'p99'], rows),
    'From the upload of a suite until its first test is in the report, on an idle runner of this machine (`command` on an emulated browser). Goal: under 5 s beyond what Appium itself takes to start.',
    table(['', 'p50', 'longest'], starts),
  ].join('\n\n');
}
