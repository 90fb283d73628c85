import { expect, test } from 'vitest';
import { createApk } from '../../../../../tools/samples/packages.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { ended, phone, withTests } from '../../../test/harness/test-runs.ts';
import type { DialectName } from '../../db/drivers/connection.ts';

const octets = { 'content-type': 'application/octet-stream' };
const apk = createApk();

async function withPackages(dialect: DialectName) {
  const fixtures = await withTests(dialect, [phone], { outboundAllow: ['127.0.0.0/8'] });
  const { app, token, call, start, take } = fixtures;
  const { id: group } = (await call('POST', '/distribution_groups', { name: 'Beta' })).body;
  return {
    ...fixtures,
    group,
    /** Releases the package and returns the release's ID. */
    release: async () => {
      const url = '/v0.1/apps/ada/compass/releases/uploads?file_name=app.apk';
      const { id } = (await app.call('PUT', url, { token, body: apk, headers: octets })).json();
      await app.runJobs();
      return (await call('GET', `/uploads/releases/${id}`)).body.release_distinct_id as number;
    },
    distribute: (release: number) => call('POST', `/releases/${release}/groups`, { id: group }),
    /** Runs tests of the package; one of them gets this status. */
    run: async (status: string, more = {}) => {
      const { id } = await start(more, apk);
      const { events, finish } = await take();
      await events(0, [ended('writes', status)]);
      await finish();
      return id;
    },
  };
}

eachDatabase('a tested package', (dialect) => {
  test('links its release and its tests in both directions, in any order', async () => {
    const { call, release, run } = await withPackages(dialect);
    const before = await run('passed');
    const first = await release();
    const after = await run('failed');
    const listIds = async (query: string) =>
      (await call('GET', `/test_runs?${query}`)).body.map(({ id }: { id: string }) => id);
    expect(await listIds(`release_id=${first}`)).toEqual([after, before]);
    expect((await call('GET', `/test_runs/${before}`)).body).toMatchObject({ releaseId: first });
    expect((await call('GET', `/test_runs/${after}/results`)).body.run).toMatchObject({ releaseId: first });
    expect(await listIds('release_id=7')).toEqual([]);
    const unknown = await call('POST', `/test_runs/${after}/rerun`, {});
    expect((await call('GET', `/test_runs/${unknown.body.id}`)).body).toMatchObject({ releaseId: first });
    expect((await call('DELETE', `/releases/${first}`)).status).toBe(200);
    expect((await call('GET', `/test_runs/${before}`)).body).not.toHaveProperty('releaseId');
  });

  test('is tested with the suite of a series right after the build, if the branch is configured so', async () => {
    const { app, token, call, run, take, poll, state } = await withPackages(dialect);
    await call('POST', '/repo_config', { repo_url: 'https://localhost/ada/compass.git' });
    const commit = 'a'.repeat(40);
    const build = async (testSeries: string) => {
      const testcloud = { testSeries, deviceSelection: 'top_3_devices' };
      await call('POST', `/branches/${testSeries}/config`, { toolsets: { custom: { commands: ['make'] }, testcloud } });
      await call('POST', `/branches/${testSeries}/builds`, { sourceVersion: commit });
      const { file, finish } = await take();
      await file('compass.apk', 'build', apk);
      await finish();
      await app.runJobs();
    };
    const newest = async () => (await call('GET', '/test_runs')).body[0].id as string;
    await build('smoke');
    // The series has no suite yet.
    expect(JSON.stringify(await state(await newest()))).toContain('has no test run yet');
    expect((await poll()).status).toBe(204);
    const limit = (body: object) => app.call('PUT', '/v0.1/admin/quotas/ada', { token, body });
    const first = await run('passed', { test_series: 'nightly', test_parameters: { stage: 'beta' } });
    await build('nightly');
    const second = await newest();
    expect(second).not.toBe(first);
    const { job, source, events, finish } = await take();
    expect(job).toMatchObject({
      kind: 'test',
      work: { framework: 'appium', parameters: { stage: 'beta' }, run: { id: second } },
    });
    const files = job.work.files as { id: string; type: string; path: string }[];
    expect(files.map(({ type, path }) => [type, path])).toEqual([
      ['app-file', 'compass.apk'],
      ['test-file', 'test-classes/NotesTest.class'],
    ]);
    expect((await source(files[0]?.id ?? '')).rawPayload).toEqual(apk);
    await events(0, [ended('writes')]);
    await finish();
    expect((await call('GET', `/test_runs/${second}`)).body).toMatchObject({ buildId: 2, resultStatus: 'passed' });
    // The build's file uses up the storage quota, so the package can't be copied.
    const { storage_bytes: used } = (await call('GET', '/billing/aggregated')).body.usage.allServices.currentUsagePeriod
      .byAccount;
    await limit({ storage_bytes: used + 1 });
    await build('nightly');
    expect(JSON.stringify(await state(await newest()))).toContain(`ada uses ${used + apk.length} of ${used + 1} bytes`);
    expect((await poll()).status).toBe(204);
  });

  test('is not distributed while its latest tests fail or run, if the app has a release gate', async () => {
    const { app, compass, call, release, distribute, run, start } = await withPackages(dialect);
    const id = await release();
    const grace = await app.addUser('grace');
    await app.addMember(compass, grace, 'developer');
    const developer = await app.userToken(grace);
    expect((await call('PUT', '/release_gate', { hold_failed: true }, developer)).status).toBe(403);
    await run('failed');
    expect((await distribute(id)).status).toBe(201);
    expect((await call('PUT', '/release_gate', { hold_failed: true })).body).toMatchObject({ hold_failed: true });
    expect(await distribute(id)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('did not pass') },
    });
    const named = { destinations: [{ name: 'Beta' }] };
    expect((await call('PATCH', `/releases/${id}`, named)).status).toBe(409);
    expect((await call('POST', `/releases/${id}/testers`, { email: 'ada@example.com' })).status).toBe(409);
    const { id: open } = await start({}, apk);
    expect((await distribute(id)).status).toBe(201);
    // A stopped run has no verdict, so the previous one counts.
    await call('PUT', `/test_runs/${open}/stop`, {});
    expect((await distribute(id)).status).toBe(409);
    expect((await call('GET', '/release_gate', undefined, developer)).body).toMatchObject({ hold_failed: true });
    expect((await call('PUT', '/release_gate', { hold_failed: false })).status).toBe(200);
    expect((await distribute(id)).status).toBe(201);
  });

  test('is distributed to its destinations when running tests pass, including those of a rerun', async () => {
    const { app, call, release, distribute, start, take, group } = await withPackages(dialect);
    const id = await release();
    await call('PUT', '/release_gate', { hold_failed: true });
    const first = await start({}, apk);
    const red = await take();
    expect([(await distribute(id)).status, (await distribute(id)).status]).toEqual([201, 201]);
    const email = 'ada@example.com';
    expect((await call('POST', `/releases/${id}/testers`, { email, mandatory_update: true })).status).toBe(201);
    const waiting = async () =>
      (await call('GET', '/release_gate')).body.waiting.map((one: { destination: string }) => one.destination);
    const listDestinations = async () => {
      await app.runJobs();
      return (await call('GET', `/releases/${id}`)).body.destinations.map((one: { id: string }) => one.id);
    };
    expect([(await waiting()).toSorted(), await listDestinations()]).toEqual([[group, email].toSorted(), []]);
    await red.events(0, [ended('writes', 'failed')]);
    await red.finish();
    expect([await listDestinations(), (await waiting()).length, (await distribute(id)).status]).toEqual([[], 2, 409]);
    await call('POST', `/test_runs/${first.id}/rerun`, {});
    const green = await take();
    await green.events(0, [ended('writes', 'passed')]);
    await green.finish();
    const [one, other, ...rest] = await listDestinations();
    expect([rest, [one, other].includes(group), await waiting()]).toEqual([[], true, []]);
    const listed = (await call('GET', `/releases/${id}`)).body.destinations;
    expect(listed.map((one: { mandatory_update: boolean }) => one.mandatory_update).toSorted()).toEqual([false, true]);
  });

  test('is dropped for a deleted destination, and distributed when the app stops blocking', async () => {
    const { app, call, release, distribute, start, take } = await withPackages(dialect);
    const id = await release();
    await call('PUT', '/release_gate', { hold_failed: true });
    await start({}, apk);
    const { id: other } = (await call('POST', '/distribution_groups', { name: 'Gone' })).body;
    expect((await call('POST', `/releases/${id}/groups`, { id: other })).status).toBe(201);
    expect((await distribute(id)).status).toBe(201);
    await call('DELETE', '/distribution_groups/Gone');
    expect((await call('PUT', '/release_gate', { hold_failed: false })).body.waiting).toHaveLength(2);
    await app.runJobs();
    expect((await call('GET', '/release_gate')).body).toEqual({ hold_failed: false, waiting: [] });
    const names = (await call('GET', `/releases/${id}`)).body.destinations.map((one: { name: string }) => one.name);
    expect(names).toEqual(['Beta']);
    const { events, finish } = await take();
    await events(0, [ended('writes', 'failed')]);
    await finish();
  });

  test('is the release or build named when the run starts; an unknown one is rejected', async () => {
    const { call, release, run, distribute, start, app, token } = await withPackages(dialect);
    const id = await release();
    await call('PUT', '/release_gate', { hold_failed: true });
    const xml = (status: string) => `<testsuite name="A"><testcase name="b">${status}</testcase></testsuite>`;
    const post = async (query: string, status: string) => {
      const url = `/v0.1/apps/ada/compass/test_runs/import?${query}`;
      const headers = { 'content-type': 'application/xml' };
      return (await app.call('POST', url, { token, headers, body: Buffer.from(xml(status)) })).statusCode;
    };
    expect(await post(`release_id=${id}`, '<failure/>')).toBe(201);
    expect((await distribute(id)).status).toBe(409);
    expect(await post(`release_id=${id}`, '')).toBe(201);
    expect((await distribute(id)).status).toBe(201);
    expect([await post('release_id=99', ''), await post('build_id=99', '')]).toEqual([404, 404]);
    expect((await start({ build_id: 99 })).status).toBe(404);
    const green = await run('passed');
    expect((await call('GET', `/test_runs/${green}`)).body).toMatchObject({ releaseId: id });
  });
});
