import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToken, send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { clientAt } from './client.ts';
import { readable } from './patterns.ts';

const B = '/v0.1/apps/ada/compass';
const phone = {
  key: 'usb-1',
  manufacturer: 'Google',
  model: 'Pixel 2 XL',
  platform: 'android',
  os: '8.1.0',
  form_factor: 'phone',
  is_emulated: false,
  frameworks: ['appium', 'uitest'],
};

let server: RunningServer;
let home: string;
let token: string;
let runnerToken: string;
let devices: string;

const request = async <T = Record<string, unknown>>(method: string, rest: string, body?: object): Promise<T> => {
  const answer = await send(method, `${server.httpUrl}${B}${rest}`, { token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json<T>();
};

/** Reports of a runner. */
async function report(method: string, rest: string, headers: Record<string, string>, body: object = {}) {
  const answer = await send(method, `${server.httpUrl}/v0.1/runner${rest}`, { headers, body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.text === '' ? undefined : answer.json<{ id: string; token: string; work: Record<string, unknown> }>();
}

/** Polls until a job is available; the client may need time to upload. */
async function take() {
  for (;;) {
    const job = await report('POST', '/jobs?wait=25', { 'x-runner-token': runnerToken });
    if (job) return job;
  }
}

/** Runs the next suite: downloads all its files; one of its two tests fails. */
async function runNext(): Promise<Record<string, string>> {
  const { id, token, work } = await take();
  const headers = { 'x-job-token': token };
  const fetched: Record<string, string> = {};
  for (const file of work.files as { id: string; path: string }[]) {
    const answer = await send('GET', `${server.httpUrl}/v0.1/runner/jobs/${id}/sources/${file.id}`, { headers });
    fetched[file.path] = answer.text;
  }
  const picture = await send(
    'PUT',
    `${server.httpUrl}/v0.1/runner/jobs/${id}/files/${randomUUID()}?name=1.png&kind=screenshot`,
    { headers: { ...headers, 'content-type': 'application/octet-stream' }, raw: Buffer.from('a picture') },
  );
  expect(picture.status).toBe(200);
  const writes = { suite: 'NotesTest', test: 'writes' };
  const events = [
    { type: 'test-started', at: 1000, ...writes },
    { type: 'step', at: 1500, ...writes, label: 'Written', screenshot: '1.png' },
    { type: 'test-ended', at: 2000, ...writes, status: 'passed', milliseconds: 1000 },
    { type: 'test-ended', at: 3000, suite: 'NotesTest', test: 'reads', status: 'failed', milliseconds: 500 },
  ];
  await report('POST', `/jobs/${id}/events`, headers, { from: 0, events });
  await report('POST', `/jobs/${id}/finish`, headers, { result: 'succeeded' });
  return fetched;
}

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'mooring-tests-'));
  server = await startServer();
  token = (await createToken(server)).api_token;
  const app = { name: 'compass', display_name: 'Compass', os: 'Android', platform: 'Java' };
  await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app });
  const { code } = await request('POST', '/runners/codes', {});
  const registered = await send('POST', `${server.httpUrl}/v0.1/runners`, { body: { code, name: 'box' } });
  runnerToken = registered.json<{ token: string }>().token;
  const declared = { protocol: 1, version: '1', labels: [], tools: [], slots: 1, devices: [phone] };
  await report('PUT', '', { 'x-runner-token': runnerToken }, declared);
  const [known] = await request<{ id: string }[]>('GET', '/device_configurations');
  const body = { name: 'Smoke', devices: [known?.id] };
  expect(await request('POST', '/owner/device_sets', body)).toMatchObject({ slug: 'smoke' });
  devices = String((await request('POST', '/device_selection', { devices: [known?.id] })).shortId);
  for (const folder of ['suite/dependency-jars/org/x', 'suite/test-classes', 'espresso']) {
    mkdirSync(path.join(home, folder), { recursive: true });
  }
  writeFileSync(path.join(home, 'suite/pom.xml'), '<project/>');
  writeFileSync(path.join(home, 'suite/dependency-jars/org/x/x.jar'), 'a library');
  writeFileSync(path.join(home, 'suite/test-classes/NotesTest.class'), 'a class');
  writeFileSync(path.join(home, 'espresso/app-debug-androidTest.apk'), 'tests in a package');
  writeFileSync(path.join(home, 'app.apk'), 'an app');
});
afterAll(async () => {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

it('the unmodified client runs suites, and shows the correct results', { timeout: 300_000 }, async () => {
  const appcenter = clientAt(server, home);
  const run = async (line: string) => {
    const { exit, stdout, stderr } = await appcenter(`${line} --disable-telemetry`);
    return { exit, text: readable(stdout + stderr) };
  };
  // With only a token, the client would call App Center.
  expect((await run(`login --env local --token ${token}`)).exit).toBe(0);
  const common = '--app ada/compass --app-path app.apk --locale en_US';
  const [appium, fetched] = await Promise.all([
    run(
      `test run appium ${common} --devices ${devices} --build-dir suite --test-series nightly --test-output-dir out --merge-junit-xml merged.xml`,
    ),
    runNext(),
  ]);
  expect([appium.exit, appium.text]).toEqual([1, expect.stringContaining('There were Test Failures.')]);
  expect(appium.text).toContain('Google Pixel 2 XL (8.1.0)');
  expect(fetched).toMatchObject({
    'app.apk': 'an app',
    'pom.xml': '<project/>',
    'dependency-jars/org/x/x.jar': 'a library',
    'test-classes/NotesTest.class': 'a class',
  });
  expect(readdirSync(path.join(home, 'out')).sort()).toEqual(
    expect.arrayContaining(['junit_xml_zip.zip', 'merged.xml']),
  );
  const merged = readFileSync(path.join(home, 'out/merged.xml'), 'utf8');
  expect(merged).toMatch(/tests="2"/);
  expect(merged).toContain('writes_Google_Pixel_2_XL_8_1_0');
  const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(appium.text) ?? [];
  const status = await run(`test status --app ada/compass --test-run-id ${id}`);
  expect([status.exit, status.text]).toEqual([1, expect.stringContaining('Total scenarios: 2')]);
  expect((await run(`test download --app ada/compass --test-run-id ${id} --test-output-dir again`)).exit).toBe(0);
  expect(readdirSync(path.join(home, 'again'))).toContain('junit_xml_zip.zip');

  // Prepared in one folder and run in another. The server knows its files, so none is sent again.
  expect((await run('test prepare appium --artifacts-dir prepared --build-dir suite')).exit).toBe(0);
  const manifest = await run(
    `test run manifest ${common} --devices ada/smoke --manifest-path prepared/manifest.json --async`,
  );
  expect([manifest.exit, manifest.text]).toEqual([0, expect.stringContaining('Test run id')]);
  const [waiting = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(manifest.text) ?? [];
  expect(await run(`test status --app ada/compass --test-run-id ${waiting}`)).toMatchObject({
    exit: 0,
    text: expect.stringContaining('Waiting for devices'),
  });
  expect((await run(`test stop --app ada/compass --test-run-id ${waiting}`)).exit).toBe(0);
  expect(await request('GET', `/test_runs/${waiting}`)).toMatchObject({
    runStatus: 'finished',
    resultStatus: 'stopped',
  });

  const down = '\u001b[B';
  const wizard = await appcenter('test wizard --app ada/compass --disable-telemetry', {
    dialog: [
      ['Pick a test framework', `${down}\r`],
      ['Pick a device set', '\r'],
      ['async mode', '\r'],
      ['Pick an app', '\r'],
      ['Pick a folder', '\r'],
    ],
  });
  const output = readable(wizard.stdout);
  expect([wizard.exit, output]).toEqual([0, expect.stringMatching(/test run appium .*--devices ada\/smoke --async/)]);
  const [runId = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(output) ?? [];
  expect(await request('GET', `/test_runs/${runId}`)).toMatchObject({ runStatus: 'pending', testType: 'appium' });
  expect((await run(`test stop --app ada/compass --test-run-id ${runId}`)).exit).toBe(0);

  // The tool that prepares such a suite needs Mono; its output is a manifest.
  const uitest = { schemaVersion: '1.0.0', files: ['pom.xml'], testFramework: { name: 'ui_test', data: {} } };
  writeFileSync(path.join(home, 'suite/manifest.json'), JSON.stringify(uitest));
  const [ofUitest] = await Promise.all([
    run(`test run manifest ${common} --devices ada/smoke --manifest-path suite/manifest.json`),
    runNext(),
  ]);
  const [nunit = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(ofUitest.text) ?? [];
  const download = `test download --app ada/compass --test-run-id ${nunit} --test-output-dir nunit`;
  expect((await run(`${download} --merged-file-name merged.xml`)).exit).toBe(0);
  const nunitMerged = readFileSync(path.join(home, 'nunit/merged.xml'), 'utf8');
  expect(nunitMerged).toMatch(/<test-run [^>]*total="2" passed="1" failed="1"/);
  expect(nunitMerged).toContain('name="reads_Google_Pixel_2_XL_8_1_0"');

  const espresso = await run(`test run espresso ${common} --devices ${devices} --build-dir espresso`);
  expect([espresso.exit, espresso.text]).toEqual([2, expect.stringContaining('No suitable device')]);
  expect(espresso.text).toMatch(/Rejected devices:\s+- Google Pixel 2 XL/);
});
