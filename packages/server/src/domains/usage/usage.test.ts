import { expect, test, vi } from 'vitest';
import { createApk } from '../../../../../tools/samples/packages.ts';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { recorded } from '../../../test/harness/audit.ts';
import { compact, sendLogs } from '../../../test/harness/background-work.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { usageMeasures } from '../../extensions/usage-measures.ts';
import { DAY, MINUTE } from '../../kernel/clock.ts';
import type { Failure } from '../../kernel/errors.ts';
import { refuseOverQuota } from './quotas.ts';
import { toMonth } from './usage.ts';

const install = '0b7f5b5e-52a1-4b8a-9d2c-7c9d0f4a3e11';

/** Ada administers the server and the organization harbour with its app buoy. */
async function withOrg(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada', { isAdmin: true });
  const grace = await app.addUser('grace');
  const org = await app.addOrg(ada, 'harbour');
  await app.addToOrg(org, grace, 'collaborator');
  const ref = await app.addOrgApp(org, ada, 'buoy');
  const tokens = { ada: await app.userToken(ada), grace: await app.userToken(grace) };
  const request = async (method: string, url: string, body?: object, token = tokens.ada) => {
    const response = await app.call(method, url, { token, body });
    return { status: response.statusCode, body: response.body ? response.json() : undefined };
  };
  const package_ = createApk();
  const upload = async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    const url = '/v0.1/apps/harbour/buoy/releases/uploads?file_name=app.apk';
    const response = await app.call('PUT', url, { token: tokens.ada, body: package_, headers });
    await app.runJobs();
    return response;
  };
  return { app, ref, tokens, request, upload, size: package_.length };
}

type Span = readonly [from: number, to: number];

/** A build and a test run on one device with these times; and a test run that took place elsewhere. */
const addWork = (app: TestApp, appId: string, [buildFrom, buildTo]: Span, [testFrom, testTo]: Span) =>
  app.database.transaction(async (db) => {
    const build = {
      ...{ app_id: appId, id: 1, branch: 'main', commit_sha: 'a', reason: 'manual', status: 'completed' },
      ...{ result: 'succeeded', failure: null, found: null, priority: 0, retry_of: null, variables: null },
      ...{ job_id: appId, queued_at: buildFrom, started_at: buildFrom, finished_at: buildTo, changed_at: buildTo },
    };
    await db.query((q) => q.insertInto('builds').values(build as never));
    for (const source of ['runner', 'import'] as const) {
      const run = {
        ...{
          id: `${source} ${appId}`,
          app_id: appId,
          series: null,
          source,
          rerun_of: null,
          status: 'Done',
          result: 'Passed',
        },
        ...{ failure: null, framework: null, platform: null, app_version: null, locale: null, parameters: '{}' },
        ...{ only_tests: null, stats: '{}', is_stopped: 0, is_archived: 0, created_at: testFrom, version: 1 },
        ...{ started_at: testFrom, finished_at: testTo },
      };
      const device = {
        ...{
          run_id: `${source} ${appId}`,
          position: 0,
          device: '{}',
          job_id: null,
          state: 'Finished',
          failure: null,
          events: null,
        },
        ...{ started_at: testFrom, finished_at: testTo },
      };
      await db.query((q) => q.insertInto('test_runs').values(run as never));
      await db.query((q) => q.insertInto('test_run_devices').values(device as never));
    }
  });

eachDatabase('usage', (dialect) => {
  test('is reported for an app, an organization and all administered accounts, without plans', async () => {
    const { app, ref, tokens, request, upload, size } = await withOrg(dialect);
    await upload();
    const at = new Date(app.deps.clock.now()).toISOString();
    const device = { appVersion: '1.0', osName: 'Android', osVersion: '14', locale: 'en_US', timeZoneOffset: 0 };
    const log = { type: 'startSession', timestamp: at, sid: install, device };
    const events = ['a', 'b', 'a'].map((name, n) => ({
      ...{ type: 'event', id: `${n}${install.slice(1)}`, name, timestamp: at, sid: install, device },
    }));
    // In the preceding month.
    const before = { ...events[0], timestamp: '2026-10-31T23:59:59.999Z' };
    await sendLogs(app, ref.id, [log, ...events, before], install);
    await compact(app, ref.id);
    const now = app.deps.clock.now();
    await addWork(app, ref.id, [now - 3 * MINUTE, now], [now - MINUTE - 1, now]);
    const figures = {
      ...{ storage_bytes: size, devices: 1, sessions: 1, events: 3 },
      ...{ build_minutes: 3, test_minutes: 2, attachments_left_out: 0 },
      ingested_bytes_hour: expect.any(Number),
    };
    const urls = ['/v0.1/apps/harbour/buoy/billing/aggregated', '/v0.1/orgs/harbour/billing/aggregated'];
    for (const url of urls) {
      const { status, body } = await request('GET', url);
      expect([url, status]).toEqual([url, 200]);
      expect(body.usage.allServices.currentUsagePeriod).toEqual({
        startTime: '2026-11-01T00:00:00.000Z',
        endTime: '2026-12-01T00:00:00.000Z',
        byAccount: figures,
        byApp: { 'harbour/buoy': figures },
      });
      expect(body).not.toHaveProperty('billingPlans');
    }
    const all = (await request('GET', '/v0.1/billing/allAccountsAggregated')).body.aggregatedBillings;
    expect(all.usage.allServices.currentUsagePeriod.byApp).toEqual({ 'harbour/buoy': figures });
    // Grace administers no account.
    const hers = (await request('GET', '/v0.1/billing/allAccountsAggregated', undefined, tokens.grace)).body;
    expect(hers.aggregatedBillings.usage.allServices.currentUsagePeriod.byApp).toEqual({});
    expect(hers.aggregatedBillings.usage.buildService.currentUsagePeriod.byAccount).toEqual({ build_minutes: 0 });
    const refused = await request('GET', '/v0.1/orgs/harbour/billing/aggregated', undefined, tokens.grace);
    expect([refused.status, refused.body.error.code]).toEqual([403, 403]);
    const builds = (await request('GET', `${urls[0]}?service=Build&period=Previous`)).body.usage;
    expect(Object.keys(builds)).toEqual(['buildService']);
    const ofService = async (service: string) =>
      Object.values<{ currentUsagePeriod: { byAccount: object; byApp: object } }>(
        (await request('GET', `${urls[0]}?service=${service}`)).body.usage,
      ).map(({ currentUsagePeriod: { byAccount, byApp } }) => [byAccount, byApp]);
    const [builder, tester] = [{ build_minutes: 3 }, { test_minutes: 2 }];
    expect(await ofService('Build')).toEqual([[builder, { 'harbour/buoy': builder }]]);
    expect(await ofService('Test')).toEqual([[tester, { 'harbour/buoy': tester }]]);
    expect(builds.buildService.currentUsagePeriod.startTime).toBe('2026-10-01T00:00:00.000Z');
    expect((await request('GET', '/v0.1/user/metadata/optimizely')).body).toEqual({});
  });

  test('of many apps and accounts needs as many queries as of one', async () => {
    const { app, tokens, ref, request, upload, size } = await withOrg(dialect);
    await upload();
    const now = app.deps.clock.now();
    await addWork(app, ref.id, [now - 3 * MINUTE, now], [now - MINUTE, now]);
    const ctx = systemCtx(app.deps);
    const runSpy = vi.spyOn(app.deps.db, 'run');
    const month = toMonth(now);
    const many = [ref.id, ...Array.from({ length: 2000 }, (_, n) => `none-${n}`)];
    for (const measure of usageMeasures.list(ctx)) {
      runSpy.mockClear();
      const one = await measure.count(ctx, [ref.id], month);
      const queries = runSpy.mock.calls.length;
      expect(queries, measure.name).toBe(1);
      expect(await measure.count(ctx, many, month), measure.name).toEqual(one);
      expect(runSpy.mock.calls.length, measure.name).toBe(2 * queries);
    }
    runSpy.mockRestore();
    const hopper = await app.addApp(await app.addUser('hopper'), 'compass');
    await addWork(app, hopper.id, [now - MINUTE, now], [now, now]);
    for (const [name, most] of [
      ['harbour', 100],
      ['hopper', 50],
      ['ada', 20],
    ] as const) {
      await request('PUT', `/v0.1/admin/quotas/${name}`, { build_minutes: most, storage_bytes: 10 * size });
    }
    const { values } = (await request('GET', '/v0.1/admin/quotas', undefined, tokens.ada)).body;
    expect(values.map(({ name, quotas, used }: Record<string, object>) => [name, quotas, used]).sort()).toEqual([
      ['ada', { build_minutes: 20, storage_bytes: 10 * size }, { build_minutes: 0, storage_bytes: 0 }],
      ['harbour', { build_minutes: 100, storage_bytes: 10 * size }, { build_minutes: 3, storage_bytes: size }],
      ['hopper', { build_minutes: 50, storage_bytes: 10 * size }, { build_minutes: 1, storage_bytes: 0 }],
    ]);
  });

  test('used-up build minutes are refused with 403 until the next month', async () => {
    const { app, ref, request } = await withOrg(dialect);
    const quota = '/v0.1/admin/quotas/harbour';
    const now = app.deps.clock.now();
    await addWork(app, ref.id, [now - 5 * MINUTE, now], [now, now]);
    const queue = async () => {
      const ctx = { ...systemCtx(app.deps), app: ref };
      return refuseOverQuota(ctx, 'build_minutes').then(
        () => 'taken',
        (error: Failure) => `${error.code}: ${error.message}`,
      );
    };
    await request('PUT', quota, { build_minutes: 6 });
    expect(await queue()).toBe('taken');
    expect((await request('PUT', quota, { build_minutes: 5 })).body).toEqual({ build_minutes: 5 });
    expect((await request('GET', quota)).body).toMatchObject({
      quotas: { build_minutes: 5 },
      used: { build_minutes: 5 },
    });
    expect(await queue()).toBe(
      'Forbidden: harbour uses 5 of 5 build minutes this month. Wait for the next month, or ask an administrator to raise the quota.',
    );
    app.advance(30 * DAY);
    expect(await queue()).toBe('taken');
  });

  test('administrators set quotas; operations beyond them are refused with the usage', async () => {
    const { app, tokens, request, upload, size } = await withOrg(dialect);
    const quota = '/v0.1/admin/quotas/harbour';
    expect((await request('PUT', quota, { storage_bytes: 1 }, tokens.grace)).status).toBe(403);
    expect((await request('PUT', '/v0.1/admin/quotas/nobody', { storage_bytes: 1 })).status).toBe(404);
    expect((await request('PUT', quota, { storage_bytes: size })).body).toEqual({ storage_bytes: size });
    expect((await upload()).statusCode).toBeLessThan(300);
    const harbour = {
      ...{ name: 'harbour', kind: 'org' },
      ...{ quotas: { storage_bytes: size }, used: { storage_bytes: size, build_minutes: 0 } },
    };
    expect((await request('GET', quota)).body).toEqual(harbour);
    expect((await request('GET', '/v0.1/admin/quotas')).body).toMatchObject({ values: [harbour], total: 1 });
    expect((await request('GET', '/v0.1/admin/quotas', undefined, tokens.grace)).status).toBe(403);
    const B = '/v0.1/apps/harbour/buoy';
    for (const refused of [
      await request('POST', `${B}/uploads/releases`, {}),
      await request('POST', `${B}/symbol_uploads`, { symbol_type: 'Apple' }),
    ]) {
      expect(refused.status).toBe(403);
      expect(JSON.stringify(refused.body)).toContain(`harbour uses ${size} of ${size} bytes`);
    }
    expect((await upload()).statusCode).toBe(403);
    await request('PUT', quota, {});
    expect((await request('POST', `${B}/uploads/releases`, {})).status).toBeLessThan(300);
    const log = await recorded(app, 'quotas.');
    expect(log.map(({ before, after }) => [before, after])).toEqual([
      [{}, { storage_bytes: size }],
      [{ storage_bytes: size }, {}],
    ]);
    await request('PUT', '/v0.1/admin/quotas/grace', { storage_bytes: 1 });
    const subjects = (await recorded(app, 'quotas.')).map(({ subject, orgId }) => [subject.kind, orgId === subject.id]);
    expect(subjects).toEqual([
      ['org', true],
      ['org', true],
      ['user', false],
    ]);
  });

  test('a month is in UTC, also around the turn of a year', () => {
    const now = Date.parse('2026-12-31T23:59:59.999Z');
    const shown = (period?: 'Previous' | 'Next') => new Date(toMonth(now, period).from).toISOString().slice(0, 7);
    expect([shown('Previous'), shown(), shown('Next')]).toEqual(['2026-11', '2026-12', '2027-01']);
  });
});
