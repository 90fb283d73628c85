import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../kernel/log.ts';
import { createDuckdbEngine } from './index.ts';
import type { Order } from './protocol.ts';
import { supervise } from './supervisor.ts';

const asks: Order = {
  do: 'ask',
  question: { ask: 'activeDevices', range: { from: 1, to: 2 }, filter: {} },
  parts: [],
};
const answer = { daily: [0, 0], weekly: [0, 0], monthly: [0, 0] };
const LIMIT = 60_000;

function open(times?: Parameters<typeof supervise>[2]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-telemetry-'));
  const workFolder = path.join(folder, 'work');
  mkdirSync(workFolder);
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => lines.push(line) });
  const child = supervise({ memoryMb: 128, threads: 1, folder, workFolder }, log, times);
  onTestFinished(async () => {
    await child.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { child, folder, lines };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('a child that is killed in the middle of questions answers each with 503, and the next works', async () => {
  const { child, lines } = open();
  expect(await child.tell(asks, LIMIT)).toEqual(answer);
  const pid = child.pid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  const asked = [child.tell(asks, LIMIT), child.tell(asks, LIMIT)];
  process.kill(pid, 'SIGKILL');
  for (const question of asked) {
    await expect(question).rejects.toMatchObject({ code: 'ServiceUnavailable', message: /try again/ });
  }
  expect(lines.join('')).toContain('SIGKILL');
  expect(await child.tell(asks, LIMIT)).toEqual(answer);
  expect(child.pid()).not.toBe(pid);
});

test('one that is killed while nobody asks is started again without a word', async () => {
  const { child } = open();
  await child.tell(asks, LIMIT);
  const pid = child.pid() ?? 0;
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
  await expect.poll(() => child.pid()).toBeUndefined();
  expect(await child.tell(asks, LIMIT)).toEqual(answer);
});

test('a question that takes too long is given up with 503, and the next works', async () => {
  const { folder } = open();
  const log = createLog('silent');
  const options = { folder, memoryMb: 128, threads: 1, log };
  const engine = createDuckdbEngine({ ...options, timeoutSeconds: 60 });
  const hasty = createDuckdbEngine({ ...options, timeoutSeconds: 0.001 });
  onTestFinished(async () => {
    await engine.close();
    await hasty.close();
  });
  const logs = Array.from({ length: 5000 }, (_, n) => ({ at: n, value: { type: 'event', id: n, name: `event ${n}` } }));
  const staged = await engine.stage([{ installId: 'one', logs }]);
  const part = await staged.write(0, [], folder);
  const parts = Array.from(
    { length: 100 },
    () => part?.files ?? { id: '', day: 0, logs: '', devices: '', sessions: '' },
  );
  const all = { names: [], order: 'count', isDescending: true, skip: 0, limit: 1 } as const;
  const question = { ask: 'events', range: { from: 0, to: 0 }, filter: {}, ...all } as const;
  await expect(hasty.ask(question, parts)).rejects.toMatchObject({
    code: 'ServiceUnavailable',
    message: expect.stringContaining('fewer days'),
  });
  expect((await engine.ask(question, parts)).total).toBe(5000);
});

test('one that does not even notice its time limit is ended', async () => {
  const { child } = open({ graceMs: 0 });
  await child.tell(asks, LIMIT);
  process.kill(child.pid() ?? 0, 'SIGSTOP');
  await expect(child.tell(asks, 1)).rejects.toMatchObject({ code: 'ServiceUnavailable' });
});

test('one that nobody asked for long is ended, and who asks meanwhile waits for the next', async () => {
  const { child } = open({ idleMs: 20 });
  await child.tell(asks, LIMIT);
  const pid = child.pid() ?? 0;
  // It cannot end by itself now, so it is still there when it is asked.
  process.kill(pid, 'SIGSTOP');
  await sleep(100);
  expect(await child.tell(asks, LIMIT)).toEqual(answer);
  expect(child.pid()).not.toBe(pid);
});

test('it ends when it is closed, and answers nothing any more', async () => {
  const { child } = open();
  await child.tell(asks, LIMIT);
  const pid = child.pid() ?? 0;
  await child.close();
  expect(isAlive(pid)).toBe(false);
  await expect(child.tell(asks, LIMIT)).rejects.toMatchObject({ code: 'ServiceUnavailable' });
});

test('a signal to the whole group does not end it before the server does', async () => {
  const { child } = open();
  await child.tell(asks, LIMIT);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(child.pid() ?? 0, signal);
  expect(await child.tell(asks, LIMIT)).toEqual(answer);
});

test('it knows none of the settings, which hold secrets', async () => {
  process.env.MOORING_SECRET_KEY = 'hidden';
  onTestFinished(() => {
    delete process.env.MOORING_SECRET_KEY;
  });
  const { child } = open();
  await child.tell(asks, LIMIT);
  const environment = readFileSync(`/proc/${child.pid()}/environ`, 'utf8');
  expect(environment).toContain('TZ=UTC');
  expect(environment).not.toMatch(/MOORING|hidden/);
});

test('it reads and writes nothing outside of its folder', async () => {
  const { child, folder } = open();
  const outside = path.join(path.dirname(folder), `${path.basename(folder)}-outside.parquet`);
  writeFileSync(outside, 'PAR1');
  onTestFinished(() => rmSync(outside, { force: true }));
  const parts = [{ id: 'a', day: 1, logs: outside, devices: outside, sessions: outside }];
  await expect(child.tell({ ...asks, parts } as Order, LIMIT)).rejects.toThrow(/Permission Error/);
});

test('a file that is no Parquet is an error that says so, not an end of the child', async () => {
  const { child, folder } = open();
  const broken = path.join(folder, 'broken.parquet');
  writeFileSync(broken, 'not what it says');
  const parts = [{ id: 'a', day: 1, logs: broken, devices: broken, sessions: broken }];
  await expect(child.tell({ ...asks, parts } as Order, LIMIT)).rejects.toThrow(/broken[.]parquet/);
  expect(await child.tell(asks, LIMIT)).toEqual(answer);
});
