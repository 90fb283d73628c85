import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startGitHost } from '../../test-support/git-host.ts';
import { runSql, startPostgres } from '../../test-support/postgres.ts';
import { receiver } from '../../test-support/webhook-receiver.ts';
import { findProgram } from '../../tools/programs.mjs';
import { createToken } from '../harness/http.ts';
import { launcher } from '../harness/mooring.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

// The shell blocks of the guides, run as they stand, with only hosts, codes and IDs replaced.

const root = path.join(import.meta.dirname, '../..');

/** The blocks marked `sh` of a guide, in order. */
const readBlocks = (guide: string): string[] =>
  [...readFileSync(path.join(root, 'docs', guide), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(
    ([, block = '']) => block,
  );

let server: RunningServer;
let scratch: string;
let env: Record<string, string>;
let runner: ChildProcess | undefined;

interface Printed {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs lines in bash, in one folder for all guides; each placeholder must occur in them. */
async function runLines(lines: string, placeholders: Record<string, string> = {}): Promise<Printed> {
  let script = lines;
  for (const [placeholder, value] of Object.entries(placeholders)) {
    expect(script).toContain(placeholder);
    script = script.replaceAll(placeholder, value);
  }
  const shell = spawn('bash', ['-e', '-c', script], { cwd: path.join(scratch, 'home'), env });
  const [stdout, stderr] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')]);
  return { code: shell.exitCode, stdout, stderr };
}

async function succeeds(lines: string, placeholders?: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runLines(lines, placeholders);
  expect(code, `${lines}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

const keepLines = (block: string, beginning: string): string =>
  block
    .split('\n')
    .filter((line) => line.startsWith(beginning))
    .join('\n');

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-guides-'));
  mkdirSync(path.join(scratch, 'home'));
  mkdirSync(path.join(scratch, 'bin'));
  // The guides call `mooring`; samples are named from the root of the repository.
  const program = path.join(scratch, 'bin/mooring');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`);
  chmodSync(program, 0o755);
  cpSync(path.join(root, 'docs/samples'), path.join(scratch, 'home/docs/samples'), { recursive: true });
  server = await startServer({ env: { MOORING_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  env = {
    PATH: `${path.join(scratch, 'bin')}:${process.env.PATH}`,
    HOME: path.join(scratch, 'home'),
    MOORING_SERVER: server.httpUrl,
    MOORING_TOKEN: (await createToken(server)).api_token,
    MOORING_CONFIG_DIR: path.join(scratch, 'config'),
    MOORING_RUNNER_DIR: path.join(scratch, 'runner'),
    MOORING_DATA_DIR: server.dataDir,
  };
  await succeeds('mooring apps create Compass --name compass --os Android --platform Java');
});
afterAll(async () => {
  runner?.kill('SIGKILL');
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

it('registers and starts a runner as docs/runners.md says', async () => {
  const [block = ''] = readBlocks('runners.md');
  const [code = '', register = '', start = '', ...rest] = block.split('\n');
  expect(rest.join('')).toBe('');
  const [printed = ''] = /mrc_\w+/.exec(await succeeds(code)) ?? [];
  await succeeds(register, { 'https://mooring.example.com': server.httpUrl, 'mrc_…': printed });
  // A container may not let bubblewrap create a sandbox.
  const isSandboxed = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;
  const options = `--reserve-mb 1${isSandboxed ? '' : ' --sandbox host'}`;
  runner = spawn('bash', ['-c', `exec ${start} ${options}`], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  await vi.waitFor(async () => expect(await succeeds('mooring runner list --app ada/compass')).toContain('\tyes\t'), {
    timeout: 60_000,
    interval: 500,
  });
});

it('builds a branch as docs/runners.md says', async () => {
  const host = await startGitHost({ password: 'open sesame' });
  host.push('main', { Makefile: 'all:\n\tmkdir -p out && echo app > out/app.apk\n' });
  writeFileSync(path.join(scratch, 'home/token.txt'), 'open sesame');
  const [, block = ''] = readBlocks('runners.md');
  const printed = await succeeds(block, { 'https://git.example.com/ada/compass.git': host.url });
  expect(printed).toContain('build: app.apk');
  await host.stop();
});

it.skipIf(!findProgram('Chromium'))('runs and imports suites as docs/tests.md says', async () => {
  const [list = '', run = '', importResults = '', gate = '', ...rest] = readBlocks('tests.md');
  expect(rest).toEqual([]);
  await vi.waitFor(async () => expect(await succeeds(list)).toContain('emulated browser'), {
    timeout: 60_000,
    interval: 500,
  });
  await succeeds(run);
  expect(await succeeds(importResults)).toContain('Tests failed');
  await succeeds(gate);

  // Its table of exit codes.
  const failing = 'mooring tests run ada/compass ./suite "command=bash failing.sh" --framework command';
  const report = '<testsuite name="A"><testcase name="b"><failure/></testcase></testsuite>';
  writeFileSync(path.join(scratch, 'home/suite/failing.sh'), `echo '${report}' > "$MOORING_OUTPUT/TEST-a.xml"\n`);
  expect((await runLines(failing)).code).toBe(1);
  expect((await runLines(failing.replace('failing.sh', 'missing.sh'))).code).toBe(2);
  expect((await runLines(failing.replace('command --', 'x --').replace('--framework command', ''))).code).toBe(2);
  expect((await runLines(failing.replace('ada/compass', 'ada/missing'))).code).toBe(4);
  expect((await runLines(`MOORING_TOKEN=x ${failing}`)).code).toBe(3);
});

it('creates and tests a webhook as docs/webhooks.md says', async () => {
  const hook = await receiver();
  const [block = ''] = readBlocks('webhooks.md');
  const [create = '', list = '', ...others] = block.trim().split('\n');
  await succeeds(create, { 'https://hooks.example.com/mooring': hook.url });
  const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(await succeeds(list)) ?? [];
  const [test = '', deliveries = ''] = others;
  await succeeds(test, { '<id>': id });
  await vi.waitFor(() => expect(hook.received).toHaveLength(1));
  await vi.waitFor(async () => expect(await succeeds(deliveries, { '<id>': id })).toContain('Delivered'), {
    timeout: 30_000,
    interval: 500,
  });
});

it('checks, backs up and rolls back as docs/operating.md and docs/upgrade.md say', async () => {
  const [operate = ''] = readBlocks('operating.md');
  const [backup = '', check = '', rollBack = ''] = readBlocks('upgrade.md');
  const backups = path.join(scratch, 'backups');
  mkdirSync(backups);
  await succeeds(operate, { 'http://localhost:8080': server.httpUrl, '/backups': backups });
  // The steps above have already checked this.
  expect(operate).toContain(keepLines(check, 'mooring '));
  await succeeds(keepLines(backup, 'mooring '), { '/backups': backups });
  env.MOORING_DATA_DIR = path.join(scratch, 'restored');
  await succeeds(keepLines(rollBack, 'mooring '), { '/backups': backups });
}, 300_000);

it('moves from SQLite to PostgreSQL as docs/scale.md says', async () => {
  const postgres = await startPostgres();
  const [block = ''] = readBlocks('scale.md');
  env.MOORING_DATA_DIR = server.dataDir;
  const lines = block
    .split('\n')
    .filter((line) => line !== 'npm start')
    .join('\n');
  await runSql(postgres.url('postgres'), 'CREATE DATABASE guides');
  await succeeds(lines, { 'postgres://mooring:secret@db.example.com:5432/mooring': postgres.url('guides') });
  await postgres.stop();
}, 300_000);
