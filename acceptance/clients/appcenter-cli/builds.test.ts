import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { apkOf } from '../../../tools/packages.ts';
import { filesIn } from '../../../tools/zips.ts';
import { runMooring } from '../../harness/mooring.ts';
import { type Building, startBuilding } from './building.ts';

const metro = path.join(import.meta.dirname, '../metro/react-native.cjs');
const script = `set -e
echo "build $APPCENTER_BUILD_ID of $APPCENTER_BRANCH, secret $KEY, $(printf %s "$KEY" | base64)"
echo "runner: \${MOORING_RUNNER_DIR:-nothing}"
for i in $(seq 1 2000); do echo "line $i"; done
printf 'package %s' "$APPCENTER_BUILD_ID" > "$APPCENTER_OUTPUT_DIRECTORY/compass.apk"`;

let world: Building;

beforeAll(async () => {
  world = await startBuilding();
  world.host.push('main', {
    'build.sh': script,
    'appcenter-post-clone.sh': 'echo "cloned by $APPCENTER_TRIGGER"',
    'appcenter-post-build.sh': 'echo "it $AGENT_JOBSTATUS"',
  });
});
afterAll(() => world.stop());

it('a branch is built by a runner, and the unmodified client sees all of it', async () => {
  await world.ask('POST', '/branches/main/config', {
    toolsets: { custom: { commands: ['bash build.sh'] } },
    environmentVariables: [{ name: 'KEY', value: 'correct horse', isSecret: true }],
  });
  const { id, log } = await world.buildByClient('main', { last: 'build: compass.apk' });
  expect(log.filter((line) => /^line \d+$/.test(line))).toEqual(
    Array.from({ length: 2000 }, (_, at) => `line ${at + 1}`),
  );
  expect(log).toContain(`build ${id} of main, secret ***, ***`);
  expect(log).toContain('runner: nothing');
  expect(log.filter((line) => /^(cloned by|it )/.test(line))).toEqual(['cloned by manual', 'it Succeeded']);
  expect(log.join('\n')).not.toMatch(/correct horse|open sesame|Y29ycmVjdCBob3JzZQ/);
  const { file, content } = await world.download(id, 'build');
  expect([path.extname(file), content.toString()]).toEqual(['.apk', `package ${id}`]);
  const unknowing = { ...world.env, MOORING_SERVER: world.server.httpsUrl, NODE_EXTRA_CA_CERTS: '' };
  const refused = await runMooring(['builds', 'download', 'ada/compass', String(id)], unknowing);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('set NODE_EXTRA_CA_CERTS')]);
  expect(readdirSync(path.join(world.scratch, 'runner/jobs'))).toEqual([]);
  expect(statSync(path.join(world.scratch, 'runner/runner.json')).mode & 0o777).toBe(0o600);
});

it('a build that fails says why, and its last script runs all the same', async () => {
  await world.ask('POST', '/branches/broken/config', { toolsets: { custom: { commands: ['echo begun', 'exit 3'] } } });
  world.host.push('broken', { 'build.sh': 'exit 1' });
  const { id } = await world.ask<{ id: number }>('POST', '/branches/broken/builds');
  const watched = await runMooring(['builds', 'watch', 'ada/compass', String(id)], world.env);
  expect([watched.code, watched.stderr]).toEqual([
    1,
    expect.stringContaining('Build: exit 3 failed with exit code 3.'),
  ]);
  expect(watched.stdout.split('\n')).toEqual(expect.arrayContaining(['begun', 'it Failed']));
});

/** A project that has React Native's own bundler where React Native would be, as the one package that it depends on. */
const project = {
  'package.json': JSON.stringify({
    ...{ name: 'compass', version: '1.0.0', private: true, dependencies: { 'react-native': 'file:react-native' } },
    scripts: {
      build:
        'mkdir dist && react-native bundle --entry-file index.js --platform android --dev false --bundle-output dist/main.jsbundle --sourcemap-output dist/main.jsbundle.map',
      test: 'node --test',
    },
  }),
  'package-lock.json': JSON.stringify({
    ...{ name: 'compass', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: {
      '': { name: 'compass', version: '1.0.0', dependencies: { 'react-native': 'file:react-native' } },
      'node_modules/react-native': { resolved: 'react-native', link: true },
      'react-native': { version: '0.76.0', bin: { 'react-native': 'cli.cjs' } },
    },
  }),
  'react-native/package.json': JSON.stringify({ name: 'react-native', version: '0.76.0', bin: 'cli.cjs' }),
  'react-native/cli.cjs': `#!/usr/bin/env node\nrequire(${JSON.stringify(metro)});\n`,
  'index.js': "const { heading } = require('./heading');\nglobal.shown = heading('north');\n",
  'heading.android.js': 'exports.heading = (where) => `Android points $' + '{where}`;\n',
  'heading.ios.js': 'exports.heading = (where) => `iOS points $' + '{where}`;\n',
  'bundle.test.mjs': `import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
test('the bundle points north', () => {
  const phone = createContext({});
  runInContext(readFileSync('dist/main.jsbundle', 'utf8'), phone);
  assert.equal(phone.shown, 'Android points north');
});`,
};

it('a JavaScript bundle is made and tested by what its package says', async () => {
  world.host.push('bundle', project);
  await world.ask('POST', '/branches/bundle/config', { toolsets: { javascript: { runTests: true } } });
  const { id, log } = await world.buildByClient('bundle', { last: 'symbols: main.jsbundle.map' });
  expect(log.filter((line) => line.startsWith('== '))).toEqual([
    '== Sources',
    '== appcenter-post-clone.sh',
    '== Packages',
    '== Build',
    '== Tests',
    '== appcenter-post-build.sh',
    '== Files',
  ]);
  expect(log.join('\n')).toMatch(/the bundle points north[\s\S]*pass 1/);
  const bundle = filesIn((await world.download(id, 'bundle')).content);
  expect(String(bundle.get('main.jsbundle'))).toContain('Android points');
  const symbols = filesIn((await world.download(id, 'symbols')).content);
  const { version, sources } = JSON.parse(String(symbols.get('main.jsbundle.map')));
  expect([version, sources]).toEqual([3, expect.arrayContaining([expect.stringMatching(/heading\.android\.js$/)])]);
});

it('a push over http becomes a release of a group, by the line that the repository was given as its hook', async () => {
  const group = await world.ask<{ id: string }>('POST', '/distribution_groups', { name: 'Beta' });
  await world.ask('POST', '/branches/pushed/config', {
    trigger: 'continuous',
    toolsets: {
      custom: { commands: ['echo "by $APPCENTER_TRIGGER"', 'base64 -d package > compass.apk'], artifacts: ['*.apk'] },
      distribution: { destinationType: 'groups', destinations: [group.id], isSilent: true },
    },
  });
  const { git_hook } = await world.ask<{ git_hook: string }>('POST', '/repo_config/push_hook', {});
  world.host.setHook(git_hook.replace(/https?:\S+(?=\/v0\.1\/)/, world.server.httpUrl));
  const sha = world.host.commit('pushed', { package: apkOf().toString('base64') });
  await world.host.pushOverHttp('pushed');
  const { values } = await world.ask<{ values: object[] }>('GET', '/builds?branch=pushed');
  expect(values).toMatchObject([{ reason: 'push', sourceVersion: sha }]);
  const { id, log } = await world.buildByClient('pushed', { last: 'build: compass.apk', isPushed: true });
  expect(log).toContain('by continuous');
  expect((await world.download(id, 'build')).content).toEqual(apkOf());
  const released = async () => expect(await world.ask('GET', '/distribution_groups/Beta/releases')).toHaveLength(1);
  await vi.waitFor(released, { timeout: 30_000, interval: 200 });
  expect(await world.run('distribute releases list --app ada/compass')).toMatch(/Short version: 1\.4\.0/i);
  expect(await world.run('distribute groups show --app ada/compass --group Beta')).toContain('1.4.0');
});

it('a build that is cancelled is stopped, with all that it started', async () => {
  const commands = ['echo $$ > "$HOME/../../../pid"; sleep 1000 & wait'];
  await world.ask('POST', '/branches/slow/config', { toolsets: { custom: { commands } } });
  world.host.push('slow', {});
  const { id } = await world.ask<{ id: number }>('POST', '/branches/slow/builds');
  const pid = () => Number(readFileSync(path.join(world.scratch, 'runner/pid'), 'utf8'));
  await vi.waitFor(() => expect(pid()).toBeGreaterThan(1), { timeout: 60_000, interval: 200 });
  await world.mooring('builds', 'cancel', 'ada/compass', String(id));
  await world.ended(id);
  expect(await world.ask('GET', `/builds/${id}`)).toMatchObject({ result: 'canceled' });
  expect(() => process.kill(-pid(), 0)).toThrow();
});
