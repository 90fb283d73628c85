import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startGitHost } from '../../../tools/git-host.ts';
import { apkOf } from '../../../tools/packages.ts';
import { createToken, send } from '../../harness/http.ts';
import { launcher, runMooring } from '../../harness/mooring.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { clientAt } from './client.ts';
import { readable } from './patterns.ts';

const B = '/v0.1/apps/ada/compass';
const script = `set -e
echo "build $APPCENTER_BUILD_ID of $APPCENTER_BRANCH, secret $KEY, $(printf %s "$KEY" | base64)"
echo "runner: \${MOORING_RUNNER_DIR:-nothing}"
for i in $(seq 1 2000); do echo "line $i"; done
printf 'package %s' "$APPCENTER_BUILD_ID" > "$APPCENTER_OUTPUT_DIRECTORY/compass.apk"`;

let server: RunningServer;
let host: Awaited<ReturnType<typeof startGitHost>>;
let scratch: string;
let token: string;
let runner: ChildProcess;
let env: Record<string, string>;

const ask = async (method: string, rest: string, body?: object) => {
  const answer = await send(method, `${server.httpUrl}${B}${rest}`, { token, ...(body ? { body } : {}) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json<Record<string, unknown>>();
};
const mooring = async (...words: string[]) => {
  const printed = await runMooring(words, env);
  expect(printed.code, printed.stderr).toBe(0);
  return printed.stdout.trim();
};
/** The unmodified client, signed in at this server. */
async function signedIn() {
  const home = mkdtempSync(path.join(scratch, 'home-'));
  const appcenter = clientAt(server, home);
  const run = async (line: string) => {
    const { exit, stdout, stderr } = await appcenter(`${line} --disable-telemetry`);
    expect(exit, stdout + stderr).toBe(0);
    return readable(stdout + stderr);
  };
  // A token alone would be sent to where the client was at home.
  await run(`login --env local --token ${token}`);
  return { home, run };
}
const ended = (id: number) =>
  vi.waitFor(async () => expect(await ask('GET', `/builds/${id}`)).toMatchObject({ status: 'completed' }), {
    timeout: 60_000,
    interval: 200,
  });

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-builds-'));
  host = await startGitHost({ password: 'open sesame' });
  server = await startServer({ env: { MOORING_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  token = (await createToken(server)).api_token;
  env = {
    MOORING_SERVER: server.httpUrl,
    MOORING_TOKEN: token,
    MOORING_CONFIG_DIR: path.join(scratch, 'config'),
    MOORING_RUNNER_DIR: path.join(scratch, 'runner'),
  };
  const app = { name: 'compass', display_name: 'Compass', os: 'Android', platform: 'Java' };
  await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app });
  host.push('main', {
    'build.sh': script,
    'appcenter-post-clone.sh': 'echo "cloned by $APPCENTER_TRIGGER"',
    'appcenter-post-build.sh': 'echo "it $AGENT_JOBSTATUS"',
  });
  await ask('POST', '/repo_config', { repo_url: host.url, username: 'ada', password: 'open sesame' });
  await ask('POST', '/branches/main/config', {
    toolsets: { custom: { commands: ['bash build.sh'] } },
    environmentVariables: [{ name: 'KEY', value: 'correct horse', isSecret: true }],
  });
  const code = await mooring('runner', 'code', '--app', 'ada/compass');
  await mooring('runner', 'register', server.httpUrl, '--code', code, '--name', 'box');
  runner = spawn(process.execPath, [launcher, 'runner', 'start', '--sandbox', 'host', '--reserve-mb', '1'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
});
afterAll(async () => {
  runner.kill('SIGTERM');
  await once(runner, 'exit');
  await server.stop();
  await host.stop();
  rmSync(scratch, { recursive: true, force: true });
});

it('a branch is built by a runner, and the unmodified client sees all of it', async () => {
  const { home, run } = await signedIn();
  expect(await run('build queue --app ada/compass --branch main')).toContain('1');
  await ended(1);
  expect(await run('build branches list --app ada/compass')).toMatch(/main.*Points north again|Points north again/s);
  expect(await run('build branches show --app ada/compass --branch main')).toContain('succeeded');
  const { value } = (await ask('GET', '/builds/1/logs')) as { value: string[] };
  expect(value.filter((line) => /^line \d+$/.test(line))).toEqual(
    Array.from({ length: 2000 }, (_, at) => `line ${at + 1}`),
  );
  expect(value).toContain('build 1 of main, secret ***, ***');
  expect(value).toContain('runner: nothing');
  expect(value.filter((line) => /^(cloned by|it )/.test(line))).toEqual(['cloned by manual', 'it Succeeded']);
  expect(value.join('\n')).not.toMatch(/correct horse|open sesame|Y29ycmVjdCBob3JzZQ/);
  expect(await run('build logs --app ada/compass --id 1 --lines 5000')).toContain('line 2000');
  await run('build download --app ada/compass --id 1 --type build --dest out');
  const [name = ''] = readdirSync(path.join(home, 'out'));
  expect(path.extname(name)).toBe('.apk');
  expect(readFileSync(path.join(home, 'out', name), 'utf8')).toBe('package 1');
  expect(readdirSync(path.join(scratch, 'runner/jobs'))).toEqual([]);
  expect(statSync(path.join(scratch, 'runner/runner.json')).mode & 0o777).toBe(0o600);
});

it('a build that fails says why, and its last script runs all the same', async () => {
  await ask('POST', '/branches/broken/config', { toolsets: { custom: { commands: ['echo begun', 'exit 3'] } } });
  host.push('broken', { 'build.sh': 'exit 1' });
  const { id } = (await ask('POST', '/branches/broken/builds')) as { id: number };
  const watched = await runMooring(['builds', 'watch', 'ada/compass', String(id)], env);
  expect([watched.code, watched.stderr]).toEqual([
    1,
    expect.stringContaining('Build: exit 3 failed with exit code 3.'),
  ]);
  expect(watched.stdout.split('\n')).toEqual(expect.arrayContaining(['begun', 'it Failed']));
});

it('a JavaScript bundle is made and tested by what its package says', async () => {
  const scripts = { build: 'node bundle.mjs', test: 'node --test' };
  host.push('bundle', {
    'package.json': JSON.stringify({ name: 'compass', version: '1.0.0', private: true, scripts }),
    'package-lock.json': JSON.stringify({
      ...{ name: 'compass', version: '1.0.0', lockfileVersion: 3, requires: true },
      packages: { '': { name: 'compass', version: '1.0.0' } },
    }),
    'bundle.mjs': `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist', { recursive: true });
writeFileSync('dist/main.jsbundle', 'north()');
writeFileSync('dist/main.jsbundle.map', JSON.stringify({ version: 3, sources: ['a.js'], names: [], mappings: 'AAAA' }));`,
    'north.test.mjs': `import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
test('points north', () => assert.equal(readFileSync('dist/main.jsbundle', 'utf8'), 'north()'));`,
  });
  await ask('POST', '/branches/bundle/config', { toolsets: { javascript: { runTests: true } } });
  const { id } = (await ask('POST', '/branches/bundle/builds')) as { id: number };
  await ended(id);
  expect(await ask('GET', `/builds/${id}`)).toMatchObject({
    result: 'succeeded',
    downloads: expect.arrayContaining(['symbols', 'bundle', 'logs']),
  });
  const { value } = (await ask('GET', `/builds/${id}/logs`)) as { value: string[] };
  expect(value.filter((line) => line.startsWith('== '))).toEqual([
    '== Sources',
    '== appcenter-post-clone.sh',
    '== Packages',
    '== Build',
    '== Tests',
    '== appcenter-post-build.sh',
    '== Files',
  ]);
  expect(value.join('\n')).toMatch(/points north/);
});

it('a push over http becomes a release of a group, by the line that the repository was given as its hook', async () => {
  const group = (await ask('POST', '/distribution_groups', { name: 'Beta' })) as { id: string };
  await ask('POST', '/branches/pushed/config', {
    trigger: 'continuous',
    toolsets: {
      custom: { commands: ['echo "by $APPCENTER_TRIGGER"', 'base64 -d package > compass.apk'], artifacts: ['*.apk'] },
      distribution: { destinationType: 'groups', destinations: [group.id], isSilent: true },
    },
  });
  const { git_hook } = (await ask('POST', '/repo_config/push_hook', {})) as { git_hook: string };
  host.setHook(git_hook.replace(/https?:\S+(?=\/v0\.1\/)/, server.httpUrl));
  const sha = host.commit('pushed', { package: apkOf().toString('base64') });
  await host.pushOverHttp('pushed');
  const { values } = (await ask('GET', '/builds?branch=pushed')) as { values: { id: number }[] };
  expect(values).toMatchObject([{ reason: 'push', sourceVersion: sha }]);
  const [{ id } = { id: 0 }] = values;
  await ended(id);
  const { value } = (await ask('GET', `/builds/${id}/logs`)) as { value: string[] };
  expect(value).toContain('by continuous');
  const released = async () => expect(await ask('GET', '/distribution_groups/Beta/releases')).toHaveLength(1);
  await vi.waitFor(released, { timeout: 30_000, interval: 200 });
  const { run } = await signedIn();
  expect(await run('distribute releases list --app ada/compass')).toMatch(/Short version: 1\.4\.0/i);
  expect(await run('distribute groups show --app ada/compass --group Beta')).toContain('1.4.0');
});

it('a build that is cancelled is stopped, with all that it started', async () => {
  const commands = ['echo $$ > "$HOME/../../../pid"; sleep 1000 & wait'];
  await ask('POST', '/branches/slow/config', { toolsets: { custom: { commands } } });
  host.push('slow', {});
  const { id } = (await ask('POST', '/branches/slow/builds')) as { id: number };
  const pid = () => Number(readFileSync(path.join(scratch, 'runner/pid'), 'utf8'));
  await vi.waitFor(() => expect(pid()).toBeGreaterThan(1), { timeout: 60_000, interval: 200 });
  await mooring('builds', 'cancel', 'ada/compass', String(id));
  await ended(id);
  expect(await ask('GET', `/builds/${id}`)).toMatchObject({ result: 'canceled' });
  expect(() => process.kill(-pid(), 0)).toThrow();
});
