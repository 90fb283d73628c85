import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import yauzl from 'yauzl';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { ended, named, phone, started, suite, sum, withTests } from '../../../test/harness/test-runs.ts';
import { type AppCtx, systemCtx } from '../../context.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';
import { watchRun } from './runs/live-run.ts';
import { endOverdue, sweepRuns } from './runs/sweeping.ts';

const nothingRan = ['Total scenarios: 0', '0 passed', '0 failed', 'Total steps: 0'];

const namesIn = (zip: Buffer): Promise<Record<string, string>> =>
  new Promise((resolve, reject) => {
    yauzl.fromBuffer(zip, { lazyEntries: true }, (error, opened) => {
      if (error || !opened) return reject(error);
      const found: Record<string, string> = {};
      opened.on('entry', (entry) =>
        opened.openReadStream(entry, async (_error, stream) => {
          found[entry.fileName] = (await buffer(stream)).toString();
          opened.readEntry();
        }),
      );
      opened.on('end', () => resolve(found));
      opened.readEntry();
    });
  });

eachDatabase('test runs', (dialect) => {
  test('run a suite on each device and show the results of each', async () => {
    const { app, start, take, state, report, call } = await withTests(dialect);
    const { id, status, body } = await start({ test_series: 'Every Night!', test_parameters: { test_env: 'A=1|B=2' } });
    expect([status, body]).toEqual([
      200,
      { accepted_devices: ['Google Pixel 2 XL (8.1.0)', 'Google Pixel C (8.1.0)'], rejected_devices: [] },
    ]);
    const reason = 'box will run it as soon as the device is free.';
    expect(await state(id)).toEqual({ message: ['Validation completed. Waiting for devices', reason], wait_time: 2 });
    expect((await call('GET', `/test_runs/${id}`)).body.waiting).toBe(reason);
    const first = await take();
    const { work } = first.job;
    expect(work).toMatchObject({
      framework: 'appium',
      parameters: { test_env: 'A=1|B=2' },
      device: { key: 'usb-1', name: 'Google Pixel 2 XL (8.1.0)', index: 0 },
      files: [{ path: 'test-classes/NotesTest.class', type: 'test-file', sha256: sum('sha256', suite), size: 9 }],
      minutes: 360,
    });
    expect((await first.source(work.files[0].id)).body).toBe('the suite');
    expect((await first.source(work.files[0].id, { range: 'bytes=4-' })).body).toBe('suite');
    expect((await first.source(randomUUID())).statusCode).toBe(404);
    expect((await first.source('__proto__')).statusCode).toBe(404);
    const second = await take();
    expect((await second.source(work.files[0].id, { 'x-job-token': 'mjt_' })).statusCode).toBe(401);
    expect((await state(id)).message).toEqual(['Running on 2 devices (0 / 2 completed, 0 pending)']);
    await first.file('1.png', 'screenshot');
    await first.events(0, [
      started('writes'),
      { type: 'step', at: 1500, suite: 'NotesTest', test: 'writes', label: 'Written', screenshot: '1.png' },
      ended('writes', 'passed', { memory: 12.5 }),
      ended('later', 'skipped'),
    ]);
    await first.finish();
    await second.file('test.log', 'test-log');
    await second.events(0, [
      started('writes'),
      ended('writes', 'failed', { message: 'no <note> & "more"', stack: 'at x' }),
    ]);
    expect(await state(id)).not.toHaveProperty('exit_code');
    await second.finish();
    expect(await state(id)).toMatchObject({
      message: ['Done!', 'Total scenarios: 2', '0 passed', '1 failed', '1 skipped', 'Total steps: 2'],
      exit_code: 1,
    });
    const runReport = await report(id);
    expect(runReport).toMatchObject({
      stats: {
        devices: 2,
        total: 2,
        failed: 1,
        skipped: 1,
        devices_finished: 2,
        step_count: 2,
        peakmem: 12.5,
        filesize: 9,
      },
      features: [{ name: 'NotesTest', failed: 1, tests: [{ testName: 'writes' }, { testName: 'later' }] }],
    });
    expect(runReport.finished_device_snapshots).toHaveLength(2);
    expect(runReport).not.toHaveProperty('snapshot_fatal_errors');
    const [step] = runReport.features[0].tests[0].runs[0].steps;
    expect(step.stepExecutions.map(({ status }: { status: string }) => status)).toEqual(['passed', 'failed']);
    const shown = await call('GET', new URL(step.step_report_url).pathname.replace('/v0.1/apps/ada/compass', ''));
    expect(shown.body).toMatchObject({ name: 'Written', deviceScreenshots: [{ title: 'Google Pixel 2 XL (8.1.0)' }] });
    const zip = await app.call('GET', new URL(runReport.stats.artifacts.junit_xml_zip).pathname);
    const files = await namesIn(zip.rawPayload);
    expect(Object.keys(files)).toEqual([
      '_Google_Pixel_2_XL_8_1_0_TEST-NotesTest.xml',
      '_Google_Pixel_C_8_1_0_TEST-NotesTest.xml',
    ]);
    expect(files['_Google_Pixel_C_8_1_0_TEST-NotesTest.xml']).toContain(
      '<testsuite name="NotesTest" tests="1" failures="1" errors="0" skipped="0" time="1.000">',
    );
    expect(files['_Google_Pixel_C_8_1_0_TEST-NotesTest.xml']).toContain(
      'message="no &lt;note&gt; &amp; &quot;more&quot;"',
    );
    expect(files['_Google_Pixel_2_XL_8_1_0_TEST-NotesTest.xml']).toContain(
      'name="later" classname="NotesTest" time="1.000"><skipped/>',
    );
    expect((await call('GET', '/test_series')).body).toMatchObject([
      { slug: 'every-night', testRuns: [{ failed: 1 }] },
    ]);
    expect((await call('GET', '/test_series/every-night/test_runs')).body).toMatchObject([{ id }]);
  });

  test('fail if a runner is lost twice, and show the results until then', async () => {
    const { app, ctx, start, take, poll, state, report } = await withTests(dialect, [phone]);
    const { id } = await start();
    for (const name of ['first', 'second']) {
      const { events } = await take();
      await events(0, [started(name), ended(name), started('cut off')]);
      app.advance(2 * MINUTE);
    }
    // A request for work detects silent runners.
    expect((await poll()).status).toBe(204);
    expect(await state(id)).toMatchObject({
      exit_code: 2,
      message: expect.arrayContaining([expect.stringMatching(/Pixel 2 XL.*stopped responding/)]),
    });
    const runReport = await report(id);
    expect(runReport.snapshot_fatal_errors).toMatchObject([
      { error_message: expect.stringContaining('stopped responding') },
    ]);
    expect(runReport.features[0].tests.map(({ testName }: { testName: string }) => testName)).toEqual([
      'second',
      'cut off',
    ]);
    expect(runReport.stats).toMatchObject({ passed: 1, failed: 1, devices_failed: 1 });
    // Not deleted before the end of the retention.
    app.advance(89 * DAY);
    await sweepRuns(ctx);
    expect(await app.database.query((q) => q.selectFrom('test_runs').select('id'))).toHaveLength(1);
    app.advance(2 * DAY);
    await sweepRuns(ctx);
    expect(await app.database.query((q) => q.selectFrom('test_runs').select('id'))).toEqual([]);
    app.advance(2 * DAY);
    await sweepRuns(ctx);
    expect(await app.database.query((q) => q.selectFrom('test_files').select('id'))).toEqual([]);
  });

  test('end with the lease of a runner that is lost, unless another runner has such a device', async () => {
    const { app, start, take, poll, state, report, call, addRunner } = await withTests(dialect, [phone]);
    const bystander = await addRunner([]);
    const { id } = await start();
    const { events, finish } = await take();
    await events(0, [started('writes'), ended('writes'), started('cut off')]);
    app.advance(MINUTE + 1);
    expect((await poll(bystander)).status).toBe(204);
    expect(await state(id)).toMatchObject({
      exit_code: 2,
      message: expect.arrayContaining([expect.stringMatching(/Pixel 2 XL.*stopped responding, and no other/)]),
    });
    expect((await report(id)).stats).toMatchObject({ passed: 1, failed: 1, devices_failed: 1 });
    expect((await finish()).status).toBe(401);
    const next = await start();
    await take();
    app.advance(MINUTE + 1);
    await addRunner([phone]);
    expect((await poll(bystander)).status).toBe(204);
    expect(await state(next.id)).toMatchObject({
      message: ['Validation completed. Waiting for devices', expect.any(String)],
    });
    app.advance(2 * MINUTE);
    expect((await poll(bystander)).status).toBe(204);
    expect((await call('GET', `/test_runs/${next.id}`)).body).toMatchObject({ resultStatus: 'error' });
  });

  test('fail immediately if no device is suitable, and after a day if none is available', async () => {
    const { app, ctx, start, state, call, create, select, declare } = await withTests(dialect, [phone]);
    const espresso = await start({ test_framework: 'espresso' });
    expect(espresso.body).toEqual({ accepted_devices: [], rejected_devices: ['Google Pixel 2 XL (8.1.0)'] });
    expect(await state(espresso.id)).toMatchObject({
      exit_code: 2,
      message: ['Done!', expect.stringContaining('No suitable device')],
    });
    expect((await call('POST', `/test_runs/${espresso.id}/rerun`, {})).body.error.message).toContain('had no device');
    expect((await start({ test_framework: 'nonsense' })).body.error.message).toContain('appium, command');
    expect((await start({ device_selection: 'ada/none' })).body.error.message).toContain('ada/none');
    const bare = await create();
    expect(
      await call('POST', `/test_runs/${bare}/start`, { test_framework: 'appium', device_selection: await select() }),
    ).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('no test files') } } });
    await declare([phone, { ...phone, key: 'sim', platform: 'ios', model: 'iPhone 15', manufacturer: 'Apple' }]);
    const fitting = async (run: string) =>
      (await call('GET', `/device_configurations?app_upload_id=${run}`)).body.map(({ name }: { name: string }) => name);
    expect(await fitting(bare)).toEqual(['Google Pixel 2 XL (8.1.0)']);
    expect(await fitting(espresso.id)).toEqual([]);
    expect((await call('GET', `/device_configurations?app_upload_id=${randomUUID()}`)).status).toBe(404);
    const any = await start({ device_selection: 'any' });
    expect(any.body.accepted_devices).toEqual(['Google Pixel 2 XL (8.1.0)']);
    expect(
      (await call('POST', `/test_runs/${any.id}/start`, { test_framework: 'appium', device_selection: 'any' })).status,
    ).toBe(409);
    await declare([]);
    expect((await start({ device_selection: 'any' })).body).toEqual({ accepted_devices: [], rejected_devices: [] });
    app.advance(25 * HOUR);
    await endOverdue(ctx);
    expect(await state(any.id)).toMatchObject({
      exit_code: 2,
      message: expect.arrayContaining([expect.stringMatching(/within 24 hours\. No runner has this device/)]),
    });
  });

  test('seal parameters, and mask them for viewers and Read-Only tokens, as they often contain passwords', async () => {
    const { app, ada, compass, start, take, call } = await withTests(dialect);
    const test_parameters = { test_env: 'PASSWORD=sesame' };
    const { id } = await start({ test_parameters });
    const grace = await app.addUser('grace');
    await app.addMember(compass, grace, 'viewer');
    const shown = async (token?: string) => (await call('GET', '/test/export/pipelineTests', undefined, token)).body;
    const masked = { app_upload_id: id, test_parameters: { test_env: '********' } };
    expect(await shown()).toEqual({ app_upload_id: id, test_parameters });
    expect(await shown(await app.userToken(grace))).toEqual(masked);
    expect(await shown(await app.userToken(ada, { scope: ['viewer'] }))).toEqual(masked);
    expect(await shown(await app.appToken(compass, ada, { scope: ['viewer'] }))).toEqual(masked);
    const rows = async () => JSON.stringify(await app.database.query((q) => q.selectFrom('test_runs').selectAll()));
    expect(await rows()).not.toContain('sesame');
    expect((await take()).job.work.parameters).toEqual(test_parameters);

    // Parameters as stored by an earlier version.
    const plain = { parameters: JSON.stringify(test_parameters), sealed_parameters: null };
    await app.database.transaction((db) => db.query((q) => q.updateTable('test_runs').set(plain)));
    expect(await shown()).toEqual({ app_upload_id: id, test_parameters });
    await sweepRuns(systemCtx(app.deps));
    expect(await rows()).not.toContain('sesame');
    expect(await shown()).toEqual({ app_upload_id: id, test_parameters });
  });

  test('show their results if stopped, and are no longer listed if archived', async () => {
    const { start, take, state, call, create } = await withTests(dialect);
    const { id } = await start();
    const { events, finish } = await take();
    await events(0, [started('writes'), ended('writes')]);
    expect((await call('PUT', `/test_runs/${id}/stop`, {})).body).toMatchObject({ runStatus: 'running' });
    expect(await state(id)).not.toHaveProperty('exit_code');
    await finish({ result: 'canceled' });
    expect(await state(id)).toMatchObject({
      exit_code: 2,
      message: ['The test run was stopped.', 'Total scenarios: 1', '1 passed', '0 failed', 'Total steps: 1'],
    });
    expect((await call('GET', `/test_runs/${id}`)).body).toMatchObject({
      resultStatus: 'stopped',
      stats: { passed: 1 },
    });
    expect((await call('DELETE', `/test_runs/${id}`)).status).toBe(200);
    expect((await call('GET', '/test_runs')).body).toEqual([]);
    expect((await call('GET', `/test/export/testRuns?after=${id}`)).body).toEqual({});
    for (let made = 0; made < 51; made += 1) await create();
    expect((await call('GET', '/test_runs')).body).toHaveLength(50);
    expect((await call('PUT', '/test_runs/nobodys/stop', {})).status).toBe(404);
  });

  test('have one job per device or none if started twice or stopped at the same time', async () => {
    const { app, ready, select, call, poll, state } = await withTests(dialect);
    const body = { test_framework: 'appium', device_selection: await select() };
    const createRequest = (method: string, path: string, body: object) => async () =>
      (await call(method, path, body)).status;
    const twice = await ready();
    const start = createRequest('POST', `/test_runs/${twice}/start`, body);
    expect(await atOnce(app, [start, start])).toEqual([200, 409]);
    expect([(await poll()).status, (await poll()).status, (await poll()).status]).toEqual([200, 200, 204]);
    const stopped = await ready();
    const both = [
      createRequest('POST', `/test_runs/${stopped}/start`, body),
      createRequest('PUT', `/test_runs/${stopped}/stop`, {}),
    ];
    expect(await atOnce(app, both, 'test_runs')).toEqual([200, 200]);
    expect(await state(stopped)).toMatchObject({ exit_code: 2, message: ['The test run was stopped.', ...nothingRan] });
    const queued = await app.database.query((q) =>
      q.selectFrom('runner_jobs').select('id').where('state', '=', 'queued'),
    );
    expect(queued).toEqual([]);
  });

  test('end when their devices end at the same time, and stay stopped if one ends during the stop', async () => {
    const { app, start, take, call, state } = await withTests(dialect);
    const { id } = await start();
    const ends = [await take(), await take()].map(({ events, finish }) => async () => {
      await events(0, [ended('writes')]);
      return (await finish()).status;
    });
    expect(await atOnce(app, ends, 'test_runs')).toEqual([204, 204]);
    expect(await state(id)).toMatchObject({ exit_code: 0 });
    const next = await start();
    const [one, other] = [await take(), await take()];
    const stop = async () => (await call('PUT', `/test_runs/${next.id}/stop`, {})).status;
    const finish = async () => (await one.finish()).status;
    expect(await atOnce(app, [stop, finish], 'test_runs')).toEqual([200, 204]);
    await other.finish({ result: 'canceled' });
    expect((await call('GET', `/test_runs/${next.id}`)).body).toMatchObject({ resultStatus: 'stopped' });
  });

  test('recognize only files of the same app, by either checksum, and accept only announced ones', async () => {
    const { app, ada, token, call, create, upload } = await withTests(dialect);
    const grace = await app.addUser('grace');
    await app.addApp(grace, 'atlas');
    const other = await app.userToken(grace);
    const id = await create();
    const at = `/test_runs/${id}`;
    const bySha1 = { file_type: 'test-file', checksum: sum('sha1', suite).toUpperCase(), relative_path: 'a.jar' };
    const [{ uploadStatus }, again] = (await call('POST', `${at}/hashes/batch`, [named(), bySha1])).body;
    expect([uploadStatus.statusCode, again]).toMatchObject([
      412,
      { relativePath: 'a.jar', uploadStatus: { statusCode: 412 } },
    ]);
    expect((await upload(uploadStatus.location, Buffer.from('another'))).json().error.message).toContain('checksum');
    const { location = '' } = await call('POST', `${at}/files`);
    expect((await upload(location, suite)).statusCode).toBe(201);
    expect((await upload(location, suite)).statusCode).toBe(201);
    expect((await upload(location.replace(/run=.*/, `run=${randomUUID()}`), suite)).statusCode).toBe(403);
    expect((await upload(location.replace(/token=[^&]+/, 'token=1.x'), suite)).statusCode).toBe(403);
    expect((await call('POST', `${at}/hashes`, bySha1)).status).toBe(201);
    const theirs = (await app.call('POST', '/v0.1/apps/grace/atlas/test_runs', { token: other })).headers.location;
    const response = await app.call('POST', `${theirs}/hashes`, { token: other, body: bySha1 });
    expect([response.statusCode, response.headers.location]).toEqual([
      412,
      expect.stringContaining('/upload/test_files/'),
    ]);
    await app.addApp(ada, 'sextant');
    const sibling = (await app.call('POST', '/v0.1/apps/ada/sextant/test_runs', { token })).headers.location;
    expect((await app.call('POST', `${sibling}/hashes`, { token, body: bySha1 })).statusCode).toBe(412);
    for (const path of ['../a', '/a', 'a//b', 'a/./b', 'C:\\a', 'a\\b', 'a\u0000b']) {
      expect([path, (await call('POST', `${at}/hashes`, { ...bySha1, relative_path: path })).status]).toEqual([
        path,
        400,
      ]);
    }
    const many = Array.from({ length: 300 }, (_, at) => named(`lib/${at % 250}.jar`, Buffer.from(String(at))));
    const statuses = (await call('POST', `${at}/hashes/batch`, [...many, named('lib/7.jar')])).body;
    expect(statuses.map((one: { uploadStatus: { statusCode: number } }) => one.uploadStatus.statusCode)).toEqual([
      ...many.map(() => 412),
      201,
    ]);
    const stored = await app.database.query((q) =>
      q.selectFrom('test_run_files').select(['path', 'checksum']).where('path', 'in', ['lib/7.jar', 'lib/8.jar']),
    );
    expect(Object.fromEntries(stored.map(({ path, checksum }) => [path, checksum]))).toEqual({
      'lib/7.jar': sum('sha256', suite),
      'lib/8.jar': sum('sha256', Buffer.from('258')),
    });
    expect((await call('POST', `${at}/hashes/batch`, [{ checksum: sum('sha1', suite) }])).status).toBe(400);
    expect((await call('POST', `${at}/hashes`, { ...bySha1, checksum: 'abc' })).status).toBe(400);
  });

  test('count each file once, and accept none beyond the quota of the owner', async () => {
    const { app, token, call, create, upload, ready } = await withTests(dialect);
    await ready();
    await ready();
    const used = async () =>
      (await call('GET', '/billing/aggregated')).body.usage.allServices.currentUsagePeriod.byAccount.storage_bytes;
    expect(await used()).toBe(suite.length);
    const limit = (body: object) => app.call('PUT', '/v0.1/admin/quotas/ada', { token, body });
    await limit({ storage_bytes: suite.length });
    const id = await create();
    const other = Buffer.from('another suite');
    const response = await call('POST', `/test_runs/${id}/hashes/batch`, [named(), named('b.class', other)]);
    const [known, missing] = response.body.map((one: { uploadStatus: object }) => one.uploadStatus);
    expect([known.statusCode, missing.statusCode]).toEqual([201, 412]);
    const refused = await upload(missing.location, other);
    expect([refused.statusCode, refused.body]).toEqual([
      403,
      expect.stringContaining(`ada uses ${suite.length} of ${suite.length} bytes`),
    ]);
    await limit({});
    expect((await upload(missing.location, other)).statusCode).toBe(201);
    expect(await used()).toBe(suite.length + other.length);
  });

  test('are hidden from other apps, and a job token grants access to its job only', async () => {
    const { app, token, start, take, report, call } = await withTests(dialect, [phone]);
    const grace = await app.addUser('grace');
    await app.addApp(grace, 'atlas');
    const other = await app.userToken(grace);
    const { id } = await start();
    const { job, events, file, finish } = await take();
    await file('..%2F..%2Fetc%2F1.png', 'screenshot');
    await events(0, [
      { type: 'step', at: 1, suite: '../../up', test: 'x', label: 'Seen', screenshot: '1.png' },
      { type: 'test-ended', at: 2, suite: '../../up', test: 'x', status: 'passed', milliseconds: 1 },
    ]);
    const listStatuses = async (home: string, as: string) => {
      const statuses = new Set<number>();
      for (const [method, rest, body] of [
        ['GET', ''],
        ...['/state', '/report', '/results', '/compare', '/steps/x'].map((rest) => ['GET', rest]),
        ['PUT', '/stop', {}],
        ['DELETE', ''],
        ['POST', '/rerun', {}],
        ['POST', '/files'],
        ['POST', '/hashes/batch', [named()]],
        ['POST', '/start', { test_framework: 'appium', device_selection: 'any' }],
      ] as [string, string, object?][]) {
        const path = `/v0.1/apps/${home}/test_runs/${id}${rest}`;
        const response = await app.call(method, path, { token: as, ...(body ? { body } : {}) });
        statuses.add(response.statusCode);
      }
      return [...statuses];
    };
    expect(await listStatuses('grace/atlas', other)).toEqual([404]);
    expect(await listStatuses('ada/compass', other)).toEqual([404]);
    expect(await listStatuses('ada/compass', job.token)).toEqual([401]);
    for (const headers of [{ 'x-runner-token': job.token }, { 'x-job-token': token }]) {
      const responses = [
        await app.call('POST', '/v0.1/runner/jobs?wait=0', { headers, body: {} }),
        await app.call('GET', `/v0.1/runner/jobs/${job.id}/sources/${job.work.files[0].id}`, { headers }),
      ];
      expect(responses.map(({ statusCode }) => statusCode)).toEqual([401, 401]);
    }
    await finish();
    const runReport = await report(id);
    const zip = await app.call('GET', new URL(runReport.stats.artifacts.junit_xml_zip).pathname);
    expect(Object.keys(await namesIn(zip.rawPayload))).toEqual(['_Google_Pixel_2_XL_8_1_0_TEST-_up.xml']);
    const [one] = (await call('GET', `/test_runs/${id}/results`)).body.tests;
    const picture = await app.call('GET', new URL(one.outcomes[0].steps[0].screenshot).pathname);
    expect(picture.headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment; filename="1.png"/),
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
    });
  });

  test('use device sets of the owner or user, by slug, and a short ID that never changes', async () => {
    const { app, compass, call, configurations, select, declare, start } = await withTests(dialect);
    const [one, two] = await configurations();
    const devices = [one?.id, two?.id];
    expect(await select()).toBe(await select());
    expect(await select()).toMatch(/^[0-9a-f]{8}$/);
    const made = await call('POST', '/owner/device_sets', { name: 'Smoke Test', devices });
    expect([made.status, made.body]).toMatchObject([
      201,
      { slug: 'smoke-test', manufacturerCount: 1, osVersionCount: 1, owner: { type: 'user', name: 'ada' } },
    ]);
    const twice = await call('POST', '/owner/device_sets', { name: 'smoke test', devices });
    expect([twice.status, twice.body]).toMatchObject([
      400,
      { status: 'BadRequest', message: expect.stringContaining('already') },
    ]);
    expect((await call('POST', '/device_selection', { devices: [randomUUID()] })).body).toMatchObject({
      status: 'BadRequest',
    });
    const grace = await app.addUser('grace');
    await app.addMember(compass, grace, 'developer');
    const developer = await app.userToken(grace);
    expect((await call('POST', '/owner/device_sets', { name: 'Mine', devices }, developer)).status).toBe(403);
    expect((await call('POST', '/user/device_sets', { name: 'Mine', devices: [one?.id] }, developer)).status).toBe(201);
    expect((await call('GET', '/user/device_sets')).body).toHaveLength(1);
    expect((await call('GET', '/owner/device_sets')).body).toMatchObject([{ name: 'Smoke Test' }]);
    const foreign = await start({ device_selection: 'grace/mine' });
    expect(foreign.status).toBe(400);
    expect((await start({ device_selection: 'ADA/smoke-test' })).body.accepted_devices).toHaveLength(2);
    await declare([phone]);
    const { id } = made.body;
    expect((await call('GET', `/owner/device_sets/${id}`)).body.deviceConfigurations).toHaveLength(2);
    expect((await call('PUT', `/owner/device_sets/${id}`, { name: 'One', devices: [one?.id] })).body).toMatchObject({
      slug: 'one',
    });
    expect((await call('DELETE', `/owner/device_sets/${id}`)).status).toBe(200);
    expect((await call('DELETE', `/owner/device_sets/${id}`)).status).toBe(404);
    app.advance(5 * MINUTE);
    expect((await configurations()).map(({ isOnline }) => isOnline)).toEqual([false]);
  });

  test('are repeated for failed tests, and flaky tests are marked', async () => {
    const { app, start, take, call, report, ctx, compass } = await withTests(dialect, [phone]);
    const go = async (status: string) => {
      const { id } = await start();
      const { events, finish } = await take();
      await events(0, [ended('steady'), ended('shaky', status)]);
      await finish();
      return id;
    };
    const first = await go('passed');
    const second = await go('failed');
    const id = await go('passed');
    const announced = await app.database.query((q) => q.selectFrom('announcements').selectAll().orderBy('id'));
    expect(announced.map(({ type, data }) => [type, JSON.parse(data)])).toMatchObject([
      [
        'testRunFinished',
        { result: 'passed', failed_tests: [], url: expect.stringContaining('/test/series/all/runs/') },
      ],
      [
        'testRunFinished',
        { result: 'failed', previous_result: 'passed', failed_tests: ['NotesTest shaky'], failed: 1 },
      ],
      ['testRunFinished', { result: 'passed', previous_result: 'failed', test_run_id: id, total: 2 }],
    ]);
    const { body } = await call('GET', `/test_runs/${id}/results`);
    expect(body.tests).toMatchObject([
      { test: 'steady', is_flaky: false, history: ['passed', 'passed'] },
      { test: 'shaky', is_flaky: true, history: ['failed', 'passed'] },
    ]);
    const compare = async (run: string, other?: string) =>
      (await call('GET', `/test_runs/${run}/compare${other === undefined ? '' : `?with=${other}`}`)).body;
    expect(await compare(id)).toMatchObject({ tests: [{ test: 'shaky', change: 'fixed' }], durations: [] });
    expect(await compare(second)).toMatchObject({
      run: { id: second },
      before: { id: first },
      tests: [{ test: 'shaky', change: 'newly_failing', before: 'passed', now: 'failed' }],
    });
    const { id: other } = await start();
    const { events, finish } = await take();
    const slow = { ...ended('steady'), milliseconds: 3000 };
    await events(0, [slow, ended('shaky', 'failed'), ended('later', 'skipped'), ended('new')]);
    await finish();
    expect(await compare(other, second)).toMatchObject({
      tests: [
        { test: 'shaky', change: 'still_failing' },
        { test: 'new', change: 'added' },
      ],
      durations: [{ test: 'steady', milliseconds_before: 1000, milliseconds: 3000 }],
    });
    expect((await compare(id, other)).tests).toMatchObject([{ change: 'fixed' }, { test: 'new', change: 'not_run' }]);
    expect((await compare(first)).error.message).toContain('No earlier finished test run');
    expect((await compare(id, randomUUID())).error.message).toContain('test run');
    expect((await call('POST', `/test_runs/${id}/rerun`, {})).body.error.message).toContain('none failed');
    const red = await go('failed');
    expect(await call('POST', `/test_runs/${red}/rerun`, {})).toMatchObject({
      status: 201,
      body: { rerunOf: red, runStatus: 'pending' },
    });
    const audited = await app.database.query((q) =>
      q.selectFrom('audit_events').select('action').where('action', '=', 'test_run.start'),
    );
    expect(audited).toHaveLength(6);
    const [again] = (await call('GET', '/test_runs')).body;
    expect([(await report(again.id)).date_finished, (await report(red)).date_finished]).toEqual([
      '',
      expect.any(String),
    ]);
    expect((await report(red)).date_finished).not.toBe('');
    // A watcher gets the current state, and disconnects at its time limit.
    const looks = watchRun({ ...ctx, app: { id: compass.id } } as AppCtx, again.id, {
      seconds: 1,
      signal: new AbortController().signal,
    });
    expect((await Array.fromAsync(looks)).map(({ row }) => row.status)).toEqual(['pending']);
    const { job } = await take();
    expect(job.work).toMatchObject({ only: ['NotesTest shaky'], files: [{ size: 9 }] });
  });

  test('are imported from JUnit XML, and other files are rejected', async () => {
    const { app, token, report } = await withTests(dialect);
    const post = async (body: string) => {
      const response = await app.call('POST', '/v0.1/apps/ada/compass/test_runs/import?device=Pixel%203&os=9', {
        token,
        headers: { 'content-type': 'application/xml' },
        body: Buffer.from(body),
      });
      return { status: response.statusCode, body: response.json() };
    };
    const xml = `<?xml version="1.0"?><testsuites><testsuite name="A > b" tests="3"><properties><property name="x" value="y"/></properties>
      <testcase classname="a.B" name="ok" time="1,000.5"/><testcase name="no &lt;1&gt;" time="0.5"><failure message="bad &amp; worse"><![CDATA[at <here>]]></failure></testcase>
      <testcase name="later"><skipped/></testcase></testsuite></testsuites>`;
    const { status, body } = await post(xml);
    expect([status, body]).toMatchObject([
      201,
      { source: 'import', resultStatus: 'failed', stats: { total: 3, passed: 1, failed: 1, skipped: 1 } },
    ]);
    const shown = await app.call('GET', `/v0.1/apps/ada/compass/test_runs/${body.id}/results`, { token });
    expect(shown.json().devices).toMatchObject([{ name: 'Pixel 3 (9)', is_emulated: false }]);
    expect((await report(body.id)).features.map(({ name }: { name: string }) => name)).toEqual(['a.B', 'A > b']);
    for (const bad of [
      '<a/>',
      '<testsuite>',
      '<testsuite/>',
      '<!DOCTYPE a [<!ENTITY b "c">]><testsuite/>',
      '<testsuite name="',
    ]) {
      expect([bad, (await post(bad)).status]).toEqual([bad, 400]);
    }
  });
});
