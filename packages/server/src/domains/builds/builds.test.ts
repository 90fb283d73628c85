import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import yauzl from 'yauzl';
import { createApk } from '../../../../../tools/samples/packages.ts';
import { testApp } from '../../../test/harness/app.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { gitHost } from '../../../test/harness/services/git.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { tx } from '../../db/tx.ts';
import { DAY } from '../../kernel/clock.ts';
import { findProgram } from '../../workers/find-program.ts';
import { sweepJobFiles } from '../runners/index.ts';
import { sweepBuilds } from './builds.ts';

const sha = 'a'.repeat(40);
const custom = { trigger: 'manual', toolsets: { custom: { commands: ['make'] } } };
const apk = createApk();

async function withApp(dialect: DialectName, settings = {}) {
  const app = await testApp(dialect, { outboundAllow: ['127.0.0.0/8'], ...settings });
  const ada = await app.addUser('ada', { isAdmin: true });
  const compass = await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const request = async (method: string, rest: string, body?: unknown, as = token) => {
    const response = await app.call(method, `/v0.1/apps/ada/compass/${rest}`, { token: as, ...(body ? { body } : {}) });
    return { status: response.statusCode, body: response.body ? response.json() : undefined };
  };
  const connect = (repo_url: string, more = {}) => request('POST', 'repo_config', { repo_url, ...more });
  /** A runner whose actions the test controls. */
  async function runner(more?: { name: string; version: string }) {
    const { body } = await request('POST', 'runners/codes', {});
    const made = (await app.call('POST', '/v0.1/runners', { body: { code: body.code, name: 'box' } })).json();
    const headers = { 'x-runner-token': made.token };
    const tools = [
      { name: 'xcode', version: '15.4' },
      { name: 'xcode', version: '16.2' },
      { name: 'node', version: '26.1.0' },
      { name: 'mono', version: '6.13-preview.1' },
      { name: 'dotnet', version: '9.0.100' },
      ...(more ? [more] : []),
    ];
    await app.call('PUT', '/v0.1/runner', {
      headers,
      body: { protocol: 1, version: '1', labels: [], tools, slots: 9 },
    });
    return async (made: { log?: string; files?: Record<string, Buffer>; end?: object } = {}) => {
      const job = (await app.call('POST', '/v0.1/runner/jobs?wait=0', { headers, body: {} })).json();
      const own = { 'x-job-token': job.token };
      const at = `/v0.1/runner/jobs/${job.id}`;
      const text = { ...own, 'content-type': 'text/plain' };
      await app.call('PUT', `${at}/log?offset=0`, { headers: text, body: Buffer.from(made.log ?? '') });
      for (const [name, content] of Object.entries(made.files ?? {})) {
        const octets = { ...own, 'content-type': 'application/octet-stream' };
        const kind = name.endsWith('.map') ? 'symbols' : name === 'mapping.txt' ? 'mapping' : 'build';
        const url = `${at}/files/${randomUUID()}?name=${name}&kind=${kind}`;
        expect((await app.call('PUT', url, { headers: octets, body: content })).statusCode).toBe(200);
      }
      const finish = async (body: object) =>
        (await app.call('POST', `${at}/finish`, { headers: own, body })).statusCode;
      if (made.end) await finish(made.end);
      return { ...job, finish };
    };
  }
  return { app, ada, compass, token, request, connect, runner };
}

eachDatabase('builds', (dialect) => {
  test('read branches, commits and projects with git', async () => {
    const { request, connect } = await withApp(dialect);
    const host = await gitHost();
    const head = host.push('main', { 'package.json': '{}', 'appcenter-post-clone.sh': 'true' });
    const feature = host.push('feature/north', { 'app/package.json': '{}' }, 'Looks north\n\nand south');
    expect(await connect(host.url)).toMatchObject({ status: 200 });
    expect((await request('GET', 'branches')).body).toEqual([
      { branch: { name: 'feature/north', commit: { sha: feature, url: '' } }, configured: false, enabled: false },
      { branch: { name: 'main', commit: { sha: head, url: '' } }, configured: false, enabled: false },
    ]);
    const { body } = await request('GET', `commits/batch?hashes=${feature},${sha},${head}`);
    expect(body).toMatchObject([
      { sha: feature, commit: { message: 'Looks north\n\nand south', author: { name: 'Ada Lovelace' } } },
      { sha, commit: { message: '', author: { name: '', email: '' } } },
      { sha: head, commit: { message: 'Points north again', author: { email: 'ada@example.com' } } },
    ]);
    expect(
      (await request('GET', 'branches/feature%2Fnorth/toolset_projects?os=Android&platform=Java')).body,
    ).toMatchObject({
      commit: feature,
      javascript: { packageJsonPaths: ['package.json', 'app/package.json'] },
      buildscripts: { '.': ['appcenter-post-clone.sh'] },
    });
    await request('POST', 'branches/feature%2Fnorth/config', custom);
    expect((await request('POST', 'branches/feature%2Fnorth/builds', {})).body).toMatchObject({
      id: 1,
      buildNumber: '1',
      status: 'notStarted',
      result: 'none',
      sourceBranch: 'feature/north',
      sourceVersion: feature,
    });
    expect(await request('POST', 'branches/main/builds', {})).toMatchObject({
      status: 400,
      body: { code: 'BadRequest', id: expect.any(String) },
    });
  });

  test('read a repository with its credentials and never show them', async () => {
    const { app, request, connect } = await withApp(dialect);
    const host = await gitHost({ password: 'open sesame' });
    host.push('main', {});
    await connect(host.url, { username: 'ada', password: 'wrong' });
    expect((await request('GET', 'branches')).body).toEqual([]);
    expect((await request('GET', 'repo_config')).body).toMatchObject([{ state: 'unauthorized', username: 'ada' }]);
    await connect(host.url.replace('//', '//ada:open%20sesame@'), { repo_id: '7' });
    expect((await request('GET', 'branches')).body).toHaveLength(1);
    const shown = JSON.stringify((await request('GET', 'repo_config')).body);
    expect(JSON.parse(shown)).toMatchObject([{ repo_url: host.url, repo_id: '7', state: 'active', type: 'git' }]);
    const rows = await app.database.query((q) => q.selectFrom('build_repositories').selectAll());
    const events = await app.database.query((q) => q.selectFrom('audit_events').selectAll());
    expect(shown + JSON.stringify([rows, events]) + (await app.logged())).not.toMatch(/sesame/);
    // Credentials are not sent to another address.
    await connect(host.movedUrl);
    expect((await request('GET', 'branches')).body).toEqual([]);
    expect((await request('GET', 'repo_config')).body[0].trouble).toMatch(/moved|credentials/);
    expect(host.asked.filter((url) => url.startsWith('/moved'))).not.toEqual([]);
  });

  test('keep all fields of a branch configuration that clients send, and show no secret', async () => {
    const { app, compass, request } = await withApp(dialect);
    const grace = await app.addUser('grace');
    await app.addMember(compass, grace, 'viewer');
    const viewer = await app.userToken(grace);
    const settings = {
      trigger: 'continous',
      future: { option: [1] },
      toolsets: { android: { keyPassword: 'hunter2', runTests: false }, testcloud: { frameworkType: 'Generated' } },
      environmentVariables: [
        { name: 'STAGE', value: 'beta' },
        { name: 'KEY', value: 'sesame', isSecret: true },
      ],
    };
    const config = 'branches/main/config';
    expect((await request('PUT', config, settings)).status).toBe(404);
    expect((await request('POST', config, settings)).status).toBe(200);
    expect((await request('POST', config, settings)).status).toBe(409);
    const { body: shown } = await request('GET', config);
    expect(shown).toMatchObject({ id: 1, branch: { name: 'main' }, trigger: 'continous', future: { option: [1] } });
    expect(shown.environmentVariables).toMatchObject([{ value: 'beta' }, { value: '********' }]);
    expect(JSON.stringify((await request('GET', config, undefined, viewer)).body)).not.toMatch(/hunter2|sesame|beta/);
    expect((await request('PUT', config, { ...shown, trigger: 'manual' })).status).toBe(200);
    const revealing = shown.environmentVariables.map((variable: object) => ({ ...variable, isSecret: false }));
    expect(await request('PUT', config, { ...shown, environmentVariables: revealing })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("Can't show the value of KEY") },
    });
    expect(JSON.stringify((await request('GET', config)).body)).not.toContain('sesame');
    expect((await request('POST', 'branches/next/config', { cloneFromBranch: 'main' })).body).toMatchObject({
      id: 2,
      trigger: 'manual',
    });
    expect((await request('POST', 'branches/other/config', { cloneFromBranch: 'none' })).status).toBe(404);
    const rows = JSON.stringify(await app.database.query((q) => q.selectFrom('build_branches').selectAll()));
    expect(rows).not.toMatch(/hunter2|sesame|beta/);
    for (const name of ['-x', 'a..b', 'a b', 'x.lock', '@{-1}', 'a:b']) {
      expect([name, (await request('POST', `branches/${encodeURIComponent(name)}/config`, custom)).status]).toEqual([
        name,
        400,
      ]);
    }
    const bad = { environmentVariables: [{ name: 'Platform', value: 'x' }] };
    expect((await request('PUT', config, bad)).status).toBe(400);
    const wide = await request('PUT', config, { future: Array.from({ length: 5000 }, () => 0) });
    expect([wide.status, JSON.stringify(wide.body)]).toEqual([400, expect.stringContaining('more than 5000 values')]);
  });

  test('run on a runner, store log and files, and pass secrets to the runner only', async () => {
    const { app, request, connect, runner } = await withApp(dialect);
    await connect('https://localhost/ada/compass.git', { username: 'ada', password: 'open sesame' });
    await request('POST', 'branches/main/config', {
      ...custom,
      artifactVersioning: { buildNumberFormat: 'buildId' },
      environmentVariables: [{ name: 'KEY', value: 'hunter2', isSecret: true }],
    });
    await request('POST', 'branches/main/builds', { sourceVersion: sha });
    const rows = JSON.stringify(await app.database.query((q) => q.selectFrom('runner_jobs').selectAll()));
    expect(rows).not.toMatch(/sesame|hunter2/);
    const run = await runner();
    const log = '== Sources\nclone\n== Build: make\nok';
    const { work } = await run({
      log,
      files: { 'compass.apk': apk },
      end: { result: 'succeeded', found: { javascript: { packageJsonPaths: [] } } },
    });
    expect(work).toMatchObject({
      build: { id: 1, branch: 'main', commit: sha, trigger: 'manual' },
      buildNumber: '1',
      repository: { username: 'ada', password: 'open sesame', name: 'ada/compass' },
      variables: [{ name: 'KEY', value: 'hunter2' }],
    });
    expect((await request('GET', 'builds/1')).body).toMatchObject({
      status: 'completed',
      result: 'succeeded',
      downloads: ['build', 'logs'],
    });
    expect((await request('GET', 'builds/1/logs')).body).toEqual({ value: log.split('\n') });
    const { uri } = (await request('GET', 'builds/1/downloads/build')).body;
    expect((await request('GET', 'builds/1/downloads/build')).body.uri).toContain(
      uri.split('/files/')[1].split('.')[0],
    );
    const zip = await yauzl.fromBufferPromise((await app.call('GET', new URL(uri).pathname)).rawPayload);
    const [entry] = await Array.fromAsync(zip.eachEntry());
    expect(entry?.fileName).toBe('compass.apk');
    expect(entry && (await buffer(await zip.openReadStreamPromise(entry)))).toEqual(apk);
    const logs = new URL((await request('GET', 'builds/1/downloads/logs')).body.uri).pathname;
    const names = await Array.fromAsync(
      (await yauzl.fromBufferPromise((await app.call('GET', logs)).rawPayload)).eachEntry(),
    );
    expect(names.map(({ fileName }) => fileName)).toEqual([
      '1_build.txt',
      'build/1_Sources.txt',
      'build/2_Build make.txt',
    ]);
    expect((await request('GET', 'builds/1/downloads/symbols')).status).toBe(404);
    expect((await request('GET', 'xcode_versions')).body).toEqual([
      { name: '16.2', current: true },
      { name: '15.4', current: false },
    ]);
    const bundles = [
      { sdkBundle: 'dotnet-9.0.100', xcodeVersions: ['16.2', '15.4'], current: true, stable: true },
      {
        sdkBundle: 'mono-6.13-preview.1',
        monoVersion: '6.13-preview.1',
        xcodeVersions: ['16.2', '15.4'],
        current: false,
        stable: false,
      },
    ];
    expect((await request('GET', 'xamarin_sdk_bundles')).body).toEqual(bundles);
    expect((await request('GET', 'toolsets?tools=xamarin')).body).toEqual({ xamarin: bundles });
    expect((await request('GET', 'build_service_status')).body).toMatchObject({ status: 'available' });
    app.advance(91 * DAY);
    await sweepBuilds({ ...app.deps, actor: { kind: 'system' }, origin: undefined });
    await sweepJobFiles(app.deps);
    expect((await request('GET', 'builds/1/downloads/build')).status).toBe(404);
    expect((await request('GET', 'builds/1')).body).toMatchObject({ result: 'succeeded' });
    expect(await Array.fromAsync(app.deps.blobs.list())).toEqual([]);
  });

  test('are released to the groups of their branch and to groups selected later, if successful', async () => {
    const { app, request, connect, runner, token } = await withApp(dialect);
    const group = (await request('POST', 'distribution_groups', { name: 'Beta' })).body;
    await connect('https://localhost/ada/compass.git');
    const distribution = { destinationType: 'groups', destinations: [group.id], isSilent: true };
    await request('POST', 'branches/main/config', { toolsets: { ...custom.toolsets, distribution } });
    const run = await runner();
    for (const result of ['failed', 'succeeded']) {
      await request('POST', 'branches/main/builds', { sourceVersion: sha });
      await run({ files: { 'compass.apk': apk }, end: { result, reason: 'make: no rule' } });
    }
    await app.runJobs();
    expect((await request('GET', 'builds/1')).body).toMatchObject({ result: 'failed', failure: 'make: no rule' });
    const listDistributed = async () => (await request('GET', 'distribution_groups/Beta/releases')).body;
    expect(await listDistributed()).toMatchObject([{ id: 1 }]);
    expect((await request('GET', 'releases/1')).body).toMatchObject({
      build: { branch_name: 'main', commit_hash: sha },
    });
    expect((await request('POST', 'builds/1/distribute', {})).status).toBe(400);
    const { body } = await request('POST', 'builds/2/distribute', {
      destinations: [{ type: 'group', id: group.id }],
      releaseNotes: 'Again',
    });
    await app.runJobs();
    expect((await request('GET', `uploads/releases/${body.upload_id}`)).body).toMatchObject({
      upload_status: 'readyToBePublished',
      release_distinct_id: 2,
    });
    expect(await listDistributed()).toHaveLength(2);
    const { body: lost } = await request('POST', 'builds/2/distribute', {
      destinations: [{ type: 'group', id: randomUUID() }],
    });
    await app.runJobs();
    expect((await request('GET', `uploads/releases/${lost.upload_id}`)).body.error_details).toContain(
      'distribution group',
    );
    const limit = (body: object) => app.call('PUT', '/v0.1/admin/quotas/ada', { token, body });
    await limit({ storage_bytes: 1 });
    const { body: full } = await request('POST', 'builds/2/distribute', {
      destinations: [{ type: 'group', id: group.id }],
    });
    await app.runJobs();
    expect((await request('GET', `uploads/releases/${full.upload_id}`)).body).toMatchObject({
      upload_status: 'error',
      error_details: expect.stringMatching(/^ada uses \d+ of 1 bytes\. /),
    });
    await limit({});
    // Publishing fails, because the store has no credentials.
    const store = (await request('POST', 'distribution_stores', { type: 'googleplay', name: 'Play', track: 'beta' }))
      .body;
    await request('POST', 'builds/2/distribute', { destinations: [{ type: 'store', id: store.id }] });
    await app.runJobs();
    expect((await request('GET', 'distribution_stores/Play/releases/4/publish_error_details')).body.message).toMatch(
      /has no credentials/,
    );
  });

  test('index the symbols of successful builds', async () => {
    const { app, request, connect, runner } = await withApp(dialect);
    await connect('https://localhost/ada/compass.git');
    await request('POST', 'branches/main/config', custom);
    await request('POST', 'branches/main/builds', { sourceVersion: sha });
    const map = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA', file: 'main.js' };
    const files: Record<string, Buffer> = { 'main.js.map': Buffer.from(JSON.stringify(map)) };
    const run = await runner();
    await run({ files, end: { result: 'succeeded' } });
    await app.runJobs();
    expect((await request('GET', 'symbol_uploads')).body).toMatchObject([
      { file_name: 'main.js.map', symbol_type: 'JavaScript', status: 'indexed' },
    ]);
    // A mapping belongs to the version of the package built with it; without a package it is not indexed.
    const mapping = Buffer.from('com.example.Compass -> a.a:\n    void point() -> a\n');
    const packages: Record<string, Buffer>[] = [{}, { 'compass.apk': Buffer.from('broken') }, { 'compass.apk': apk }];
    for (const more of packages) {
      await request('POST', 'branches/main/builds', { sourceVersion: sha });
      await run({ log: 'ok', files: { ...more, 'mapping.txt': mapping }, end: { result: 'succeeded' } });
      await app.runJobs();
    }
    const mappings = (await request('GET', 'symbol_uploads?filter=all')).body.filter(
      ({ symbol_type }: { symbol_type: string }) => symbol_type === 'AndroidProguard',
    );
    expect(mappings).toMatchObject([{ file_name: 'mapping.txt', version: '1.4.0', build: '140', status: 'indexed' }]);
    const { usage } = (await request('GET', 'billing/aggregated')).body;
    const made = files['main.js.map']?.length ?? 0;
    // Each file counts as an artifact, as a symbol upload, and as the symbols in it.
    const expected = made * 3 + mapping.length * 5 + apk.length + 'broken'.length + 3 * 'ok'.length;
    expect(usage.allServices.currentUsagePeriod.byAccount.storage_bytes).toBe(expected);
  });

  test('never reuse numbers, can be canceled, and are deleted when the repository is disconnected', async () => {
    const { app, request, connect, runner } = await withApp(dialect, { buildQueue: 2 });
    await connect('https://localhost/ada/compass.git');
    await request('POST', 'branches/main/config', custom);
    const queue = () => request('POST', 'branches/main/builds', { sourceVersion: sha });
    await queue();
    await queue();
    expect((await queue()).status).toBe(429);
    const cancel = (id: number) => request('PATCH', `builds/${id}`, { status: 'cancelling' });
    expect((await cancel(2)).body).toMatchObject({ status: 'completed', result: 'canceled' });
    expect((await cancel(2)).status).toBe(409);
    await (await runner())();
    expect((await request('GET', 'builds/1')).body).toMatchObject({
      status: 'inProgress',
      startTime: expect.any(String),
    });
    expect((await cancel(1)).body).toMatchObject({ status: 'cancelling', result: 'none' });
    expect((await request('DELETE', 'branches/main/config')).status).toBe(200);
    expect((await request('GET', 'builds/1')).status).toBe(404);
    await request('POST', 'branches/main/config', custom);
    expect((await queue()).body).toMatchObject({ id: 3 });
    expect((await request('DELETE', 'repo_config')).status).toBe(200);
    expect((await request('DELETE', 'repo_config')).status).toBe(404);
    expect((await request('GET', 'branches')).body).toEqual([]);
    expect(await app.database.query((q) => q.selectFrom('runner_jobs').select('id'))).toEqual([]);
  });

  test('keep a secret from one of two concurrent configuration changes', async () => {
    const { app, request, connect, runner } = await withApp(dialect);
    await connect('https://localhost/ada/compass.git');
    const config = 'branches/main/config';
    const settings = (keyPassword: string, trigger = 'manual') => ({ trigger, toolsets: { custom: { keyPassword } } });
    await request('POST', config, settings('old'));
    const put = (body: object) => async () => (await request('PUT', config, body)).status;
    expect(await atOnce(app, [put(settings('new')), put(settings('********', 'continuous'))])).toEqual([200, 200]);
    await request('POST', 'branches/main/builds', { sourceVersion: sha });
    const { work } = await (await runner())();
    expect(work.toolsets).toEqual({ custom: { keyPassword: 'new' } });
  });

  test('end once, also when they are canceled at the same moment', async () => {
    const { app, request, connect, runner } = await withApp(dialect);
    await connect('https://localhost/ada/compass.git');
    await request('POST', 'branches/main/config', custom);
    const run = await runner();
    const begin = async () => {
      const { body } = await request('POST', 'branches/main/builds', { sourceVersion: sha });
      const { finish } = await run();
      const cancel = async () => (await request('PATCH', `builds/${body.id}`, { status: 'cancelling' })).status;
      const result = async () => {
        const build = (await request('GET', `builds/${body.id}`)).body;
        return [build.status, build.result];
      };
      return { finish: (end: string) => () => finish({ result: end }), cancel, result };
    };
    const twice = await begin();
    expect(await atOnce(app, [twice.finish('succeeded'), twice.finish('failed')], 'builds')).toEqual([
      204,
      dialect === 'sqlite' ? 401 : 204,
    ]);
    expect(await twice.result()).toEqual(['completed', 'succeeded']);
    const late = await begin();
    expect(await atOnce(app, [late.finish('succeeded'), late.cancel], 'builds')).toEqual([204, 409]);
    expect(await late.result()).toEqual(['completed', 'succeeded']);
    const early = await begin();
    expect(await atOnce(app, [early.cancel, early.finish('canceled')], 'builds')).toEqual([200, 204]);
    expect(await early.result()).toEqual(['completed', 'canceled']);
  });

  test('are refused while the build minutes or storage of the owner are used up', async () => {
    const { app, request, connect, token } = await withApp(dialect);
    const host = await gitHost();
    host.push('main', { 'package.json': '{}' });
    await connect(host.url);
    await request('POST', 'branches/main/config', custom);
    const limit = (body: object) => app.call('PUT', '/v0.1/admin/quotas/ada', { token, body });
    await limit({ build_minutes: 0 });
    const refused = await request('POST', 'branches/main/builds', {});
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      403,
      expect.stringContaining('ada uses 0 of 0 build minutes this month'),
    ]);
    expect((await request('GET', 'branches/main/builds')).body).toEqual([]);
    await limit({ build_minutes: 1, storage_bytes: 0 });
    const full = await request('POST', 'branches/main/builds', {});
    expect([full.status, JSON.stringify(full.body)]).toEqual([403, expect.stringContaining('ada uses 0 of 0 bytes')]);
    await limit({ build_minutes: 1, storage_bytes: 1 });
    expect((await request('POST', 'branches/main/builds', {})).status).toBe(200);
  });

  test('never exceed the limit of the queue, even if queued concurrently', async () => {
    const { app, request, connect } = await withApp(dialect, { buildQueue: 1 });
    await connect('https://localhost/ada/compass.git');
    await request('POST', 'branches/main/config', custom);
    const queue = async () => (await request('POST', 'branches/main/builds', { sourceVersion: sha })).status;
    expect(await atOnce(app, [queue, queue])).toEqual([200, 429]);
  });

  test('never exceed the limit of configured branches, even if configured concurrently, and configure a branch once', async () => {
    const { app, compass, request } = await withApp(dialect);
    await request('POST', 'branches/main/config', custom);
    const add = (branch: string) => async () => (await request('POST', `branches/${branch}/config`, custom)).status;
    expect(await atOnce(app, [add('next'), add('next')])).toEqual([200, 409]);
    const [row] = await app.database.query((q) =>
      q.selectFrom('build_branches').selectAll().where('branch', '=', 'main'),
    );
    if (!row) throw new Error('main is not configured');
    const more = Array.from({ length: 497 }, (_, at) => ({
      ...row,
      app_id: compass.id,
      branch: `b${at}`,
      id: 1000 + at,
    }));
    await tx(systemCtx(app.deps), ({ db }) => db.query((q) => q.insertInto('build_branches').values(more)));
    expect(await atOnce(app, [add('one'), add('other')])).toEqual([200, 409]);
  });

  test('are retried with the same variables, and the most urgent is taken first', async () => {
    const { app, request, connect, runner } = await withApp(dialect);
    await connect('https://localhost/ada/compass.git');
    await request('POST', 'branches/main/config', {
      ...custom,
      environmentVariables: [
        { name: 'STAGE', value: 'branch' },
        { name: 'REGION', value: 'south' },
      ],
    });
    const set = {
      environmentVariables: [
        { name: 'KEY', value: 'hunter2', isSecret: true },
        { name: 'STAGE', value: 'app' },
      ],
    };
    expect((await request('PUT', 'build_settings', set)).status).toBe(200);
    const variables = [{ name: 'REGION', value: 'open sesame', isSecret: true }];
    const queue = (more = {}) => request('POST', 'branches/main/builds', { sourceVersion: sha, ...more });
    await queue({ environmentVariables: variables });
    expect((await request('POST', 'builds/1/retry', {})).status).toBe(409);
    const run = await runner();
    const { work } = await run({ end: { result: 'failed', reason: 'flaky' } });
    expect(work.variables).toEqual([
      { name: 'KEY', value: 'hunter2', isSecret: true },
      { name: 'STAGE', value: 'branch' },
      { name: 'REGION', value: 'open sesame', isSecret: true },
    ]);
    expect((await request('POST', 'builds/1/retry', {})).body).toMatchObject({ id: 2, retryOf: 1, sourceVersion: sha });
    expect((await request('POST', 'builds/9/retry', {})).status).toBe(404);
    await queue({ priority: 'high' });
    await queue({ priority: 'low' });
    await queue();
    expect((await request('PATCH', 'builds/5', { priority: 'high' })).body).toMatchObject({ id: 5, priority: 'high' });
    const taken = [];
    for (let count = 0; count < 4; count += 1) taken.push((await run()).work.build.id);
    expect(taken).toEqual([3, 5, 2, 4]);
    expect((await request('PATCH', 'builds/5', { priority: 'low' })).status).toBe(409);
    const rows = [
      await app.database.query((q) => q.selectFrom('builds').selectAll()),
      await app.database.query((q) => q.selectFrom('build_settings').selectAll()),
      await app.database.query((q) => q.selectFrom('audit_events').selectAll()),
    ];
    expect(JSON.stringify(rows)).not.toMatch(/sesame|hunter2/);
    const twice = { environmentVariables: [...variables, ...variables] };
    expect((await queue(twice)).status).toBe(400);
    expect((await request('PUT', 'build_settings', twice)).status).toBe(400);
  });

  test('show variables of the app like those of a branch, and keep a secret that is sent as a mask', async () => {
    const { app, compass, request, connect, runner } = await withApp(dialect);
    const grace = await app.addUser('grace');
    await app.addMember(compass, grace, 'viewer');
    const viewer = await app.userToken(grace);
    await connect('https://localhost/ada/compass.git');
    await request('POST', 'branches/main/config', custom);
    const environmentVariables = [
      { name: 'KEY', value: 'hunter2', isSecret: true },
      { name: 'REGION', value: 'north' },
    ];
    await request('PUT', 'build_settings', { maxConcurrentBuilds: 1, environmentVariables });
    const { body: shown } = await request('GET', 'build_settings');
    expect(shown).toEqual({
      maxConcurrentBuilds: 1,
      environmentVariables: [{ ...environmentVariables[0], value: '********' }, environmentVariables[1]],
      branchPatterns: [],
    });
    const seen = await request('GET', 'build_settings', undefined, viewer);
    expect(JSON.stringify(seen.body)).not.toMatch(/hunter2|north/);
    expect((await request('PUT', 'build_settings', shown, viewer)).status).toBe(403);
    const put = (key: string, most: number) => async () =>
      (
        await request('PUT', 'build_settings', {
          maxConcurrentBuilds: most,
          environmentVariables: [{ name: 'KEY', value: key, isSecret: true }],
        })
      ).status;
    expect(await atOnce(app, [put('new one', 2), put('********', 3)])).toEqual([200, 200]);
    await request('POST', 'branches/main/builds', { sourceVersion: sha });
    expect((await (await runner())()).work.variables).toMatchObject([{ name: 'KEY', value: 'new one' }]);
    await request('PUT', 'build_settings', {});
    expect((await request('GET', 'build_settings')).body).toEqual({ environmentVariables: [], branchPatterns: [] });
  });

  test('of a branch without configuration use the closest pattern, until the branch has one', async () => {
    const { request, connect, runner } = await withApp(dialect);
    const host = await gitHost();
    host.push('main', {});
    const head = host.push('release/1.4', { a: '1' });
    await connect(host.url);
    const settings = { trigger: 'manual', toolsets: { custom: { commands: ['make'], keyPassword: 'hunter2' } } };
    const pattern = `branches/${encodeURIComponent('release/*')}/config`;
    expect((await request('POST', pattern, settings)).status).toBe(200);
    expect((await request('POST', pattern, settings)).status).toBe(409);
    expect((await request('GET', 'build_settings')).body).toMatchObject({ branchPatterns: ['release/*'] });
    expect((await request('GET', 'branches')).body).toMatchObject([
      { branch: { name: 'main' }, configured: false },
      { branch: { name: 'release/1.4' }, configured: true },
    ]);
    const config = 'branches/release%2F1.4/config';
    const { body: shown } = await request('GET', config);
    expect(shown).toMatchObject({ pattern: 'release/*', branch: { name: 'release/1.4' } });
    expect((await request('GET', 'branches/main/config')).status).toBe(404);
    expect((await request('DELETE', config)).status).toBe(404);
    expect((await request('POST', 'branches/release%2F1.4/builds', {})).body).toMatchObject({ sourceVersion: head });
    const run = await runner();
    expect((await run({ end: { result: 'succeeded' } })).work).toMatchObject({
      build: { branch: 'release/1.4', configuration: 'release/*' },
      toolsets: { custom: { keyPassword: 'hunter2' } },
    });
    // After an update by a client, the branch has its own configuration, with the secrets of the pattern.
    expect((await request('PUT', config, { ...shown, badgeIsEnabled: true })).body).not.toHaveProperty('pattern');
    expect((await request('DELETE', pattern)).status).toBe(200);
    await request('POST', 'branches/release%2F1.4/builds', {});
    expect((await run()).work).toMatchObject({
      build: { configuration: 'release/1.4' },
      toolsets: { custom: { keyPassword: 'hunter2' } },
    });
    expect(
      (await request('POST', `branches/${encodeURIComponent('release/*')}/builds`, { sourceVersion: sha })).status,
    ).toBe(400);
  });

  test('of an app are listed in pages, newest first', async () => {
    const { request, connect } = await withApp(dialect);
    await connect('https://localhost/ada/compass.git');
    for (const branch of ['main', 'next']) {
      await request('POST', `branches/${branch}/config`, custom);
      for (let count = 0; count < 2; count += 1)
        await request('POST', `branches/${branch}/builds`, { sourceVersion: sha });
    }
    await request('PATCH', 'builds/2', { status: 'cancelling' });
    const list = async (query: string) => (await request('GET', `builds?${query}`)).body;
    const getIds = ({ values }: { values: { id: number }[] }) => values.map(({ id }) => id);
    const first = await list('limit=3');
    expect(getIds(first)).toEqual([4, 3, 2]);
    expect(await list(`limit=3&cursor=${first.next_cursor}`)).toMatchObject({ values: [{ id: 1 }] });
    expect(getIds(await list('branch=main'))).toEqual([2, 1]);
    expect(getIds(await list('status=notStarted&branch=main'))).toEqual([1]);
    expect(getIds(await list('result=canceled'))).toEqual([2]);
    const far = Buffer.from(JSON.stringify([Number.MAX_SAFE_INTEGER])).toString('base64url');
    expect(getIds(await list(`cursor=${far}`))).toEqual([4, 3, 2, 1]);
    expect((await request('GET', 'builds?cursor=x')).status).toBe(400);
  });

  test('are triggered and changed by developers only', async () => {
    const { app, ada, compass, request } = await withApp(dialect);
    const viewers = [
      await app.userToken(ada, { scope: ['viewer'] }),
      await app.appToken(compass, ada, { scope: ['viewer'] }),
    ];
    for (const token of viewers) {
      for (const [method, rest, body] of [
        ['POST', 'branches/main/builds', {}],
        ['PATCH', 'builds/1', { status: 'cancelling' }],
        ['POST', 'builds/1/retry', {}],
        ['PUT', 'build_settings', {}],
        ['POST', 'branches/main/config', custom],
        ['POST', 'repo_config', { repo_url: 'https://example.com/a.git' }],
        ['POST', 'builds/1/distribute', {}],
        ['POST', 'runners/codes', {}],
      ] as const) {
        expect([rest, (await request(method, rest, body, token)).status]).toEqual([rest, 403]);
      }
    }
  });
});

test.each([
  'file:///etc/passwd',
  'ext::sh -c id',
  'ssh://-oProxyCommand=id/a.git',
  'git@-oProxyCommand=id:a.git',
  'git@example.com:../a.git',
  'ssh://git@example.com/',
  '--upload-pack=id',
  '-oProxyCommand=id',
  '/srv/a.git',
  'https://',
  'https://example.com/',
  'https://example.com/a.git?x',
])('%s is not a repository URL', async (repo_url) => {
  const { connect } = await withApp('sqlite');
  expect((await connect(repo_url)).status).toBe(400);
});

/** Replaces ssh: uses the deploy key and acts as the host. */
async function sshHost(repository: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-ssh-host-'));
  const program = `#!/bin/bash
while [ $# -gt 0 ]; do
  case "$1" in
    -i) ssh-keygen -y -f "$2" | cut -d' ' -f1,2 > ${folder}/shown; stat -c %a "$2" >> ${folder}/shown; shift ;;
    UserKnownHostsFile=*) known="\${1#*=}" ;;
    StrictHostKeyChecking=*) strict="\${1#*=}" ;;
    HostName=*|HostKeyAlias=*) echo "$1" >> ${folder}/options ;;
  esac
  last="$1"; shift
done
key="localhost ssh-ed25519 $(cat ${folder}/host)"
if [ -s "$known" ] && [ "$(cat "$known")" != "$key" ]; then echo 'Host key verification failed.' >&2; exit 255; fi
[ "$strict" = accept-new ] && echo "$key" > "$known"
exec git-upload-pack ${repository}
`;
  writeFileSync(path.join(folder, 'ssh'), program, { mode: 0o755 });
  const setKey = (key: string) => writeFileSync(path.join(folder, 'host'), key);
  setKey('AAAA');
  const before = process.env.PATH;
  process.env.PATH = `${folder}:${before}`;
  onTestFinished(() => {
    process.env.PATH = before;
    rmSync(folder, { recursive: true, force: true });
  });
  return { setKey, read: (name: string) => readFileSync(path.join(folder, name), 'utf8').trim().split('\n') };
}

// Only OpenSSH can verify that the key is readable.
const ifSsh = test.runIf(findProgram(['ssh-keygen']));

ifSsh(
  'a repository is read by ssh with a key of its own, and only of the host that was there the first time',
  async () => {
    const { app, ada, request, connect, runner } = await withApp('sqlite');
    const host = await gitHost();
    const head = host.push('main', {});
    const ssh = await sshHost(host.folder);
    expect((await connect('git@localhost:ada/compass.git')).status).toBe(200);
    const [repository] = (await request('GET', 'repo_config')).body;
    expect(repository).toMatchObject({
      repo_url: 'ssh://git@localhost/ada/compass.git',
      deploy_key: expect.stringMatching(/^ssh-ed25519 \S+ mooring ada\/compass$/),
    });
    expect((await request('GET', 'branches')).body).toMatchObject([
      { branch: { name: 'main', commit: { sha: head } } },
    ]);
    expect(ssh.read('shown')).toEqual([repository.deploy_key.split(' ').slice(0, 2).join(' '), '600']);
    expect(ssh.read('options')).toEqual(['HostName=127.0.0.1', 'HostKeyAlias=localhost']);
    await request('POST', 'branches/main/config', custom);
    await request('POST', 'branches/main/builds', {});
    const run = await runner({ name: 'ssh', version: '9.2' });
    const { work } = await run();
    expect(work.repository).toMatchObject({
      deployKey: expect.stringContaining('BEGIN OPENSSH PRIVATE KEY'),
      knownHosts: 'localhost ssh-ed25519 AAAA\n',
    });
    ssh.setKey('BBBB');
    await request('GET', 'branches');
    expect((await request('GET', 'repo_config')).body[0].trouble).toContain('SSH key of the host has changed');
    const rows = await app.database.query((q) => q.selectFrom('build_repositories').selectAll());
    expect(JSON.stringify([rows, repository]) + (await app.logged())).not.toContain('PRIVATE KEY');
    // Another address has another key.
    await connect('git@localhost:ada/other.git');
    expect((await request('GET', 'repo_config')).body[0].deploy_key).not.toBe(repository.deploy_key);
    // A new owner gets neither the key nor the variables of builds.
    const environmentVariables = [{ name: 'KEY', value: 'hunter2', isSecret: true }];
    await request('POST', 'branches/main/builds', { sourceVersion: sha, environmentVariables });
    await app.addOrg(ada, 'lighthouse');
    expect((await request('POST', 'transfer/lighthouse', {})).status).toBe(200);
    expect(await app.database.query((q) => q.selectFrom('build_repositories').selectAll())).toMatchObject([
      { deploy_key: null, deploy_public_key: null, state: 'unauthorized' },
    ]);
    const builds = await app.database.query((q) => q.selectFrom('builds').select('variables'));
    expect(builds).toEqual([{ variables: null }, { variables: null }]);
  },
);

test('reads no repository on a private network unless the operator allows it', async () => {
  const { request, connect } = await withApp('sqlite', { outboundAllow: [] });
  const host = await gitHost();
  const head = host.push('main', {});
  for (const url of [host.url, host.url.replace('127.0.0.1', 'localhost')]) {
    await connect(url);
    expect((await request('GET', 'branches')).body).toEqual([]);
    expect((await request('GET', 'repo_config')).body[0].trouble).toContain('MOORING_OUTBOUND_ALLOW');
    await request('GET', `commits/batch?hashes=${head}`);
  }
  expect(host.asked).toEqual([]);
});
