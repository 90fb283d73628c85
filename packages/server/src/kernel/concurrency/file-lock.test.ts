import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { exclusively } from './file-lock.ts';

let file: string;
beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-lock-'));
  file = path.join(folder, 'lock');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const doing = 'making a copy';
const take = <T>(work: () => Promise<T>) => exclusively(file, { doing }, work);

/** Another process that takes the lock and keeps it. */
async function holder() {
  const module = path.join(import.meta.dirname, 'file-lock.ts');
  const script = `
    const { exclusively } = await import(${JSON.stringify(module)});
    await exclusively(${JSON.stringify(file)}, { doing: 'waits' }, async () => {
      process.stdout.write('held');
      await new Promise((resolve) => process.stdin.once('data', resolve));
    });
    process.exit();
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('runs work that needs the same lock one after the other', async () => {
  let inside = 0;
  const work = async () => {
    inside += 1;
    expect(inside).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all([1, 2, 3].map(() => take(work)));
});

test('a failure releases the lock', async () => {
  await expect(take(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await take(async () => 'done')).toBe('done');
});

test('the lock of a killed process is free immediately, although its file remains', async () => {
  const child = await holder();
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  expect(existsSync(file)).toBe(true);
  expect(await exclusively(file, { doing, limitMs: 0 }, async () => 'done')).toBe('done');
});

test('reports what another process does while it waits for the lock', async () => {
  const child = await holder();
  const messages: string[] = [];
  const onWait = (message: string) => {
    messages.push(message);
    child.stdin.write('go on');
  };
  expect(await exclusively(file, { doing, onWait, sayAfterMs: 0 }, async () => 'done')).toBe('done');
  expect(messages).toEqual([`waiting for another process, which is ${doing} with the lock ${file}`]);
});

test('fails after a time limit, with advice', async () => {
  await holder();
  const failing = exclusively(file, { doing, limitMs: 0 }, async () => 'done');
  await expect(failing).rejects.toThrow(`another process has been ${doing} with the lock ${file}`);
  await expect(failing).rejects.toThrow('stop it');
});

test('the lock file stays empty, without other files, and private', async () => {
  await take(async () => expect(readdirSync(path.dirname(file))).toEqual(['lock']));
  expect(readdirSync(path.dirname(file))).toEqual(['lock']);
  const { size, mode } = statSync(file);
  expect([size, mode & 0o777]).toEqual([0, 0o600]);
});

test('refuses a file that is not a lock', async () => {
  const folder = path.dirname(file);
  await expect(exclusively(folder, { doing, limitMs: 0 }, async () => 'done')).rejects.toThrow(/open/);
});
