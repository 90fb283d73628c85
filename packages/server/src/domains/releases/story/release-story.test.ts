import { expect, test } from 'vitest';
import { createApk } from '../../../../../../tools/samples/packages.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { ended, phone, withTests } from '../../../../test/harness/test-runs.ts';

const octets = { 'content-type': 'application/octet-stream' };
const apk = createApk();
const commit = 'a'.repeat(40);

eachDatabase('the story of a release', (dialect) => {
  const withStories = async () => {
    const fixtures = await withTests(dialect, [phone], { outboundAllow: ['127.0.0.0/8'] });
    const { app, token, call, start, take } = fixtures;
    await call('POST', '/repo_config', { repo_url: 'https://localhost/ada/compass.git' });
    await call('POST', '/branches/main/config', { toolsets: { custom: { commands: ['make'] } } });
    return {
      ...fixtures,
      story: (query: string, as = token) => call('GET', `/release_story?${query}`, undefined, as),
      build: async () => {
        const { id } = (await call('POST', '/branches/main/builds', { sourceVersion: commit })).body;
        const { file, finish } = await take();
        await file('compass.apk', 'build', apk);
        await finish();
        await app.runJobs();
        return id as number;
      },
      release: async () => {
        const url = '/v0.1/apps/ada/compass/releases/uploads?file_name=app.apk';
        const { id } = (await app.call('PUT', url, { token, body: apk, headers: octets })).json();
        await app.runJobs();
        return (await call('GET', `/uploads/releases/${id}`)).body.release_distinct_id as number;
      },
      run: async () => {
        const { id } = await start({}, apk);
        const { events, finish } = await take();
        await events(0, [ended('writes', 'passed')]);
        await finish();
        return id as string;
      },
    };
  };

  test('links a build, its releases and their tests, whichever of them is named', async () => {
    const { call, story, build, release, run } = await withStories();
    const buildId = await build();
    expect((await story(`build_id=${buildId}`)).body).toMatchObject({
      build: { id: buildId, result: 'succeeded' },
      commit: { sha: commit, branch: 'main' },
      other_releases: [],
      tests: [],
    });
    const [first, second] = [await release(), await release()];
    const runId = await run();
    const { name } = (await call('POST', '/distribution_groups', { name: 'Beta' })).body;
    await call('PATCH', `/releases/${second}`, { destinations: [{ name }], mandatory_update: true });
    const whole = {
      release: { id: second, enabled: true },
      build: { id: buildId },
      commit: { sha: commit },
      tests: [{ id: runId, result: 'passed', passed: 1, failed: 0 }],
      destinations: { groups: [{ name: 'Beta', is_latest: true, mandatory_update: true }], group_count: 1 },
      adoption: { devices: 0, percent: 0 },
      verdict: { outcome: 'unknown' },
      days: 28,
    };
    const { version } = (await story(`release_id=${second}`)).body;
    const byVersion = `version=${version.short_version}&build_number=${version.version}`;
    for (const query of [`release_id=${second}`, `build_id=${buildId}`, `test_run_id=${runId}`, byVersion])
      expect([query, (await story(query)).body]).toMatchObject([query, whole]);
    expect((await story(`build_id=${buildId}`)).body.other_releases).toEqual([first]);
    await call('DELETE', `/releases/${second}`);
    expect((await story(`build_id=${buildId}`)).body).toMatchObject({ release: { id: first }, other_releases: [] });
    // The link outlives the build's files, but a deleted build has no step.
    await call('DELETE', '/branches/main/config');
    const without = (await story(`release_id=${first}`)).body;
    expect(without).not.toHaveProperty('build');
    expect(without).not.toHaveProperty('commit');
  });

  test('leaves out steps of areas that a limited token does not reach', async () => {
    const { app, token, story, release } = await withStories();
    const id = await release();
    const create = async (scope: string[]): Promise<string> =>
      (await app.call('POST', '/v0.1/api_tokens', { token, body: { scope } })).json().api_token;
    const fields = async (as: string) => Object.keys((await story(`release_id=${id}`, as)).body);
    expect(await fields(token)).toEqual(expect.arrayContaining(['adoption', 'tests', 'verdict', 'release']));
    const narrow = await fields(await create(['releases:read']));
    expect(narrow).toContain('release');
    for (const field of ['adoption', 'tests', 'verdict', 'build', 'codepush']) expect(narrow).not.toContain(field);
    expect(await fields(await create(['releases:read', 'tests:read']))).toContain('tests');
  });

  test('finds the build of a release that another tool uploaded with its commit', async () => {
    const { call, story, build, app, token } = await withStories();
    const buildId = await build();
    const url = '/v0.1/apps/ada/compass/releases/uploads?file_name=app.apk';
    const body = createApk({ shortVersion: '9.9.9', version: 999 });
    const { id } = (await app.call('PUT', url, { token, body, headers: octets })).json();
    await app.runJobs();
    const release = (await call('GET', `/uploads/releases/${id}`)).body.release_distinct_id;
    expect((await story(`release_id=${release}`)).body).not.toHaveProperty('build');
    const named = { branch_name: 'main', commit_hash: commit.toUpperCase(), commit_message: 'Fix it\n\nFor good' };
    await call('PUT', `/releases/${release}`, { build: named });
    expect((await story(`release_id=${release}`)).body).toMatchObject({
      build: { id: buildId },
      commit: { sha: commit, message: 'Fix it' },
    });
    await call('PUT', `/releases/${release}`, { build: { branch_name: 'main', commit_hash: '%_' } });
    const odd = (await story(`release_id=${release}`)).body;
    expect(odd).toMatchObject({ commit: { sha: '%_' } });
    expect(odd).not.toHaveProperty('build');
  });

  test('refuses unclear and unknown names, other apps, and testers', async () => {
    const { app, compass, call, story, build, release, run } = await withStories();
    await build();
    const releaseId = await release();
    const runId = await run();
    for (const query of ['', 'release_id=1&build_id=1', 'version=1.0', 'build_number=1', 'release_id=0', 'build_id=x'])
      expect([query, (await story(query)).status]).toEqual([query, 400]);
    for (const query of ['release_id=99', 'build_id=99', 'test_run_id=none'])
      expect([query, (await story(query)).status]).toEqual([query, 404]);
    expect((await story('version=0.0&build_number=0')).body).toMatchObject({ version: { short_version: '0.0' } });
    const [grace, iris] = [await app.addUser('grace'), await app.addUser('iris')];
    await app.addMember(compass, grace, 'tester');
    const query = `release_id=${releaseId}`;
    expect((await story(query, await app.userToken(grace))).status).toBe(403);
    expect((await story(query, await app.userToken(iris))).status).toBe(404);
    expect((await story(query, 'wrong')).status).toBe(401);
    await app.addMember(compass, grace, 'viewer');
    const readOnly = await app.userToken(grace, { scope: ['viewer'] });
    expect((await story(query, readOnly)).status).toBe(200);
    // IDs of this app mean nothing in another one.
    await app.addApp(iris, 'other');
    const irisToken = await app.userToken(iris);
    for (const named of [query, 'build_id=1', `test_run_id=${runId}`]) {
      const elsewhere = await app.call('GET', `/v0.1/apps/iris/other/release_story?${named}`, { token: irisToken });
      expect([named, elsewhere.statusCode]).toEqual([named, 404]);
    }
    expect((await call('GET', '/release_story?build_id=1')).status).toBe(200);
  });
});
