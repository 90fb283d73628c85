import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiError, readJunitXml } from '@mooring/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { removeBelow } from '../files/remove-folder.ts';
import type { Limits } from '../sandbox/limits.ts';
import { killOrphans, MARK } from '../sandbox/orphans.ts';
import { findProgram, type Sandbox } from '../sandbox/sandbox.ts';
import { canContain } from '../sandbox/sandbox-check.ts';
import { createMask } from '../server/masking.ts';
import type { Event, Work } from './adapters/adapter.ts';
import { findChromium } from './adapters/browser/browser.ts';
import { listTestSecrets, runTests } from './test-job.ts';
import type { TestFile } from './test-options.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
);

interface Received {
  events: Event[];
  files: TestFile[];
  log: string;
  folder: string;
}

interface RunOptions {
  command?: string;
  files?: Record<string, string | Buffer>;
  more?: Partial<Work>;
  sandbox?: Sandbox;
  limits?: Limits;
  signal?: AbortSignal;
  onLog?(log: string): void;
  send?(from: number, events: Event[]): Promise<number>;
}

/** Runs a shell suite like a runner, with a server that accepts everything. */
async function run({
  command = 'true',
  files = {},
  more = {},
  sandbox = 'host',
  limits,
  signal,
  onLog,
  send,
}: RunOptions) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-tests-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const received: Received = { events: [], files: [], log: '', folder };
  const contents = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const);
  const work: Work = {
    app: { owner: 'ada', name: 'compass', os: 'Android', platform: 'Java' },
    run: { id: '7' },
    device: {
      key: 'apple-unplugged',
      name: 'Google Pixel 8 (emulated browser) (14)',
      model: 'Pixel 8 (emulated browser)',
      os: '14',
      platform: 'android',
      index: 1,
    },
    framework: 'command',
    parameters: { command, test_env: 'GREETING=a=b|EMPTY|BAD NAME=1' },
    locale: 'de_DE',
    minutes: 5,
    files: contents.map(([name, bytes]) => ({
      id: name,
      path: name,
      type: 'test-file',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size: bytes.length,
    })),
    ...more,
  };
  const outcome = await runTests(work, {
    hidden: [],
    folder,
    sandbox,
    limits,
    signal: signal ?? new AbortController().signal,
    write(text) {
      received.log += text;
      onLog?.(received.log);
    },
    mask: createMask(listTestSecrets(work)),
    async upload(file) {
      received.files.push(file);
      return true;
    },
    fetch: async (id) =>
      (async function* () {
        yield contents.find(([name]) => name === id)?.[1] ?? Buffer.from('');
      })(),
    send:
      send ??
      (async (from, events) => {
        expect(from).toBe(received.events.length);
        received.events.push(...events);
        return from + events.length;
      }),
    onLost: () => undefined,
  });
  return { ...received, outcome };
}

const kinds = (events: Event[]) => events.map((event) => [event.type, 'test' in event ? event.test : event.message]);
const xml = `<testsuite name="Notes"><properties><property name="user.home" value="/root"/></properties>
<testcase classname="Notes" name="keeps" time="1.5"/><testcase classname="Notes" name="finds" time="0.5"><failure message="no">at Notes</failure></testcase></testsuite>`;

test('reports tests and labels with screenshots while a suite runs, and its report at the end', async () => {
  const command = `echo "$APP_CENTER_TEST $XTC_DEVICE_INDEX $XTC_LANG $XTC_PLATFORM $GREETING [$EMPTY]"
env | grep -c MOORING_RUNNER || true
echo "started: keeps (Notes)"; cp shot.png "$SCREENSHOT_PATH/1.png"; echo "Opened - $SCREENSHOT_PATH/1.png"; echo succeeded
echo "started: finds (Notes)"; echo failed; echo finished
cp report.xml "$MOORING_OUTPUT/TEST-Notes.xml"; exit 1`;
  const { events, files, log, outcome, folder } = await run({ command, files: { 'shot.png': png, 'report.xml': xml } });
  expect(outcome).toEqual({ result: 'succeeded', summary: '1 passed, 1 failed.' });
  expect(kinds(events)).toEqual([
    ['test-started', 'keeps'],
    ['step', 'keeps'],
    ['test-ended', 'keeps'],
    ['test-started', 'finds'],
    ['test-ended', 'finds'],
  ]);
  expect(events[1]).toMatchObject({ label: 'Opened', screenshot: 'screenshot-0001.png' });
  expect(events[4]).toMatchObject({ status: 'failed', milliseconds: 500, message: 'no', stack: 'at Notes' });
  expect(log).toContain('1 1 de_DE android a=b []\n0\n');
  expect(files.map(({ kind, name }) => [kind, name])).toEqual([
    ['screenshot', 'screenshot-0001.png'],
    ['junit-xml', 'TEST-Notes.xml'],
    ['test-log', 'test-log.txt'],
  ]);
  expect(files[0]?.content).toEqual(png);
  const report = files[1]?.content.toString() ?? '';
  expect([report.includes('user.home'), readJunitXml(report).length]).toEqual([false, 2]);
  expect(files[2]?.content.toString()).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z \S/);
  expect(readdirSync(folder)).toEqual([]);
});

test('reports the memory of the app per test; on an emulated phone the app is a page', async () => {
  const command = `echo "started: keeps (Notes)"
node -e "const held = Buffer.alloc(150 * 1048576, 1); setTimeout(() => held.length, 2500)" -- --type=renderer -- &
sleep 2; echo succeeded; wait; echo "started: rests (Notes)"; echo succeeded`;
  const device = { key: 'browser-pixel-8', name: 'x', model: 'x', os: '14', platform: 'android' as const, index: 1 };
  const { events } = await run({ command, more: { device } });
  const memory = events.flatMap((event) => (event.type === 'test-ended' ? [[event.test, event.memory]] : []));
  expect(memory).toEqual([
    ['keeps', expect.any(Number)],
    ['rests', undefined],
  ]);
  expect(memory[0]?.[1]).toBeGreaterThan(150);
});

test('uploads videos of a suite, but no other file and none outside of its folder', async () => {
  const command = `echo "started: keeps (Notes)"; echo succeeded; mkdir -p "$MOORING_OUTPUT/a b"
printf '\\000\\000\\000\\030ftypmp42' >"$MOORING_OUTPUT/a b/run.mp4"; printf '\\032E\\337\\243' >"$MOORING_OUTPUT/run.WEBM"
echo text >"$MOORING_OUTPUT/no.mp4"; ln -s /etc/hostname "$MOORING_OUTPUT/link.mp4"`;
  const { files, log } = await run({ command });
  expect(files.flatMap(({ kind, name }) => (kind === 'video' ? name : []))).toEqual(['a_b_run.mp4', 'run.WEBM']);
  expect(log).toContain('## Skipped no.mp4');
});

test.runIf(findChromium(findProgram))('records a video of an emulated phone if requested', async () => {
  const page = '<p id=a>0<script>let n = 0; setInterval(() => { a.textContent = n += 1; }, 100)</script>';
  // Stops after the first recorded frame.
  const command = `echo "started: keeps (Notes)"
${findChromium(findProgram)} --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$HOME/profile" --remote-debugging-port=$MOORING_DEBUGGING_PORT "file://$PWD/page.html" >/dev/null 2>&1 &
until ls "$HOME/../recording" | grep -q 000003; do sleep 0.1; done; echo succeeded`;
  const device = { key: 'browser-pixel-8', name: 'Pixel 8', model: 'Pixel 8', os: '14', index: 0 } as const;
  const { files, log } = await run({
    command,
    files: { 'page.html': page },
    more: { device: { ...device, platform: 'android' }, parameters: { command, video: true } },
  });
  const [video] = files.filter(({ kind }) => kind === 'video');
  expect([video?.name, log]).toEqual(['screen.webm', expect.stringContaining('== Video')]);
  const content = video?.content ?? Buffer.alloc(0);
  // VP8 key frames start with these bytes and their size.
  const at = content.indexOf(Buffer.from([0x9d, 0x01, 0x2a]));
  expect([content.readUInt16LE(at + 3), content.readUInt16LE(at + 5)]).toEqual([360, 800]);
  const { log: without } = await run({
    command: 'echo "started: a (B)"; echo succeeded',
    more: { parameters: { command: 'true', video: 'on' } },
  });
  expect(without).toContain("devices of this kind can't be recorded");
});

test('builds a report from events for a suite without one', async () => {
  const { files, outcome } = await run({
    command: 'echo "started: keeps (Notes)"; echo succeeded; echo "started: stops (Notes)"; exit 3',
  });
  expect(outcome).toEqual({
    result: 'failed',
    reason: 'The command exited with code 3, but no test failed. See its log for the reason.',
  });
  const report = files.find(({ kind }) => kind === 'junit-xml');
  expect(report?.name).toBe('TEST-Notes.xml');
  expect(readJunitXml(report?.content.toString() ?? '').map(({ test: name, status }) => [name, status])).toEqual([
    ['keeps', 'passed'],
    ['stops', 'failed'],
  ]);
});

test('resends lost events in order, and ends a lost job', async () => {
  let attempts = 0;
  const arrived: Event[] = [];
  const { outcome } = await run({
    command: 'echo "started: keeps (Notes)"; echo succeeded',
    async send(from, events) {
      attempts += 1;
      if (attempts === 1) throw new TypeError('fetch failed');
      arrived.splice(from, events.length, ...events);
      return arrived.length;
    },
  });
  expect([outcome.result, kinds(arrived)]).toEqual([
    'succeeded',
    [
      ['test-started', 'keeps'],
      ['test-ended', 'keeps'],
    ],
  ]);
  const gone = await run({
    command: 'echo "started: keeps (Notes)"; echo succeeded',
    send: () => Promise.reject(new ApiError(new Response(null, { status: 401 }), {})),
  });
  expect(gone.events).toEqual([]);
});

test.each(['../out.sh', 'a/../../out.sh', '/etc/cron.d/x', 'a//b', 'C:\\x', 'a\\..\\..\\x'])(
  'rejects a suite with the path %s, and runs nothing',
  async (name) => {
    const { outcome, log } = await run({ command: 'echo it ran', files: { [name]: 'x' } });
    expect(outcome).toMatchObject({ result: 'failed', reason: expect.stringContaining('Invalid path in the suite') });
    expect(log).not.toContain('it ran');
  },
);

test('does not run a file that differs from the upload', async () => {
  const wrong = { id: 'a', path: 'a', type: 'test-file' as const, sha256: '0'.repeat(64), size: 0 };
  const { outcome, events } = await run({ more: { files: [wrong] } });
  expect(outcome).toMatchObject({
    reason: 'The runner failed: a is corrupt: its checksum differs from the upload.',
    isDeviceBroken: true,
  });
  expect(kinds(events)).toEqual([['device-failed', outcome.reason]]);
});

test('does not upload screenshots behind links, or files that are not images', async () => {
  const secret = path.join(mkdtempSync(path.join(tmpdir(), 'mooring-secret-')), 'runner.json');
  onTestFinished(() => rmSync(path.dirname(secret), { recursive: true, force: true }));
  writeFileSync(secret, png);
  const command = `echo "started: keeps (Notes)"
ln -s ${secret} "$SCREENSHOT_PATH/link.png"; echo "Link - $SCREENSHOT_PATH/link.png"
ln -s ${path.dirname(secret)} "$SCREENSHOT_PATH/folder"; echo "Folder - $SCREENSHOT_PATH/folder/runner.json"
mkfifo "$SCREENSHOT_PATH/pipe.png"; echo "Pipe - $SCREENSHOT_PATH/pipe.png"
echo text > "$SCREENSHOT_PATH/text.png"; echo "Text - $SCREENSHOT_PATH/text.png"
echo "Outside - $SCREENSHOT_PATH/../../../../${path.basename(path.dirname(secret))}/runner.json"
echo succeeded`;
  const { events, files } = await run({ command });
  expect(events.filter(({ type }) => type === 'step')).toHaveLength(5);
  expect(events.filter((event) => 'screenshot' in event)).toEqual([]);
  expect(files.map(({ kind }) => kind)).not.toContain('screenshot');
});

test('masks secrets in files and events; ignores a report that was uploaded with the suite', async () => {
  const command = `echo "started: keeps (Notes)"; echo "says $API_TOKEN"; echo "says $API_TOKEN" >&2
echo "<testsuite><testcase classname='Notes' name='keeps'><failure message='$API_TOKEN'>$API_TOKEN</failure></testcase></testsuite>" > TEST-new.xml`;
  const { events, files } = await run({
    command,
    files: { 'TEST-old.xml': xml },
    more: { parameters: { command, test_env: 'API_TOKEN=correct horse' } },
  });
  expect(kinds(events)).toEqual([
    ['test-started', 'keeps'],
    ['test-ended', 'keeps'],
  ]);
  expect(events[1]).toMatchObject({ message: '***', stack: '***' });
  expect(files.map(({ name }) => name)).toEqual(['TEST-new.xml', 'test-log.txt']);
  expect(JSON.stringify([events, files.map(({ content }) => content.toString())])).not.toContain('correct horse');
});

/** A zombie process has a name, but no program. */
const isAlive = (pid: string | undefined): boolean =>
  existsSync(`/proc/${pid}/exe`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';

test('kills processes that a killed runner left behind, even without the mark', async () => {
  const jobs = mkdtempSync(path.join(tmpdir(), 'mooring-jobs-'));
  onTestFinished(() => rmSync(jobs, { recursive: true, force: true }));
  const job = path.join(jobs, 'job-1');
  mkdirSync(job);
  // Like child processes of Chromium, whose environment can't be read.
  const script = `env -i bash -c 'while :; do mkdir -p ${job}/a; echo x > ${job}/a/$RANDOM; done' & echo $!; wait`;
  const suite = spawn('bash', ['-c', script], {
    detached: true,
    env: { ...process.env, [MARK]: `${job}#1` },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [pid] = await once(suite.stdout, 'data');
  await killOrphans(`${jobs}${path.sep}`);
  expect(isAlive(String(pid).trim())).toBe(false);
  await removeBelow(jobs);
  expect(readdirSync(jobs)).toEqual([]);
});

test('leaves no processes of a stopped suite, even in other sessions', async () => {
  const stop = new AbortController();
  const command = 'setsid sleep 1000 & echo "hidden $!"; echo "started: waits (Notes)"; sleep 1000';
  const { outcome, log, events } = await run({
    command,
    signal: stop.signal,
    onLog: (text) => text.includes('\nstarted: waits') && stop.abort(),
  });
  expect(outcome).toEqual({ result: 'canceled' });
  expect(events.at(-1)).toMatchObject({ type: 'test-ended', status: 'failed', message: 'The test run was stopped.' });
  const [, pid] = /hidden (\d+)/.exec(log) ?? [];
  expect(isAlive(pid)).toBe(false);
});

test('removes apps that a suite left on a phone, and reports a failed cleanup', async () => {
  const tools = mkdtempSync(path.join(tmpdir(), 'mooring-adb-'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(tools, { recursive: true, force: true });
  });
  // A fake phone, with one file for each package.
  const adb = `#!/bin/bash
shift 2; cd ${tools}
case "$1" in
  shell) for name in package.*; do echo "package:\${name#package.}"; done ;;
  uninstall) [ -w "package.$2" ] && rm "package.$2" ;;
esac`;
  writeFileSync(path.join(tools, 'adb'), adb, { mode: 0o755 });
  writeFileSync(path.join(tools, 'package.com.example.mine'), '');
  vi.stubEnv('PATH', `${tools}:${process.env.PATH}`);
  const device = { key: 'android-1', name: 'Pixel', model: 'Pixel', os: '14', platform: 'android', index: 0 } as const;
  const left = (command: string) =>
    run({ command: `${command}; echo "started: keeps (Notes)"; echo succeeded`, more: { device } });
  expect((await left(`touch ${tools}/package.com.example.app`)).outcome).toEqual({
    result: 'succeeded',
    summary: '1 passed.',
  });
  expect(readdirSync(tools).sort()).toEqual(['adb', 'package.com.example.mine']);
  const stuck = await left(`mkdir ${tools}/package.stuck`);
  expect([stuck.outcome, stuck.log]).toEqual([
    { result: 'succeeded', summary: '1 passed.', isDeviceBroken: true },
    expect.stringContaining("Can't clean up the device"),
  ]);
});

/** A fake Appium and Chromium, which report that they are ready, and exit when a session is requested. */
const dyingAppium = `#!${process.execPath}
const port = process.argv[process.argv.indexOf('--port') + 1];
require('node:http').createServer((request, response) => {
  if (request.method === 'POST') process.exit(1);
  response.end('{}');
}).listen(Number(port), '127.0.0.1');
`;

test('blames the device if a browser or Appium dies during a test, and reports what ran', async () => {
  const tools = mkdtempSync(path.join(tmpdir(), 'mooring-tools-'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(tools, { recursive: true, force: true });
  });
  mkdirSync(path.join(tools, 'node_modules/appium-chromium-driver'), { recursive: true });
  for (const name of ['appium', 'chromium', 'chromedriver']) {
    writeFileSync(path.join(tools, name), dyingAppium, { mode: 0o755 });
  }
  vi.stubEnv('APPIUM_HOME', tools);
  vi.stubEnv('PATH', `${tools}:${path.dirname(process.execPath)}:${process.env.PATH}`);
  const suite = `console.log('started: opens (Notes)');
fetch(process.env.APPIUM_URL + '/session', { method: 'POST' }).catch(() => setInterval(() => {}, 1000));`;
  const device = { key: 'browser-pixel-8', name: 'Pixel 8', model: 'Pixel 8', os: '14', index: 0 } as const;
  const { events, outcome } = await run({
    command: 'node suite.js',
    files: { 'suite.js': suite },
    more: { device: { ...device, platform: 'android' } },
  });
  expect(outcome).toEqual({
    result: 'failed',
    reason: 'Appium exited while the suite was running.',
    isDeviceBroken: true,
  });
  expect(events).toMatchObject([
    { type: 'test-started', test: 'opens' },
    { type: 'test-ended', test: 'opens', status: 'failed', message: 'Appium exited while the suite was running.' },
    { type: 'device-failed', message: 'Appium exited while the suite was running.' },
  ]);
});

test('ends a suite at its time limit, with a message', async () => {
  const { outcome, events } = await run({
    command: 'echo "started: waits (Notes)"; sleep 1000',
    more: { minutes: 1 / 120 },
  });
  expect(outcome.reason).toBe('Test execution timed out: it exceeded 0.008333333333333333 minutes.');
  expect(events.at(-1)).toMatchObject({ type: 'test-ended', test: 'waits', message: outcome.reason });
});

test('ends a suite that reports too much or exceeds a limit, with a message', async () => {
  const big = `"<testsuite>"; for (let at = 0; at < 300; at += 1) text += "<testcase name='" + at + "'><failure>" + "x".repeat(60000) + "</failure></testcase>"; text += "</testsuite>"`;
  const script = `let text = ${big}; for (let at = 0; at < 6; at += 1) require("fs").writeFileSync(process.env.MOORING_OUTPUT + "/TEST-" + at + ".xml", text)`;
  const { outcome, files, events } = await run({ command: 'node many.js', files: { 'many.js': script } });
  expect(outcome).toEqual({ result: 'failed', reason: 'The report of the suite exceeds 64 MiB.' });
  expect(events.length).toBeLessThan(3600);
  const sizes = files.flatMap(({ kind, content }) => (kind === 'junit-xml' ? content.length : []));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(64 * 1_048_576);
  const disk = { folder: tmpdir(), leaveBytes: 0 };
  const limits = { kind: 'suite', memoryBytes: 200 * 1_048_576, processes: 40, disk } as const;
  const many = await run({ command: 'for i in $(seq 400); do sleep 60 & done; wait', limits });
  expect(many.outcome.reason).toMatch(/It had \d+ processes; the limit for a suite is 40\./);
  const fullDisk = { ...limits, disk: { ...disk, leaveBytes: Number.MAX_SAFE_INTEGER } };
  expect((await run({ limits: fullDisk })).outcome.reason).toContain('the disk of the runner is too full');
});

test('explains a broken report and a suite without tests', async () => {
  const broken = await run({ command: 'echo "<testsuite>" > "$MOORING_OUTPUT/TEST-a.xml"' });
  expect(broken.outcome.reason).toBe("Can't read the report TEST-a.xml: </testsuite> is missing in line 2.");
  expect((await run({})).outcome.reason).toBe('The suite ran no tests.');
  expect((await run({ command: '' })).outcome.reason).toContain('Set the test parameter "command"');
  expect((await run({ more: { framework: 'appium' } })).outcome.reason).toContain('No tests in test-classes');
});

test.runIf(await canContain())('limits a suite to its folder in the sandbox', async () => {
  const secret = mkdtempSync(path.join(tmpdir(), 'mooring-secret-'));
  onTestFinished(() => rmSync(secret, { recursive: true, force: true }));
  writeFileSync(path.join(secret, 'runner.json'), 'mrt_secret');
  const command = `cat ${secret}/runner.json || echo "no token"
echo x > ${secret}/written || true
echo x > /usr/written || echo "read-only"
ls /proc | grep -c '^[0-9]*$'
echo "started: keeps (Notes)"; echo succeeded`;
  const { log, outcome } = await run({ command, sandbox: 'bubblewrap' });
  expect([outcome.result, log]).toEqual(['succeeded', expect.stringMatching(/no token[\s\S]*read-only/)]);
  expect(log).not.toContain('mrt_secret');
  expect(existsSync(path.join(secret, 'written'))).toBe(false);
});
