import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startGitHost } from '../../../../test-support/git-host.ts';
import { toolEnvironment } from '../tools/tool-environment.ts';
import { checkOut } from './checkout.ts';
import type { Work } from './stages/index.ts';

const PASSWORD = 'correct-horse';

async function startHost(options: Parameters<typeof startGitHost>[0] = {}) {
  const host = await startGitHost(options);
  onTestFinished(host.stop);
  return host;
}

/** Checks out a commit of `main`; returns the log, the folder and the error. */
async function attempt(repository: Partial<Work['repository']> & { url: string }, commit: string, branch = 'main') {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-checkout-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const sources = path.join(folder, 'job', 'sources');
  mkdirSync(sources, { recursive: true });
  const work: Work = {
    app: { owner: 'ada', name: 'compass', os: 'Android', platform: 'Java' },
    build: { id: 7, branch, commit, trigger: 'manual', isDebug: false },
    repository: { name: 'ada/compass', ...repository },
    isSigned: false,
    toolsets: {},
    variables: [],
    minutes: 5,
  };
  let log = '';
  const error = await checkOut({
    work,
    folder: sources,
    env: { ...toolEnvironment(), HOME: folder },
    signal: new AbortController().signal,
    onOutput(text) {
      log += text;
    },
  }).then(
    () => undefined,
    (reason: Error) => reason.message,
  );
  return { error, log, has: (file: string) => existsSync(path.join(sources, file)), left: () => readdirSync(folder) };
}

test('sends credentials to the origin of the repository, but not to submodules on other ports', async () => {
  const other = await startHost();
  const part = other.push('main', { 'part.txt': 'part' });
  const host = await startHost({ password: PASSWORD });
  const own = host.push('main', { 'own.txt': 'own' });
  host.addSubmodule('elsewhere', other.url, part);
  host.addSubmodule('sibling', '../compass.git', own);
  const commit = host.push('main', {});
  const { error, has } = await attempt({ url: host.url, username: 'ada', password: PASSWORD }, commit);
  expect(error).toBeUndefined();
  expect([has('own.txt'), has('sibling/own.txt'), has('elsewhere/part.txt')]).toEqual([true, true, true]);
  expect(host.requests.every(({ authorization }) => authorization?.startsWith('Basic '))).toBe(true);
  expect(other.requests.length).toBeGreaterThan(0);
  expect(other.requests.map(({ authorization }) => authorization)).toEqual(other.requests.map(() => undefined));
});

test('follows no redirect with credentials, and explains how to fix it', async () => {
  const other = await startHost();
  other.push('main', { 'part.txt': 'part' });
  const host = await startHost({ password: PASSWORD });
  const commit = host.push('main', {});
  host.redirect('old.git', other.url);
  const { error } = await attempt(
    { url: host.url.replace('compass.git', 'old.git'), username: 'ada', password: PASSWORD },
    commit,
  );
  expect(error).toMatch(/^git fetch failed with exit code \d+\. The host redirects to another URL/);
  expect(other.requests).toEqual([]);
});

test('follows no redirect of a submodule on its own origin to another host', async () => {
  const other = await startHost();
  const part = other.push('main', { 'part.txt': 'part' });
  const host = await startHost({ password: PASSWORD });
  host.redirect('part.git', other.url);
  host.addSubmodule('part', '../part.git', part);
  const commit = host.push('main', {});
  const { error } = await attempt({ url: host.url, username: 'ada', password: PASSWORD }, commit);
  expect(error).toMatch(/^git submodule failed/);
  expect(other.requests).toEqual([]);
});

test('sends no credentials to a submodule that redirects back to the repository', async () => {
  const other = await startHost();
  const host = await startHost({ password: PASSWORD });
  const own = host.push('main', { 'own.txt': 'own' });
  other.redirect('back.git', host.url);
  host.addSubmodule('back', other.url.replace('compass.git', 'back.git'), own);
  const commit = host.push('main', {});
  const { error, has } = await attempt({ url: host.url, username: 'ada', password: PASSWORD }, commit);
  expect(error).toMatch(/^git submodule failed/);
  expect(has('back/own.txt')).toBe(false);
  expect(other.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
});

test('follows a redirect of a public repository, which needs no credentials', async () => {
  const host = await startHost();
  const commit = host.push('main', { 'own.txt': 'own' });
  host.redirect('old.git', host.url);
  const { error, has } = await attempt({ url: host.url.replace('compass.git', 'old.git') }, commit);
  expect([error, has('own.txt')]).toEqual([undefined, true]);
});

test.each([
  ['file', (folder: string) => `file://${folder}`],
  ['ext', () => 'ext::sh -c touch% /tmp/mooring-ext'],
  ['git', () => 'git://127.0.0.1:1/compass.git'],
  ['ssh', () => 'ssh://git@127.0.0.1:1/compass.git'],
])('refuses a submodule by %s', async (_, address) => {
  const host = await startHost();
  const own = host.push('main', { 'own.txt': 'own' });
  host.addSubmodule('part', address(host.folder), own);
  const commit = host.push('main', {});
  const { error } = await attempt({ url: host.url }, commit);
  expect(error).toMatch(
    /^git submodule failed with exit code \d+\. Submodules must use https, http or the deploy key\./,
  );
});

test('rejects values that git would interpret as options', async () => {
  const host = await startHost();
  const commit = host.push('main', {});
  expect((await attempt({ url: host.url }, '--upload-pack=touch')).error).toBe('Invalid commit hash.');
  expect((await attempt({ url: '--mirror=fetch' }, commit)).error).toMatch(/Invalid repository URL/);
  expect((await attempt({ url: host.url }, commit, '--force')).error).toMatch(/starts with a dash/);
  expect(host.requests).toEqual([]);
});

test('uses the deploy key only for the host, user and port of the repository', async () => {
  const bin = mkdtempSync(path.join(tmpdir(), 'mooring-bin-'));
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
  const host = await startHost();
  // A fake ssh, which runs the remote command locally if it gets a key.
  const ssh = `#!/bin/sh
echo "ssh $*" >&2
test -s "$4" || exit 1
while [ "$1" != -- ]; do shift; done
exec git-upload-pack ${host.folder}
`;
  writeFileSync(path.join(bin, 'ssh'), ssh, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const own = host.push('main', { 'own.txt': 'own' });
  const repository = { url: 'ssh://git@git.example.com:2222/ada/compass.git', deployKey: 'key' };
  const first = await attempt(repository, own);
  expect([first.error, first.has('own.txt')]).toEqual([undefined, true]);
  expect(first.log).toContain('-p 2222 -- git@git.example.com git-upload-pack ');
  expect(first.left()).toEqual(['job']);

  for (const url of [
    'ssh://git@evil.example.com:2222/part.git',
    'ssh://git@git.example.com:2223/part.git',
    'ssh://root@git.example.com:2222/part.git',
    'git@git.example.com:part.git',
  ]) {
    host.addSubmodule('part', url, own);
    const { error, log } = await attempt(repository, host.push('main', {}));
    expect(error).toMatch(/^git submodule failed/);
    expect(log).toContain('The deploy key works only for git@git.example.com, port 2222.');
    expect(log.match(/^ssh -F .*$/gm)).toHaveLength(1);
  }
});
