import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { deleteFiles, evictCache, localFiles, storeFiles } from './files.ts';

const part = { appId: 'app', id: 'part', day: 20_000 };
const kinds = ['logs', 'devices', 'sessions'] as const;

async function withFiles() {
  const { deps } = await testApp('sqlite', { analyticsCacheSize: 1 });
  const folder = path.join(deps.config.dataDir, 'telemetry/files');
  const drafts = path.join(deps.config.dataDir, 'drafts');
  mkdirSync(drafts);
  const write = (name: string) => {
    writeFileSync(path.join(drafts, name), `content of ${name}`);
    return path.join(drafts, name);
  };
  const written = () => ({ logs: write('logs'), devices: write('devices'), sessions: write('sessions') });
  const here = () => readdirSync(folder).sort();
  const blobs = async () => (await Array.fromAsync(deps.blobs.list())).sort();
  return { deps, folder, written, here, blobs };
}

test('files of a segment are stored locally and in the blob store under its name, and deleted in both', async () => {
  const { deps, folder, written, here, blobs } = await withFiles();
  const files = await storeFiles(deps, part, written());
  expect(files.logs).toEqual({ bytes: 15, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(new Set(kinds.map((kind) => files[kind].sha256)).size).toBe(3);
  expect(here()).toEqual(['part.devices.parquet', 'part.logs.parquet', 'part.sessions.parquet']);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(await blobs()).toEqual(here().map((name) => `analytics/app/20000/${name}`));
  const other = { ...part, id: 'other' };
  await storeFiles(deps, other, written());
  await deleteFiles(deps, part);
  expect(here()).toEqual(['other.devices.parquet', 'other.logs.parquet', 'other.sessions.parquet']);
  expect(await blobs()).toHaveLength(3);
});

test('copies only the requested kinds, privately, once for all concurrent callers', async () => {
  const { deps, folder, written, here } = await withFiles();
  const files = await storeFiles(deps, part, written());
  for (const name of here()) rmSync(path.join(folder, name));
  let reads = 0;
  const blobs: typeof deps.blobs = {
    ...deps.blobs,
    get: (key) => {
      reads += 1;
      return deps.blobs.get(key);
    },
  };
  const parts = [{ ...part, files }];
  const openFiles = () => localFiles({ ...deps, blobs }, parts, ['logs']);
  const [
    {
      files: [names],
      damaged,
    },
  ] = await Promise.all([openFiles(), openFiles()]);
  expect(damaged).toEqual([]);
  expect([here(), reads]).toEqual([['part.logs.parquet'], 1]);
  expect(names?.logs).toBe(path.join(folder, 'part.logs.parquet'));
  expect(statSync(path.join(folder, 'part.logs.parquet')).mode & 0o777).toBe(0o600);
  await openFiles();
  expect(reads).toBe(1);
});

test('evicts the least recently used copies until the rest fits, except those that may be in use', async () => {
  const { deps, folder, here } = await withFiles();
  mkdirSync(folder, { recursive: true });
  const add = (name: string, size: number, minutesAgo: number) => {
    writeFileSync(path.join(folder, name), Buffer.alloc(size));
    const at = new Date(Date.now() - minutesAgo * MINUTE);
    utimesSync(path.join(folder, name), at, at);
  };
  const half = 512 * 1024;
  add('b', half, 30);
  add('a', half, 20);
  await evictCache(deps);
  expect(here()).toEqual(['a', 'b']);
  add('c', 1, 40);
  await evictCache(deps);
  // Removing the oldest is enough.
  expect(here()).toEqual(['a', 'b']);
  add('d', 1, 9);
  await evictCache(deps);
  expect(here()).toEqual(['a', 'd']);
  add('a', half, 9);
  add('e', half, 9);
  add('f', half, 9);
  await evictCache(deps);
  expect(here()).toEqual(['a', 'd', 'e', 'f']);
  add('f', half, 11);
  await evictCache(deps);
  expect(here()).toEqual(['a', 'd', 'e']);
});
