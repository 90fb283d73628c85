import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isPinned, pinnedRuntime, platforms, version } from './node-runtime.mjs';

const root = path.join(import.meta.dirname, '..');
const installed = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
const here = () => pinnedRuntime(`${process.platform}-${process.arch}`);

test('the installed version is the one with a hash', () => {
  const { dependencies, allowScripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  expect(dependencies.node).toBe(version);
  expect(allowScripts.node).toBe(false);
});

test('each platform has a different hash', () => {
  const hashes = platforms.map((platform) => pinnedRuntime(platform).sha256);
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(hashes).size).toBe(platforms.length);
  const sums = platforms.map((platform) => pinnedRuntime(platform).integrity);
  for (const sum of sums) expect(sum).toMatch(/^sha512-[\w+/]{86}==$/);
  expect(new Set(sums).size).toBe(platforms.length);
  expect(platforms).toEqual(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']);
});

test('the Node that runs this test is the pinned one', () => {
  expect(isPinned(installed, here())).toBe(true);
});

test('rejects another program, and a missing one', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-node-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const other = path.join(folder, 'node');
  expect(isPinned(other, here())).toBe(false);
  writeFileSync(other, '#!/bin/sh\necho evil\n');
  expect(isPinned(other, here())).toBe(false);
});

test('rejects a platform without a hash, and names the supported ones', () => {
  expect(() => pinnedRuntime('linux-mips')).toThrow(/linux-mips.*linux-x64, linux-arm64.*node-runtime\.mjs/);
  expect(() => pinnedRuntime('constructor')).toThrow('does not run on constructor');
});
