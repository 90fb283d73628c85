import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createToken, send } from '../../harness/http.ts';
import { launcher, runMooring } from '../../harness/mooring.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { clientAt } from './client.ts';
import { readable } from './patterns.ts';

const B = '/v0.1/apps/ada/compass';
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Prints test progress like label extensions, waits at the gate if there is one, and writes a JUnit XML report. */
const suite = `import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
const { GATE, MOORING_OUTPUT, SCREENSHOT_PATH } = process.env;
console.log('started: writes (NotesTest)');
writeFileSync(SCREENSHOT_PATH + '/1.png', Buffer.from('${picture}', 'base64'));
console.log('The note is written - ' + SCREENSHOT_PATH + '/1.png');
while (GATE && existsSync(GATE)) await setTimeout(50);
console.log('succeeded');
console.log('finished');
writeFileSync(MOORING_OUTPUT + '/TEST-NotesTest.xml', \`<testsuite name="NotesTest"><testcase name="writes" time="0.5"/>
  <testcase name="reads" time="0.2"><failure message="expected Monday">at notes.mjs:3</failure></testcase></testsuite>\`);
process.exitCode = 1;
`;

let server: RunningServer;
let scratch: string;
let token: string;
let runner: ChildProcess;
let env: Record<string, string>;

const request = async <T = Record<string, unknown>>(method: string, rest: string, body?: object): Promise<T> => {
  const answer = await send(method, `${server.httpUrl}${B}${rest}`, { token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json<T>();
};

/** Links have the public URL, whose certificate is not trusted here. */
const here = (link = ''): string => link.replace(server.httpsUrl, server.httpUrl);

interface Results {
  run: { runStatus: string; resultStatus: string };
  devices: { state: string; started_at?: string; failure?: string; files: { kind: string }[] }[];
  tests: {
    test: string;
    outcomes: { status: string; message?: string; steps: { label: string; screenshot?: string }[] }[];
  }[];
}

/** Reads the results until they match, for as long as a busy machine needs. */
const seen = (id: string, check: (results: Results) => unknown): Promise<Results> =>
  vi.waitFor(
    async () => {
      const results = await request<Results>('GET', `/test_runs/${id}/results`);
      await check(results);
      return results;
    },
    { timeout: 60_000, interval: 100 },
  );

const startRunner = (): ChildProcess =>
  spawn(process.execPath, [launcher, 'runner', 'start', '--sandbox', 'host', '--reserve-mb', '1'], {
    env: { ...env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
};

/** Starts the suite with a closed gate; it waits in the middle of its first test. */
async function startAtGate(gate: string): Promise<string> {
  writeFileSync(gate, 'shut');
  const args = ['tests', 'run', 'ada/compass', path.join(scratch, 'home/suite'), 'command=node suite.mjs'];
  const options = ['--framework', 'command', '--devices', 'any', '--async'];
  const started = await runMooring([...args, `test_env=GATE=${gate}`, ...options], env);
  expect(started.code, started.stderr).toBe(0);
  const id = started.stdout.trim();
  await seen(id, ({ tests }) => expect(tests[0]?.outcomes[0]?.steps).toHaveLength(1));
  return id;
}

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-test-runs-'));
  server = await startServer();
  token = (await createToken(server)).api_token;
  env = {
    MOORING_SERVER: server.httpUrl,
    MOORING_TOKEN: token,
    MOORING_CONFIG_DIR: path.join(scratch, 'config'),
    MOORING_RUNNER_DIR: path.join(scratch, 'runner'),
  };
  const app = { name: 'compass', display_name: 'Compass', os: 'Android', platform: 'Java' };
  await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app });
  mkdirSync(path.join(scratch, 'home/suite'), { recursive: true });
  const inHome = (file: string, text: string) => writeFileSync(path.join(scratch, 'home', file), text);
  inHome('app.apk', 'an app');
  inHome('suite/suite.mjs', suite);
  inHome(
    'suite/manifest.json',
    JSON.stringify({
      schemaVersion: '1.0.0',
      files: ['suite.mjs'],
      testFramework: { name: 'command', data: { command: 'node suite.mjs' } },
    }),
  );
  const { code } = await request<{ code: string }>('POST', '/runners/codes', {});
  const registered = await runMooring(['runner', 'register', server.httpUrl, '--code', code, '--name', 'box'], env);
  expect(registered.code, registered.stderr).toBe(0);
  runner = startRunner();
  await vi.waitFor(async () => expect(await request('GET', '/device_configurations')).not.toEqual([]), {
    timeout: 60_000,
  });
});
afterAll(async () => {
  await kill(runner);
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

it('a suite of the unmodified client runs on a runner, and its report has all steps with screenshots', async () => {
  const home = path.join(scratch, 'home');
  const appcenter = clientAt(server, home);
  const run = async (line: string) => {
    const { exit, stdout, stderr } = await appcenter(`${line} --disable-telemetry`);
    return { exit, text: readable(stdout + stderr) };
  };
  // With only a token, the client would call App Center.
  expect((await run(`login --env local --token ${token}`)).exit).toBe(0);
  const ran = await run(
    'test run manifest --app ada/compass --devices any --app-path app.apk --manifest-path suite/manifest.json',
  );
  expect([ran.exit, ran.text]).toEqual([1, expect.stringContaining('There were Test Failures.')]);
  expect(ran.text).toContain('(emulated browser)');
  const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(ran.text) ?? [];
  const { tests, devices } = await request<Results>('GET', `/test_runs/${id}/results`);
  expect(tests).toMatchObject([
    { test: 'reads', outcomes: [{ status: 'failed', message: 'expected Monday' }] },
    { test: 'writes', outcomes: [{ status: 'passed', steps: [{ label: 'The note is written' }] }] },
  ]);
  const shown = await fetch(here(tests[1]?.outcomes[0]?.steps[0]?.screenshot));
  expect(Buffer.from(await shown.arrayBuffer()).toString('base64')).toBe(picture);
  expect(devices[0]?.files.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['test-log', 'junit-xml']));
  const download = `test download --app ada/compass --test-run-id ${id} --test-output-dir out`;
  expect((await run(`${download} --merged-file-name merged.xml`)).exit).toBe(0);
  const merged = readFileSync(path.join(home, 'out/merged.xml'), 'utf8');
  expect(merged).toMatch(/tests="2"/);
  expect(merged).toMatch(/name="reads_[A-Z]\w*emulated_browser\w*"/);
});

it('a server that is killed while a suite runs loses no results', async () => {
  const gate = path.join(scratch, 'first gate');
  const id = await startAtGate(gate);
  const { dataDir, httpUrl, httpsUrl } = server;
  await kill(server.process);
  const ports = { MOORING_HTTP_PORT: new URL(httpUrl).port, MOORING_HTTPS_PORT: new URL(httpsUrl).port };
  server = await startServer({ dataDir, env: ports });
  rmSync(gate);
  const { run, tests } = await seen(id, ({ run }) => expect(run.runStatus).toBe('finished'));
  expect(run.resultStatus).toBe('failed');
  expect(tests).toMatchObject([
    { test: 'reads', outcomes: [{ status: 'failed' }] },
    { test: 'writes', outcomes: [{ status: 'passed', steps: [{ label: 'The note is written' }] }] },
  ]);
});

it('a runner that is killed in two attempts reports the right result as soon as it is back', async () => {
  const id = await startAtGate(path.join(scratch, 'second gate'));
  const { devices } = await seen(id, ({ devices }) => expect(devices).toMatchObject([{ state: 'running' }]));
  await kill(runner);
  runner = startRunner();
  await seen(id, ({ devices: [now] }) => {
    expect(now?.state).toBe('running');
    expect(now?.started_at).not.toBe(devices[0]?.started_at);
  });
  await kill(runner);
  runner = startRunner();
  const ended = await seen(id, ({ run }) => expect(run.runStatus).toBe('finished'));
  expect(ended.run.resultStatus).toBe('error');
  expect(ended.devices[0]?.failure).toContain('restarted. This was the second attempt.');
  expect(ended.tests).toMatchObject([{ test: 'writes', outcomes: [{ status: 'failed' }] }]);
  expect(await request('GET', `/test_runs/${id}/state`)).toMatchObject({ exit_code: 2 });
  await vi.waitFor(() => expect(readdirSync(path.join(scratch, 'runner/jobs'))).toEqual([]), { timeout: 60_000 });
});
