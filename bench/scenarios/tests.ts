import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, type Contestant, median, number, table } from '../harness.ts';

const TESTS = 100;
/** How many runs before it a report looks at. */
const RUNS_BEFORE = 8;
const LONGEST_MS = 60_000;
const launcher = path.join(import.meta.dirname, '../../packages/cli/bin/mooring.mjs');
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

type Headers = Record<string, string>;

/** An app, and whoever asks for it. */
async function openApp({ port }: Contestant, display_name: string) {
  const server = `http://127.0.0.1:${port}`;
  const send = async (method: string, url: string, headers: Headers, body?: object | Buffer) => {
    const isJson = body !== undefined && !Buffer.isBuffer(body);
    const type = isJson ? 'application/json' : 'application/octet-stream';
    const answer = await fetch(`${server}${url}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': type }), ...headers },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : new Uint8Array(body as Buffer) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${text}`);
    return { location: answer.headers.get('location') ?? '', body: text === '' ? undefined : JSON.parse(text) };
  };
  const authorization = `Basic ${Buffer.from('admin@example.com:correct horse battery').toString('base64')}`;
  const { api_token } = (await send('POST', '/v0.1/api_tokens', { authorization }, {})).body;
  const token = { 'x-api-token': api_token as string };
  const made = (await send('POST', '/v0.1/apps', token, { display_name, os: 'Android', platform: 'Java' })).body;
  const home = `/v0.1/apps/${made.owner.name}/${made.name}`;
  const ask = (method: string, rest: string, body?: object) => send(method, `${home}${rest}`, token, body);
  return {
    server,
    send,
    ask,
    code: async () => (await ask('POST', '/runners/codes', {})).body.code as string,
    /** Starts a suite of one file on any device; says the id of the run. */
    async start(parameters: object): Promise<string> {
      const suite = Buffer.from('a suite');
      const id = (await ask('POST', '/test_runs', {})).location.split('/').at(-1) ?? '';
      const checksum = createHash('sha256').update(suite).digest('hex');
      const files = [{ fileType: 'test-file', checksum, relativePath: 'suite' }];
      const [named] = (await ask('POST', `/test_runs/${id}/hashes/batch`, files)).body;
      if (named.uploadStatus.location) {
        const form = new FormData();
        form.append('file', new Blob([suite]), 'suite');
        const { pathname, search } = new URL(named.uploadStatus.location);
        const sent = await fetch(`${server}${pathname}${search}`, { method: 'POST', body: form });
        if (!sent.ok) throw new Error(`The suite was refused: ${sent.status}`);
      }
      const body = { test_framework: 'command', device_selection: 'any', test_parameters: parameters };
      await ask('POST', `/test_runs/${id}/start`, body);
      return id;
    },
  };
}

type App = Awaited<ReturnType<typeof openApp>>;

/** Runs of many steps; only the last has pictures, as nobody looks at those of the others. */
async function makeReport(app: App, stepsOfEach: number): Promise<string> {
  const { token } = (await app.send('POST', '/v0.1/runners', {}, { code: await app.code(), name: 'phones' })).body;
  const headers = { 'x-runner-token': token as string };
  const said = { protocol: 1, version: '1', labels: [], tools: [], slots: 1, devices: [phone] };
  await app.send('PUT', '/v0.1/runner', headers, said);
  let last = '';
  for (let run = 0; run <= RUNS_BEFORE; run += 1) {
    last = await app.start({ command: 'true' });
    const job = (await app.send('POST', '/v0.1/runner/jobs?wait=0', headers, {})).body;
    const own = { 'x-job-token': job.token as string };
    const at = `/v0.1/runner/jobs/${job.id}`;
    let from = 0;
    for (let test = 0; test < TESTS; test += 1) {
      const which = { suite: `Suite${test % 10}`, test: `test${test}` };
      const steps = Array.from({ length: stepsOfEach }, (_, step) => ({
        ...{ type: 'step', at: 1000 + step, ...which, label: `Step ${step}` },
        screenshot: `${test}-${step}.png`,
      }));
      const keep = ({ screenshot }: { screenshot: string }) =>
        app.send('PUT', `${at}/files/${randomUUID()}?name=${screenshot}&kind=screenshot`, own, png);
      if (run === RUNS_BEFORE) await Promise.all(steps.map(keep));
      // Also on a machine that is slow the job stays ours.
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

/** One after the other, after some that only warm up. */
async function timesOf(count: number, ask: () => Promise<unknown>): Promise<number[]> {
  for (let n = 0; n < 5; n += 1) await ask();
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}

/** From the start of a run until its first test is known to have begun, on a real runner that waits for work. */
async function measureStart(bench: Bench, app: App, rounds: number): Promise<number[]> {
  const env = {
    PATH: process.env.PATH,
    MOORING_RUNNER_DIR: bench.at('runner'),
    MOORING_CONFIG_DIR: bench.at('config'),
  };
  const register = ['runner', 'register', app.server, '--code', await app.code(), '--name', 'box'];
  execFileSync(process.execPath, [launcher, ...register], { env });
  const args = [launcher, 'runner', 'start', '--sandbox', 'host', '--reserve-mb', '1'];
  const runner: ChildProcess = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const times: number[] = [];
  try {
    const isOnline = async () =>
      (await app.ask('GET', '/device_configurations')).body.some(
        ({ isOnline, runners }: { isOnline: boolean; runners: string[] }) => isOnline && runners.includes('box'),
      );
    for (const end = performance.now() + LONGEST_MS; !(await isOnline()); await sleep(50)) {
      if (performance.now() > end) throw new Error('The runner declares no device; it needs Chromium.');
    }
    for (let round = 0; round < rounds; round += 1) {
      const begun = performance.now();
      const id = await app.start({ command: "echo 'started: opens (Notes)'; echo succeeded; echo finished" });
      const told = async () => (await app.ask('GET', `/test_runs/${id}/results`)).body;
      while ((await told()).tests.length === 0) {
        if (performance.now() - begun > LONGEST_MS) throw new Error('No test has begun within a minute.');
        await sleep(20);
      }
      times.push(performance.now() - begun);
      while ((await told()).run.runStatus !== 'finished') await sleep(50);
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
    const app = await openApp(server, 'Shop');
    const id = await makeReport(app, steps);
    for (const what of ['results', 'report']) {
      const times = await timesOf(bench.isQuick ? 10 : 100, () => app.ask('GET', `/test_runs/${id}/${what}`));
      const p99 = times[Math.floor((times.length - 1) * 0.99)] ?? 0;
      rows.push([name, `GET …/${what}`, `${number(median(times), 1)} ms`, `${number(p99, 1)} ms`]);
    }
    if (name === 'SQLite') {
      const times = await measureStart(bench, await openApp(server, 'Chart'), bench.isQuick ? 2 : 10);
      starts.push([`${number(median(times) / 1000, 2)} s`, `${number(Math.max(...times) / 1000, 2)} s`]);
    }
    server.process.kill();
  }
  return [
    '## Tests on devices',
    `A report of ${number(TESTS * steps)} steps, each with a screenshot, with the history of ${RUNS_BEFORE} runs before it. Aim: under 100 ms at the server.`,
    table(['database', 'request', 'p50', 'p99'], rows),
    'From the upload of a suite until its first test has begun and is seen in the report, on a runner of this machine that waits for work (`command` on an emulated phone). Aim: under 5 s.',
    table(['p50', 'longest'], starts),
  ].join('\n\n');
}
