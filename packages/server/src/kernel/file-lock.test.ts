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

const doing = 'makes a copy';
const take = <T>(work: () => Promise<T>) => exclusively(file, { doing }, work);

/** Another process that has the lock and keeps it. */
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

test('work that asks for the same lock is done one after the other', async () => {
  let inside = 0;
  const work = async () => {
    inside += 1;
    expect(inside).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all([1, 2, 3].map(() => take(work)));
});

test('a failure gives the lock back', async () => {
  await expect(take(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await take(async () => 'done')).toBe('done');
});

test('a lock whose process was killed is free at once, although its file stays and its process number may live again', async () => {
  const child = await holder();
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  expect(existsSync(file)).toBe(true);
  expect(await exclusively(file, { doing, limitMs: 0 }, async () => 'done')).toBe('done');
});

test('a lock that another process has is waited for, and it is said for what', async () => {
  const child = await holder();
  const messages: string[] = [];
  const onWait = (message: string) => {
    messages.push(message);
    child.stdin.write('go on');
  };
  expect(await exclusively(file, { doing, onWait, sayAfterMs: 0 }, async () => 'done')).toBe('done');
  expect(messages).toEqual([`waiting for another process, which ${doing} and holds ${file}`]);
});

test('waiting ends with an error that says what to do', async () => {
  await holder();
  const failing = exclusively(file, { doing, limitMs: 0 }, async () => 'done');
  await expect(failing).rejects.toThrow(`another process ${doing} and holds ${file}`);
  await expect(failing).rejects.toThrow('stop it');
});

test('the file of a lock stays empty, alone and its owner’s', async () => {
  await take(async () => expect(readdirSync(path.dirname(file))).toEqual(['lock']));
  expect(readdirSync(path.dirname(file))).toEqual(['lock']);
  const { size, mode } = statSync(file);
  expect([size, mode & 0o777]).toEqual([0, 0o600]);
});

test('a file that is no lock is not taken for one', async () => {
  const folder = path.dirname(file);
  await expect(exclusively(folder, { doing, limitMs: 0 }, async () => 'done')).rejects.toThrow(/open/);
});
