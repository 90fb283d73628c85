import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startGitHost } from '../../../../test-support/git-host.ts';
import { findProgram } from '../sandbox/sandbox.ts';
import { canContain } from '../sandbox/sandbox-check.ts';
import { createJobLog } from '../server/job-log.ts';
import { type BuildOptions, runBuild } from './build-job.ts';
import type { Work } from './stages/index.ts';

const MIB = 1_048_576;
const isContained = await canContain();

/** A runner with one repository, whose builds contain these files. */
async function runner() {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-runner-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const host = await startGitHost();
  onTestFinished(host.stop);
  mkdirSync(path.join(folder, 'jobs'));
  writeFileSync(path.join(folder, 'runner.json'), 'mrt_secret');
  const build = async (
    files: Record<string, string>,
    more: Partial<Work> = {},
    options: Partial<BuildOptions> = {},
  ) => {
    const commit = host.push('main', files);
    const work: Work = {
      app: { owner: 'ada', name: 'compass', os: 'Android', platform: 'Java' },
      build: { id: 7, branch: 'main', configuration: 'main', commit, trigger: 'manual', isDebug: false },
      repository: { url: host.url, name: 'ada/compass' },
      isSigned: false,
      toolsets: {},
      variables: [],
      minutes: 5,
      ...more,
    };
    let log = '';
    const uploaded: string[] = [];
    const outcome = await runBuild(work, {
      folder: path.join(folder, 'jobs'),
      sandbox: isContained ? 'bubblewrap' : 'host',
      hidden: [folder],
      signal: new AbortController().signal,
      write(text) {
        log += text;
      },
      async upload({ name }) {
        uploaded.push(name);
      },
      ...options,
    });
    return { outcome, log, uploaded };
  };
  return { folder, build };
}
const custom = (...commands: string[]): Partial<Work> => ({ toolsets: { custom: { commands } } });

test('builds as mooring.yml says, and reuses a cache in the next build', async () => {
  const { folder, build } = await runner();
  const caches = { folder: path.join(folder, 'caches'), maxBytes: 64 * MIB };
  const yml = `toolsets:
  custom:
    commands:
      - cat modules/made || echo "nothing yet"
      - mkdir -p modules && echo "made by $STAGE" > modules/made
      - cp modules/made out.apk
    artifacts: ["*.apk"]
variables: {STAGE: beta}
caches:
  - key: [lock.json]
    paths: [modules]
`;
  const files = { 'mooring.yml': yml, 'lock.json': '1' };
  const work = { ...custom('exit 3'), variables: [{ name: 'STAGE', value: 'alpha' }] };
  const first = await build(files, work, { caches });
  expect([first.outcome.result, first.uploaded]).toEqual(['succeeded', ['out.apk']]);
  expect(first.log).toContain('nothing yet');
  const second = await build(files, work, { caches });
  expect(second.log).toMatch(/Restored modules from the cache[\s\S]*made by beta/);
  expect(readdirSync(caches.folder)).toHaveLength(1);
  expect(readdirSync(path.join(folder, 'jobs'))).toEqual([]);
});

test('fails the build for an invalid mooring.yml, and logs every problem', async () => {
  const { build } = await runner();
  const { outcome, log } = await build({ 'mooring.yml': 'toolsets: {custom: {command: [a]}}\nminutes: soon\n' });
  expect(outcome).toMatchObject({ result: 'failed', reason: expect.stringContaining('mooring.yml:1:') });
  expect(log).toMatch(
    /mooring\.yml:1:\d+: toolsets\.custom\.command is an unknown field\.\nmooring\.yml:2:1: minutes must be/,
  );
});

test('kills a stage that exceeds a limit, and names the limit', async () => {
  const { folder, build } = await runner();
  const limits = { kind: 'stage' as const, memoryBytes: 200 * MIB, processes: 40, disk: { folder, leaveBytes: 0 } };
  const many = await build({}, custom('for i in $(seq 400); do sleep 60 & done; wait'), { limits });
  expect(many.outcome.reason).toMatch(/It had \d+ processes; the limit for a stage is 40\./);
  const eater = 'node -e "globalThis.all = Buffer.alloc(500e6, 1); setInterval(() => undefined, 1000)"';
  const large = await build({}, custom(eater), { limits });
  expect(large.outcome.reason).toMatch(/It used \d+ MiB of memory; the limit for a stage is 200 MiB\./);
  const disk = { folder, leaveBytes: Number.MAX_SAFE_INTEGER };
  const full = await build({}, custom('sleep 60'), { limits: { ...limits, disk } });
  expect(full.outcome.reason).toMatch(/The disk of the runner has only \d+ MiB free/);
});

test.runIf(isContained)(
  'prevents a hostile build from writing outside, reading tokens, and uploading files of the machine',
  async () => {
    const { folder, build } = await runner();
    const { outcome, log, uploaded } = await build(
      {},
      {
        toolsets: {
          custom: {
            commands: [
              `cat ${folder}/runner.json ../../../runner.json || echo "no token"`,
              `touch ${folder}/written "$HOME/../../written" /usr/written || true; cat /proc/1/environ | tr '\\0' ' '; true`,
              `ln -s ${folder}/runner.json stolen.apk; ln -s /etc/passwd "$APPCENTER_OUTPUT_DIRECTORY/users.apk"`,
              `ln -s / root; echo x > mine.apk; (setsid sleep 300 &)`,
            ],
            artifacts: ['**/*.apk', '/etc/passwd', '../../../runner.json'],
          },
        },
      },
    );
    expect([outcome.result, uploaded]).toEqual(['succeeded', ['mine.apk']]);
    expect(log).toContain('no token');
    expect(log).not.toContain('mrt_secret');
    expect(existsSync(path.join(folder, 'written'))).toBe(false);
    expect(readdirSync(folder).toSorted()).toEqual(['jobs', 'runner.json']);
  },
);

test('fails the build if an upload fails, and skips empty files with a message', async () => {
  const { build } = await runner();
  const work = { toolsets: { custom: { commands: ['touch empty.apk; echo x > full.apk'], artifacts: ['*.apk'] } } };
  const { outcome, log } = await build({}, work, {
    upload: ({ name }) => Promise.reject(new Error(`No room for ${name}.`)),
  });
  expect(outcome).toMatchObject({ result: 'failed', reason: "Can't store full.apk. No room for full.apk." });
  expect(log).toContain('## Skipped empty.apk: the file is empty.');
});

test('stops without waiting for an unreachable server', async () => {
  const stop = new AbortController();
  const log = createJobLog({
    offset: 0,
    mask: (line) => line,
    onLost: () => undefined,
    stopping: stop.signal,
    send: () => Promise.reject(new Error('nobody answers')),
  });
  log.write('one\n');
  const ending = log.end();
  stop.abort();
  await ending;
});

test('stops sending a full log, and notes omitted bytes', async () => {
  const sent: string[] = [];
  let isFull = false;
  const open = Promise.withResolvers<void>();
  const log = createJobLog({
    offset: 0,
    mask: (line) => line,
    onLost: () => undefined,
    async send(offset, bytes) {
      await open.promise;
      sent.push(Buffer.from(bytes).toString());
      return { size: offset + bytes.length, isFull };
    },
  });
  const line = `${'x'.repeat(MIB - 1)}\n`;
  for (let count = 0; count < 70; count += 1) log.write(line);
  open.resolve();
  await log.end();
  const all = sent.join('');
  expect(all.slice(-200)).toMatch(/## Omitted \d+ bytes, which were written faster than the runner could send them\./);
  expect(all.length).toBeLessThan(66 * MIB);
  sent.length = 0;
  isFull = true;
  const full = createJobLog({
    offset: 0,
    mask: (text) => text,
    onLost: () => undefined,
    async send(offset, bytes) {
      sent.push(Buffer.from(bytes).toString());
      return { size: offset + bytes.length, isFull };
    },
  });
  for (let count = 0; count < 10; count += 1) full.write(line);
  await full.end();
  expect(sent).toHaveLength(1);
});

test('runs PowerShell scripts where PowerShell is installed, and logs a missing PowerShell or Node', async () => {
  const { folder, build } = await runner();
  const files = {
    'package.json': '{}',
    '.nvmrc': 'v4.0.0\n',
    'appcenter-post-clone.ps1': 'Write-Output hello',
    'appcenter-post-build.sh': 'echo "it $AGENT_JOBSTATUS"',
  };
  const offline: Partial<Work> = { toolsets: { javascript: {} } };
  const without = await build(files, offline);
  expect(without.outcome.result).toBe('succeeded');
  expect(without.log).toMatch(/Node v4\.0\.0 is requested, but not installed on this runner; using Node [\d.]+\./);
  const hasPowershell = findProgram('pwsh') !== undefined || findProgram('powershell') !== undefined;
  expect(without.log).toContain(
    hasPowershell
      ? '== appcenter-post-clone.ps1'
      : '## Skipped appcenter-post-clone.ps1: this runner has no PowerShell.',
  );
  expect(without.log).toContain('it Succeeded');

  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'pwsh'), '#!/bin/sh\necho "pwsh $*"\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { log } = await build(files, offline, { sandbox: 'host' });
  expect(log).toContain(
    '== appcenter-post-clone.ps1\npwsh -NoProfile -NonInteractive -File ./appcenter-post-clone.ps1',
  );
});

/** A fake podman, which runs commands on this machine, as if the image had the same tools. */
function fakePodman(folder: string): void {
  const bin = path.join(folder, 'podman-bin');
  mkdirSync(bin);
  const script = 'while [ "$1" != -- ] && [ $# -gt 0 ]; do shift; done; shift 2 && exec "$@"';
  writeFileSync(path.join(bin, 'podman'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test('uses the Node of the image in a container, and logs it if another was requested', async () => {
  const { folder, build } = await runner();
  fakePodman(folder);
  const inContainer: Partial<BuildOptions> = { sandbox: 'podman', image: 'node:26' };
  const requested = await build(
    { 'package.json': '{}' },
    { toolsets: { javascript: { nodeVersion: '10.x' } } },
    inContainer,
  );
  expect([requested.outcome.reason, requested.outcome.result]).toEqual([undefined, 'succeeded']);
  expect(requested.log).toContain(
    'Ignored the requested Node 10.x: the image node:26 has its Node. Choose another with "image"',
  );
  const silent = await build({ 'package.json': '{}' }, { toolsets: { javascript: {} } }, inContainer);
  expect(silent.log).not.toContain('Ignored the requested');
});

test('writes the signing key only for the signing stage, and follows no link', async () => {
  const { folder, build } = await runner();
  const bin = path.join(folder, 'tools');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'apksigner'), '#!/bin/sh\necho "signs with $(cat "$KEYSTORE")"\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const look = 'ls "$HOME/.." | tr "\\n" " "; echo "$KEYSTORE_PASSWORD"';
  const { outcome, log } = await build(
    {
      gradlew: 'mkdir -p app/build/outputs/apk && echo package > app/build/outputs/apk/app.apk',
      'app/appcenter-post-clone.sh': `${look}; ln -s "${folder}/stolen" "$HOME/../keystore"`,
      'app/appcenter-post-build.sh': look,
    },
    {
      isSigned: true,
      toolsets: {
        android: {
          runTests: false,
          keystoreEncoded: Buffer.from('a key').toString('base64'),
          keystorePassword: 'hunter2',
        },
      },
    },
    { sandbox: 'host' },
  );
  expect([outcome.reason, outcome.result], log).toEqual([undefined, 'succeeded']);
  expect(log).toContain('signs with a key');
  expect(log.match(/^home output sources $/gm)).toHaveLength(2);
  expect(existsSync(path.join(folder, 'stolen'))).toBe(false);
});
