import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { exclusively } from './folder-lock.ts';

let lock: string;
beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-lock-'));
  lock = path.join(folder, 'lock');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

test('work that asks for the same lock is done one after the other', async () => {
  let inside = 0;
  const work = async () => {
    inside += 1;
    expect(inside).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all([1, 2, 3].map(() => exclusively(lock, work)));
  expect(existsSync(lock)).toBe(false);
});

test('a failure gives the lock back', async () => {
  await expect(exclusively(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await exclusively(lock, async () => 'done')).toBe('done');
});

test('a lock that a dead process left behind is not waited for', async () => {
  const { pid } = spawnSync(process.execPath, ['--eval', '0']);
  mkdirSync(lock);
  writeFileSync(path.join(lock, 'pid'), String(pid));
  expect(await exclusively(lock, async () => 'done')).toBe('done');
});

test('nor is one that nobody has put their name to for a while', async () => {
  mkdirSync(lock);
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, longAgo, longAgo);
  expect(await exclusively(lock, async () => 'done')).toBe('done');
});
