import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadSecretKey, readSecretKey } from './secret-key.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'mooring-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the key is made once, readable by its owner only, and nothing else is left behind', () => {
  const key = loadSecretKey(folder);
  expect(key).toHaveLength(32);
  expect(loadSecretKey(folder)).toEqual(key);
  expect(readdirSync(folder)).toEqual(['secret.key']);
  expect(statSync(path.join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
});

test('a damaged key file is named', () => {
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
