import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { findProgram } from '../../tools/programs.mjs';
import { clientAt } from '../clients/appcenter-cli/client.ts';
import { readable } from '../clients/appcenter-cli/patterns.ts';
import { createToken, send } from '../harness/http.ts';
import { launcher, runMooring } from '../harness/mooring.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

const B = '/v0.1/apps/ada/compass';
const here = import.meta.dirname;

let server: RunningServer;
let scratch: string;
let token: string;
let runner: ChildProcess;
let env: Record<string, string>;

const request = async <T>(method: string, rest: string, body?: object): Promise<T> => {
  const answer = await send(method, `${server.httpUrl}${B}${rest}`, { token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json<T>();
};

/** Links have the public URL, whose certificate is not trusted here. */
const atHome = (link = ''): string => link.replace(server.httpsUrl, server.httpUrl);

/** The output of Maven: `pom.xml`, `test-classes/`, and the jars in the layout of a repository. */
function makeSuite(folder: string): void {
  const junit = findProgram('JUnit') ?? '';
  const jars = path.join(folder, 'dependency-jars');
  for (const [jar, place] of [
    [junit, 'junit/junit/4.13.2/junit-4.13.2.jar'],
    [path.join(path.dirname(junit), 'hamcrest-core.jar'), 'org/hamcrest/hamcrest-core/1.3/hamcrest-core-1.3.jar'],
  ] as const) {
    mkdirSync(path.join(jars, path.dirname(place)), { recursive: true });
    copyFileSync(realpathSync(jar), path.join(jars, place));
  }
  mkdirSync(path.join(folder, 'test-classes'), { recursive: true });
  writeFileSync(path.join(folder, 'pom.xml'), '<project/>');
  const args = ['-cp', junit, '-d', path.join(folder, 'test-classes'), path.join(here, 'NotesTest.java')];
  execFileSync(findProgram('JDK') ?? 'javac', args);
}

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-devices-'));
  server = await startServer();
  token = (await createToken(server)).api_token;
  const app = { name: 'compass', display_name: 'Compass', os: 'Android', platform: 'Java' };
  await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app });
  makeSuite(path.join(scratch, 'suite'));
  writeFileSync(path.join(scratch, 'app.apk'), 'an app');
  env = {
    MOORING_SERVER: server.httpUrl,
    MOORING_TOKEN: token,
    MOORING_RUNNER_DIR: path.join(scratch, 'runner'),
    MOORING_CONFIG_DIR: path.join(scratch, 'config'),
  };
  const { code } = await request<{ code: string }>('POST', '/runners/codes', {});
  const registered = await runMooring(['runner', 'register', server.httpUrl, '--code', code, '--name', 'box'], env);
  expect(registered.code, registered.stderr).toBe(0);
  // A container may not allow it to create a sandbox.
  const isContained = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;
  const sandbox = isContained ? 'bubblewrap' : 'host';
  runner = spawn(process.execPath, [launcher, 'runner', 'start', '--sandbox', sandbox, '--reserve-mb', '1'], {
    env: { ...env, APPIUM_HOME: here, PATH: `${path.join(here, 'node_modules/.bin')}:${process.env.PATH}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
});
afterAll(async () => {
  runner.kill('SIGTERM');
  await once(runner, 'exit');
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

interface Report {
  features: {
    name: string;
    tests: { testName: string; runs: { failed: number; steps: { stepName: string; step_report_url: string }[] }[] }[];
  }[];
  device_logs: Record<string, string>[];
}

interface Results {
  tests: { test: string; outcomes: { status: string; message?: string }[] }[];
  devices: { files: { kind: string; name: string; url: string }[] }[];
}

const findPixel = () =>
  vi.waitFor(
    async () => {
      const known = await request<{ id: string; name: string }[]>('GET', '/device_configurations');
      const found = known.find(({ name }) => name.includes('Pixel 8 (emulated browser)'));
      if (!found) throw new Error(`The runner declares ${known.map(({ name }) => name).join(', ') || 'nothing'}.`);
      return found;
    },
    { timeout: 60_000, interval: 250 },
  );

it('a JUnit suite with one failing test runs on an emulated phone with Appium, and is reported step by step', async () => {
  const pixel = await findPixel();
  const { shortId } = await request<{ shortId: string }>('POST', '/device_selection', { devices: [pixel.id] });
  const home = path.join(scratch, 'home');
  mkdirSync(home);
  const appcenter = clientAt(server, home);
  expect((await appcenter(`login --env local --token ${token} --disable-telemetry`)).exit).toBe(0);
  const { exit, stdout, stderr } = await appcenter(
    `test run appium --app ada/compass --devices ${shortId} --app-path ../app.apk --build-dir ../suite --locale en_US --test-parameter "test_env=EXPECTED_TITLE=Other" --test-output-dir out --merge-junit-xml merged.xml --disable-telemetry`,
  );
  const printed = readable(stdout + stderr);
  expect([exit, printed]).toEqual([1, expect.stringContaining('There were Test Failures.')]);
  const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(printed) ?? [];

  const { features, device_logs } = await request<Report>('GET', `/test_runs/${id}/report`);
  const tests = features.flatMap((feature) => feature.tests.map((test) => ({ feature: feature.name, ...test })));
  expect(
    tests.map(({ feature, testName, runs }) => [
      feature,
      testName,
      runs.map(({ failed }) => failed > 0),
      runs.flatMap(({ steps }) => steps.map(({ stepName }) => stepName)),
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['NotesTest', 'isOpenedByAPhone', [false], ['Opened', 'Looked at']],
      ['NotesTest', 'isRedOnPurpose', [true], expect.arrayContaining(['Before it fails'])],
      ['NotesTest', 'isLeftOut', [false], expect.anything()],
    ]),
  );
  const [step] = tests
    .flatMap(({ runs }) => runs.flatMap(({ steps }) => steps))
    .filter(({ stepName }) => stepName === 'Opened');
  const shown = await fetch(atHome(step?.step_report_url), { headers: { 'x-api-token': token } });
  const { deviceScreenshots } = (await shown.json()) as {
    deviceScreenshots: { screenshot: { urls: { original: string } } }[];
  };
  const picture = await fetch(atHome(deviceScreenshots[0]?.screenshot.urls.original));
  expect(
    Buffer.from(await picture.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  expect(Object.keys(device_logs[0] ?? {})).toEqual(expect.arrayContaining(['test_log', 'appium_log']));
  const merged = readFileSync(path.join(home, 'out/merged.xml'), 'utf8');
  expect(merged).toContain('isRedOnPurpose_');
  expect(merged).toContain('ComparisonFailure');
  expect(readdirSync(path.join(scratch, 'runner/jobs'))).toEqual([]);
});

it('a suite in plain JavaScript runs through "command", and controls the phone through its Appium server', async () => {
  await findPixel();
  const args = ['tests', 'run', 'ada/compass', path.join(here, 'notes.mjs'), 'command=node notes.mjs', 'video=true'];
  const ran = await runMooring([...args, '--framework', 'command', '--json'], env);
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  const { id } = JSON.parse(ran.stdout) as { id: string };
  const { features, device_logs } = await request<Report>('GET', `/test_runs/${id}/report`);
  expect(features).toMatchObject([
    { name: 'notes.mjs', tests: [{ testName: 'isOpenedByAPhone', runs: [{ steps: [{ stepName: 'Opened' }] }] }] },
  ]);
  expect(Object.keys(device_logs[0] ?? {})).toEqual(expect.arrayContaining(['test_log', 'appium_log']));
  const { devices } = await request<Results>('GET', `/test_runs/${id}/results`);
  const video = devices[0]?.files.find(({ kind }) => kind === 'video');
  expect(video?.name).toBe('screen.webm');
  const bytes = Buffer.from(await (await fetch(atHome(video?.url))).arrayBuffer());
  // A VP8 key frame starts with these bytes and its size.
  const at = bytes.indexOf(Buffer.from([0x9d, 0x01, 0x2a]));
  expect([bytes.readUInt16LE(at + 3), bytes.readUInt16LE(at + 5)]).toEqual([360, 800]);
});

it('a WebdriverIO suite runs through "command" on its Appium server, with one intentional failure', async () => {
  await findPixel();
  const suite = path.join(scratch, 'webdriverio');
  mkdirSync(suite);
  const own = path.join(here, 'webdriverio');
  for (const file of ['wdio.conf.mjs', 'notes.spec.mjs', 'package.json'])
    copyFileSync(path.join(own, file), path.join(suite, file));
  // The suite includes its packages, because a sandbox may not reach a registry.
  execFileSync('tar', ['-czf', path.join(suite, 'packages.tgz'), '-C', own, 'node_modules']);
  const command = 'tar -xzf packages.tgz && node node_modules/@wdio/cli/bin/wdio.js run wdio.conf.mjs';
  const args = ['tests', 'run', 'ada/compass', suite, `command=${command}`, '--framework', 'command', '--json'];
  const ran = await runMooring(args, env);
  expect(ran.code, ran.stdout + ran.stderr).toBe(1);
  const { id } = JSON.parse(ran.stdout) as { id: string };
  const results = await request<Results>('GET', `/test_runs/${id}/results`);
  expect(results.tests.map(({ test, outcomes }) => [test, outcomes.map(({ status }) => status)])).toEqual([
    ['is red on purpose', ['failed']],
    ['is opened by a phone', ['passed']],
    ['keeps what is typed', ['passed']],
    ['is skipped', ['skipped']],
  ]);
  expect(results.tests[0]?.outcomes[0]?.message).toContain("'Notes'");
  expect(results.devices[0]?.files.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['test-log', 'appium-log']));
});
