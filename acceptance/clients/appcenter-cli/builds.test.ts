import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createApk } from '../../../tools/samples/packages.ts';
import { filesIn } from '../../../tools/samples/zips.ts';
import { runMooring } from '../../harness/mooring.ts';
import { type Building, startBuilding } from './build-setup.ts';

const metro = path.join(import.meta.dirname, '../metro/react-native.cjs');
const script = `set -e
echo "build $APPCENTER_BUILD_ID of $APPCENTER_BRANCH, secret $KEY, $(printf %s "$KEY" | base64)"
echo "runner: \${MOORING_RUNNER_DIR:-nothing}"
for i in $(seq 1 2000); do echo "line $i"; done
printf 'package %s' "$APPCENTER_BUILD_ID" > "$APPCENTER_OUTPUT_DIRECTORY/compass.apk"`;

let setup: Building;

beforeAll(async () => {
  setup = await startBuilding();
  setup.host.push('main', {
    'build.sh': script,
    'appcenter-post-clone.sh': 'echo "cloned by $APPCENTER_TRIGGER"',
    'appcenter-post-build.sh': 'echo "it $AGENT_JOBSTATUS"',
  });
});
afterAll(() => setup.stop());

it('a runner builds a branch, and the unmodified client shows it', async () => {
  await setup.callApi('POST', '/branches/main/config', {
    toolsets: { custom: { commands: ['bash build.sh'] } },
    environmentVariables: [{ name: 'KEY', value: 'correct horse', isSecret: true }],
  });
  const { id, log } = await setup.buildByClient('main', { last: 'build: compass.apk' });
  expect(log.filter((line) => /^line \d+$/.test(line))).toEqual(
    Array.from({ length: 2000 }, (_, at) => `line ${at + 1}`),
  );
  expect(log).toContain(`build ${id} of main, secret ***, ***`);
  expect(log).toContain('runner: nothing');
  expect(log.filter((line) => /^(cloned by|it )/.test(line))).toEqual(['cloned by manual', 'it Succeeded']);
  expect(log.join('\n')).not.toMatch(/correct horse|open sesame|Y29ycmVjdCBob3JzZQ/);
  const { file, content } = await setup.download(id, 'build');
  expect([path.extname(file), content.toString()]).toEqual(['.apk', `package ${id}`]);
  const unknowing = { ...setup.env, MOORING_SERVER: setup.server.httpsUrl, NODE_EXTRA_CA_CERTS: '' };
  const refused = await runMooring(['builds', 'download', 'ada/compass', String(id)], unknowing);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('set NODE_EXTRA_CA_CERTS')]);
  expect(readdirSync(path.join(setup.scratch, 'runner/jobs'))).toEqual([]);
  expect(statSync(path.join(setup.scratch, 'runner/runner.json')).mode & 0o777).toBe(0o600);
});

it('a failed build shows the reason, and its last script still runs', async () => {
  await setup.callApi('POST', '/branches/broken/config', {
    toolsets: { custom: { commands: ['echo begun', 'exit 3'] } },
  });
  setup.host.push('broken', { 'build.sh': 'exit 1' });
  const { id } = await setup.callApi<{ id: number }>('POST', '/branches/broken/builds');
  const watched = await runMooring(['builds', 'watch', 'ada/compass', String(id)], setup.env);
  expect([watched.code, watched.stderr]).toEqual([
    1,
    expect.stringContaining('Build: exit 3 failed with exit code 3.'),
  ]);
  expect(watched.stdout.split('\n')).toEqual(expect.arrayContaining(['begun', 'it Failed']));
});

/** A project with React Native's bundler in the place of React Native, as its only dependency. */
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

it('a JavaScript bundle is built and tested by the scripts of its package', async () => {
  setup.host.push('bundle', project);
  await setup.callApi('POST', '/branches/bundle/config', { toolsets: { javascript: { runTests: true } } });
  const { id, log } = await setup.buildByClient('bundle', { last: 'symbols: main.jsbundle.map' });
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
  const bundle = filesIn((await setup.download(id, 'bundle')).content);
  expect(String(bundle.get('main.jsbundle'))).toContain('Android points');
  const symbols = filesIn((await setup.download(id, 'symbols')).content);
  const { version, sources } = JSON.parse(String(symbols.get('main.jsbundle.map')));
  expect([version, sources]).toEqual([3, expect.arrayContaining([expect.stringMatching(/heading\.android\.js$/)])]);
});

it('a push over http becomes a release of a group, through the hook of the repository', async () => {
  const group = await setup.callApi<{ id: string }>('POST', '/distribution_groups', { name: 'Beta' });
  await setup.callApi('POST', '/branches/pushed/config', {
    trigger: 'continuous',
    toolsets: {
      custom: { commands: ['echo "by $APPCENTER_TRIGGER"', 'base64 -d package > compass.apk'], artifacts: ['*.apk'] },
      distribution: { destinationType: 'groups', destinations: [group.id], isSilent: true },
    },
  });
  const { git_hook } = await setup.callApi<{ git_hook: string }>('POST', '/repo_config/push_hook', {});
  setup.host.setHook(git_hook.replace(/https?:\S+(?=\/v0\.1\/)/, setup.server.httpUrl));
  const sha = setup.host.commit('pushed', { package: createApk().toString('base64') });
  await setup.host.pushOverHttp('pushed');
  const { values } = await setup.callApi<{ values: object[] }>('GET', '/builds?branch=pushed');
  expect(values).toMatchObject([{ reason: 'push', sourceVersion: sha }]);
  const { id, log } = await setup.buildByClient('pushed', { last: 'build: compass.apk', isPushed: true });
  expect(log).toContain('by continuous');
  expect((await setup.download(id, 'build')).content).toEqual(createApk());
  const released = async () => expect(await setup.callApi('GET', '/distribution_groups/Beta/releases')).toHaveLength(1);
  await vi.waitFor(released, { timeout: 30_000, interval: 200 });
  expect(await setup.run('distribute releases list --app ada/compass')).toMatch(/Short version: 1\.4\.0/i);
  expect(await setup.run('distribute groups show --app ada/compass --group Beta')).toContain('1.4.0');
});

it('a canceled build is stopped, with all its processes', async () => {
  const commands = ['echo $$ > "$HOME/../../../pid"; sleep 1000 & wait'];
  await setup.callApi('POST', '/branches/slow/config', { toolsets: { custom: { commands } } });
  setup.host.push('slow', {});
  const { id } = await setup.callApi<{ id: number }>('POST', '/branches/slow/builds');
  const pid = () => Number(readFileSync(path.join(setup.scratch, 'runner/pid'), 'utf8'));
  await vi.waitFor(() => expect(pid()).toBeGreaterThan(1), { timeout: 60_000, interval: 200 });
  await setup.mooring('builds', 'cancel', 'ada/compass', String(id));
  await setup.ended(id);
  expect(await setup.callApi('GET', `/builds/${id}`)).toMatchObject({ result: 'canceled' });
  expect(() => process.kill(-pid(), 0)).toThrow();
});
