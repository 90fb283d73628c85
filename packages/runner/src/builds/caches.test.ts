import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProcess } from '../sandbox/processes.ts';
import { restoreCaches, sweepCaches } from './caches.ts';
import type { Work } from './stages/index.ts';

const root = () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-caches-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const MIB = 1_048_576;
const signal = new AbortController().signal;
const env = { PATH: process.env.PATH ?? '' };

const work = (branch = 'main', configuration = branch): Work => ({
  app: { owner: 'ada', name: 'compass', os: 'Android', platform: 'Java' },
  build: { id: 7, branch, configuration, commit: 'a'.repeat(40), trigger: 'manual', isDebug: false },
  repository: { url: 'https://git.example.com/ada/compass.git', name: 'ada/compass' },
  isSigned: false,
  toolsets: {},
  variables: [],
  minutes: 60,
});

/** Runs a build of these sources in a new folder. */
async function build(store: { folder: string; maxBytes: number }, files: Record<string, string>, of = work()) {
  const job = root();
  const folders = { job, sources: path.join(job, 'sources') };
  for (const name of ['sources', 'home']) mkdirSync(path.join(job, name));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(job, name)), { recursive: true });
    writeFileSync(path.join(job, name), content);
  }
  const log: string[] = [];
  const cache = { key: ['lock.json'], paths: ['modules', '~/.tool'] };
  const save = await restoreCaches(store, of, [cache], {
    folders,
    write: (text) => log.push(text),
    run: (command) => runProcess({ command, cwd: job, env, signal, onOutput: () => undefined }),
  });
  const read = (name: string) =>
    existsSync(path.join(job, name)) ? readFileSync(path.join(job, name), 'utf8') : undefined;
  const put = (name: string, content: string) => {
    mkdirSync(path.dirname(path.join(job, name)), { recursive: true });
    writeFileSync(path.join(job, name), content);
  };
  return { job, log, save, read, put };
}

test('restores a cache in the next build with the same lock file and settings', async () => {
  const store = { folder: path.join(root(), 'caches'), maxBytes: 64 * MIB };
  const lock = { 'sources/lock.json': '1' };
  const first = await build(store, lock);
  first.put('sources/modules/a/index.js', 'made');
  first.put('home/.tool/state', 'made');
  symlinkSync('a/index.js', path.join(first.job, 'sources/modules/link'));
  await first.save();
  const next = await build(store, lock);
  expect([next.read('sources/modules/link'), next.read('home/.tool/state')]).toEqual(['made', 'made']);
  expect(next.log.join('')).toContain('from the cache');
  await next.save();
  expect(readdirSync(store.folder)).toHaveLength(1);
  const others = [
    await build(store, { 'sources/lock.json': '2' }),
    await build(store, lock, work('feature/x', 'feature/*')),
    await build(store, {}),
  ];
  expect(others.map(({ read }) => read('sources/modules/link'))).toEqual([undefined, undefined, undefined]);
  expect(others[2]?.log.join('')).toContain('a key file is missing in the sources (lock.json)');
});

test('ignores a lock file that is a link to a file outside the sources', async () => {
  const store = { folder: path.join(root(), 'caches'), maxBytes: 64 * MIB };
  const job = await build(store, {});
  symlinkSync('/etc/passwd', path.join(job.job, 'sources/lock.json'));
  const log: string[] = [];
  await restoreCaches(store, work(), [{ key: ['lock.json'], paths: ['modules'] }], {
    folders: { job: job.job, sources: path.join(job.job, 'sources') },
    write: (text) => log.push(text),
    run: async () => 0,
  });
  expect(log.join('')).toContain('Skipped the cache');
});

test('discards an archive that writes elsewhere, with all its files', async () => {
  const store = { folder: path.join(root(), 'caches'), maxBytes: 64 * MIB };
  const lock = { 'sources/lock.json': '1' };
  const first = await build(store, lock);
  first.put('sources/modules/x', 'x');
  first.put('home/.tool/x', 'x');
  await first.save();
  const archive = path.join(store.folder, readdirSync(store.folder)[0] ?? '');
  const outside = root();
  // A link that replaces a folder, then a file in it; and a path with dots.
  const evil = root();
  mkdirSync(path.join(evil, 'sources'));
  mkdirSync(path.join(evil, 'home/.tool'), { recursive: true });
  symlinkSync(outside, path.join(evil, 'sources/modules'));
  execFileSync('tar', ['-c', '-f', archive, '-C', evil, 'sources/modules', 'home/.tool']);
  rmSync(path.join(evil, 'sources/modules'));
  mkdirSync(path.join(evil, 'sources/modules'));
  writeFileSync(path.join(evil, 'sources/modules/planted'), 'x');
  const more = ['--transform', `s,sources/modules/up,../../../../..${outside}/up,`];
  writeFileSync(path.join(evil, 'sources/modules/up'), 'x');
  execFileSync('tar', [
    '-r',
    '-P',
    '-f',
    archive,
    ...more,
    '-C',
    evil,
    'sources/modules/planted',
    'sources/modules/up',
  ]);
  const next = await build(store, lock);
  expect(readdirSync(outside)).toEqual([]);
  expect(next.log.join('')).toMatch(/can't be unpacked|from the cache/);
});

test('does not save a cache that is too large, and removes the oldest and unused ones', async () => {
  const small = { folder: path.join(root(), 'caches'), maxBytes: 2 * MIB };
  const large = await build(small, { 'sources/lock.json': '1', 'home/.tool/x': 'x' });
  large.put('sources/modules/x', 'x'.repeat(3 * MIB));
  await large.save();
  expect(existsSync(small.folder)).toBe(false);
  expect(large.log.join('')).toContain('larger than 1 MiB');
  const store = { folder: root(), maxBytes: 2 * MIB };
  const now = Date.now() / 1000;
  for (const [name, age] of [
    ['new', 0],
    ['old', 100],
    ['older', 200],
  ] as const) {
    writeFileSync(path.join(store.folder, name), Buffer.alloc(MIB));
    utimesSync(path.join(store.folder, name), now - age, now - age);
  }
  await sweepCaches(store);
  expect(readdirSync(store.folder).toSorted()).toEqual(['new', 'old']);
  utimesSync(path.join(store.folder, 'new'), now - 31 * 86_400, now - 31 * 86_400);
  await sweepCaches(store);
  expect(readdirSync(store.folder)).toEqual(['old']);
});
