import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadSecretKey, readSecretKey } from './secret-key.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mooring-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('creates the key once, private to its owner, without other files', () => {
  const key = loadSecretKey(folder);
  expect(key).toHaveLength(32);
  expect(loadSecretKey(folder)).toEqual(key);
  expect(readdirSync(folder)).toEqual(['secret.key']);
  expect(statSync(path.join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
});

/** Lists the file system calls of a process that creates a key, in order. */
function listCalls(dataDir: string): string[] {
  const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { openSync, fsyncSync, linkSync } = fs;
    const names = new Map();
    const say = (what) => process.stdout.write(what + '\\n');
    fs.openSync = (file, ...rest) => {
      const handle = openSync(file, ...rest);
      names.set(handle, file);
      return handle;
    };
    fs.fsyncSync = (handle) => (say('sync ' + names.get(handle)), fsyncSync(handle));
    fs.linkSync = (from, to) => (say('link ' + from + ' ' + to), linkSync(from, to));
    syncBuiltinESMExports();
    const { loadSecretKey } = await import(${JSON.stringify(path.join(import.meta.dirname, 'secret-key.ts'))});
    loadSecretKey(${JSON.stringify(dataDir)});
    say('used');
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  return output
    .trim()
    .replaceAll(dataDir, '.')
    .replaceAll(/key\.[0-9a-f]{12}/g, 'draft')
    .split('\n');
}

test('syncs the key and its folder before it is used', () => {
  const made = mkdtempSync(path.join(folder, 'made-'));
  expect(listCalls(made)).toEqual([
    'sync ./secret.draft',
    'link ./secret.draft ./secret.key',
    'sync ./secret.key',
    'sync .',
    'used',
  ]);
  expect(listCalls(made)).toEqual(['sync ./secret.key', 'sync .', 'used']);
});

test('names a damaged key file', () => {
  const damaged = mkdtempSync(path.join(folder, 'damaged-'));
  writeFileSync(path.join(damaged, 'secret.key'), 'short');
  expect(() => loadSecretKey(damaged)).toThrow('secret.key');
});

test('a key is 32 bytes in hexadecimal or base64', () => {
  const bytes = Buffer.alloc(32, 0xfb);
  for (const form of ['hex', 'base64', 'base64url'] as const) {
    expect(readSecretKey(bytes.toString(form))).toEqual(bytes);
  }
  for (const text of ['', 'secret', 'a'.repeat(63), 'a'.repeat(65), bytes.subarray(1).toString('base64')]) {
    expect(readSecretKey(text)).toBeUndefined();
  }
});
