import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../kernel/log.ts';
import { createDuckdbEngine } from './index.ts';
import type { Order } from './protocol.ts';
import { supervise } from './supervisor.ts';

const order: Order = {
  do: 'ask',
  query: { kind: 'activeDevices', range: { from: 1, to: 2 }, filter: {} },
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

test('answers running queries with 503 if the child is killed, and the next one works', async () => {
  const { child, lines } = open();
  expect(await child.send(order, LIMIT)).toEqual(answer);
  const pid = child.pid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  const pending = [child.send(order, LIMIT), child.send(order, LIMIT)];
  process.kill(pid, 'SIGKILL');
  for (const query of pending) {
    await expect(query).rejects.toMatchObject({ code: 'ServiceUnavailable', message: /try again/ });
  }
  expect(lines.join('')).toContain('SIGKILL');
  expect(await child.send(order, LIMIT)).toEqual(answer);
  expect(child.pid()).not.toBe(pid);
});

test('restarts silently after being killed while idle', async () => {
  const { child } = open();
  await child.send(order, LIMIT);
  const pid = child.pid() ?? 0;
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive(pid)).toBe(false);
  await expect.poll(() => child.pid()).toBeUndefined();
  expect(await child.send(order, LIMIT)).toEqual(answer);
});

test('aborts a query that takes too long with 503, and the next works', async () => {
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
  const query = { kind: 'events', range: { from: 0, to: 0 }, filter: {}, ...all } as const;
  await expect(hasty.query(query, parts)).rejects.toMatchObject({
    code: 'ServiceUnavailable',
    message: expect.stringContaining('fewer days'),
  });
  expect((await engine.query(query, parts)).total).toBe(5000);
});

test('kills a child that ignores its time limit', async () => {
  const { child } = open({ graceMs: 0 });
  await child.send(order, LIMIT);
  process.kill(child.pid() ?? 0, 'SIGSTOP');
  await expect(child.send(order, 1)).rejects.toMatchObject({ code: 'ServiceUnavailable' });
});

test('ends after a long idle time, and new queries wait for the next process', async () => {
  const { child } = open({ idleMs: 20 });
  await child.send(order, LIMIT);
  const pid = child.pid() ?? 0;
  // It can't end by itself now, so it still exists when the query arrives.
  process.kill(pid, 'SIGSTOP');
  await sleep(100);
  expect(await child.send(order, LIMIT)).toEqual(answer);
  expect(child.pid()).not.toBe(pid);
});

test('ends when closed and answers no more queries', async () => {
  const { child } = open();
  await child.send(order, LIMIT);
  const pid = child.pid() ?? 0;
  await child.close();
  expect(isAlive(pid)).toBe(false);
  await expect(child.send(order, LIMIT)).rejects.toMatchObject({ code: 'ServiceUnavailable' });
});

test('keeps the child running after a signal to the process group until the server stops', async () => {
  const { child } = open();
  await child.send(order, LIMIT);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(child.pid() ?? 0, signal);
  expect(await child.send(order, LIMIT)).toEqual(answer);
});

test('gets no settings, which contain secrets', async () => {
  process.env.MOORING_SECRET_KEY = 'hidden';
  onTestFinished(() => {
    delete process.env.MOORING_SECRET_KEY;
  });
  const { child } = open();
  await child.send(order, LIMIT);
  const environment = readFileSync(`/proc/${child.pid()}/environ`, 'utf8');
  expect(environment).toContain('TZ=UTC');
  expect(environment).not.toMatch(/MOORING|hidden/);
});

test('reads and writes nothing outside its folder', async () => {
  const { child, folder } = open();
  const outside = path.join(path.dirname(folder), `${path.basename(folder)}-outside.parquet`);
  writeFileSync(outside, 'PAR1');
  onTestFinished(() => rmSync(outside, { force: true }));
  const parts = [{ id: 'a', day: 1, logs: outside, devices: outside, sessions: outside }];
  await expect(child.send({ ...order, parts } as Order, LIMIT)).rejects.toThrow(/Permission Error/);
});

test('reports a file that is not Parquet, without ending the child', async () => {
  const { child, folder } = open();
  const broken = path.join(folder, 'broken.parquet');
  writeFileSync(broken, 'not what it says');
  const parts = [{ id: 'a', day: 1, logs: broken, devices: broken, sessions: broken }];
  await expect(child.send({ ...order, parts } as Order, LIMIT)).rejects.toThrow(/broken[.]parquet/);
  expect(await child.send(order, LIMIT)).toEqual(answer);
});
