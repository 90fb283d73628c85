import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { compileCache } from '../harness/server.ts';

const root = path.join(import.meta.dirname, '../..');
const mooring = path.join(root, 'packages/cli/bin/mooring.mjs');

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

/**
 * Starts a command whose processes all write to one pipe. It closes when the last process has ended. Removes variables
 * of the npm that runs this test.
 */
function start(command: string, args: string[], env: Record<string, string> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-parent-'));
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn(command, args, {
    cwd: root,
    detached: true,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: folder,
      ...compileCache,
      MOORING_HTTP_PORT: '0',
      MOORING_HTTPS_PORT: '0',
      MOORING_DATA_DIR: path.join(folder, 'data'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const group = -(child.pid as number);
  cleanUp.push(() => endGroup(group));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  }
  return { child, folder, group, closed: once(child, 'close'), printed: () => printed };
}

function endGroup(group: number): void {
  try {
    process.kill(group, 'SIGKILL');
  } catch {
    // All its processes have ended.
  }
}

const until = (started: { printed(): string }, text: string) =>
  vi.waitFor(() => expect(started.printed()).toContain(text), { timeout: 150_000, interval: 100 });

/** Finds a child process by its command line, so that tests can check it after killing the parent. */
function findChild(parent: ChildProcess, commandLine: string): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const below = (pid: number): number[] => {
    const children = processes.filter((name) => readStat(name)?.parent === pid).map(Number);
    return [...children, ...children.flatMap(below)];
  };
  const match = below(parent.pid as number).find((pid) => readCommand(pid).includes(commandLine));
  if (!match) throw new Error(`No process runs ${commandLine}.`);
  return match;
}

function readStat(pid: string): { parent: number } | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  const [, parent] = /\) \S+ (\d+) /.exec(readFileSync(file, 'utf8')) ?? [];
  return { parent: Number(parent) };
}

const readCommand = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');

const signals = ['SIGTERM', 'SIGKILL'] as const;
const isLinux = process.platform === 'linux';

describe.skipIf(process.platform === 'win32')('the server ends with its parent', () => {
  test.each(signals)('stops gracefully when npm start gets %s', { timeout: 180_000 }, async (signal) => {
    const started = start('npm', ['start']);
    await until(started, 'Sign in');
    started.child.kill(signal);
    await started.closed;
    expect(started.printed()).toContain('"msg":"stopping"');
  });

  test.runIf(isLinux)('stops gracefully when tools/start.mjs is killed', { timeout: 180_000 }, async () => {
    const started = start('npm', ['start']);
    await until(started, 'Sign in');
    process.kill(findChild(started.child, 'node tools/start.mjs'), 'SIGKILL');
    await started.closed;
    expect(started.printed()).toContain('"msg":"stopping"');
  });

  test('stops all workers when npm start is killed', { timeout: 180_000 }, async () => {
    const started = start('npm', ['start'], { MOORING_WORKERS: '2' });
    await until(started, 'Sign in');
    started.child.kill('SIGKILL');
    await started.closed;
    expect(started.printed()).toContain('"msg":"stopping"');
  });

  test('outlives the shell that started tools/start.mjs in the background', { timeout: 180_000 }, async () => {
    const started = start('sh', ['-c', 'node tools/start.mjs & echo started']);
    await once(started.child, 'exit');
    await until(started, 'Sign in');
    const [, address] = /Console\s+(http:\S+)/.exec(started.printed()) ?? [];
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    process.kill(started.group, 'SIGTERM');
    await started.closed;
  });

  test.each(signals)(
    'removes the demo when npm run demo gets %s while it is filled',
    { timeout: 180_000 },
    async (signal) => {
      const started = start('npm', ['run', 'demo']);
      await until(started, 'Filling the demo');
      const isFilled = () => readdirSync(started.folder).some((name) => name.startsWith('mooring-demo-'));
      await vi.waitFor(() => expect(isFilled()).toBe(true));
      started.child.kill(signal);
      await started.closed;
      expect(isFilled()).toBe(false);
    },
  );

  test.each(signals)('stops gracefully when mooring serve gets %s', { timeout: 180_000 }, async (signal) => {
    const started = start('node', [mooring, 'serve']);
    await until(started, 'Sign in');
    started.child.kill(signal);
    await started.closed;
    expect(started.printed()).toContain('"msg":"stopping"');
  });
});
