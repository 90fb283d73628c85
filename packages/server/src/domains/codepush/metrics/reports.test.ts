import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at, withDeployments } from '../../../../test/harness/codepush.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';
import { sweepHours } from './metrics.ts';
import { readDeploy, readDownload, sweepReports } from './reports.ts';

eachDatabase('reports of devices', (dialect) => {
  test('are counted by release and by binary before the response', async () => {
    const { release, report, metrics } = await withDeployments(dialect);
    await release('one');
    await release('two');
    const device = { client_unique_id: 'a' };
    expect(await report('deploy', device)).toBe(200);
    expect(await metrics()).toEqual([{ label: '1.0.0', active: 1 }]);
    expect(await report('download', { ...device, label: 'v1' })).toBe(200);
    expect(
      await report('deploy', {
        ...device,
        label: 'v1',
        status: 'DeploymentSucceeded',
        previous_label_or_app_version: '1.0',
      }),
    ).toBe(200);
    await report('download', { ...device, label: 'v2' });
    await report('deploy', { ...device, label: 'v2', status: 'DeploymentFailed' });
    await report('download', { client_unique_id: 'b', label: 'v2' });
    expect(await metrics()).toEqual([
      { label: '1.0.0', active: 0 },
      { label: 'v1', active: 1, downloaded: 1, failed: 0, installed: 1 },
      { label: 'v2', active: 0, downloaded: 2, failed: 1, installed: 0 },
    ]);
  });

  test('are counted once if repeated by a device with an ID', async () => {
    const { release, report, metrics } = await withDeployments(dialect);
    await release('one');
    const done = { label: 'v1', status: 'DeploymentSucceeded' };
    await Promise.all([1, 2, 3].map(() => report('deploy', { ...done, client_unique_id: 'a' })));
    await report('deploy', { ...done, client_unique_id: 'a' });
    await report('deploy', { ...done, client_unique_id: 'b' });
    expect((await metrics())[0]).toMatchObject({ active: 2, installed: 2 });
    await Promise.all([1, 2].map(() => report('deploy', done)));
    expect((await metrics())[0]).toMatchObject({ active: 4, installed: 4 });
  });

  test('move a device from one deployment to another', async () => {
    const { keys, release, report, metrics } = await withDeployments(dialect);
    await release('one');
    await release('two', 'Production');
    const done = { label: 'v1', status: 'DeploymentSucceeded', client_unique_id: 'a' };
    await report('deploy', done);
    const moved = { previous_deployment_key: keys.Staging ?? '', previous_label_or_app_version: 'v1' };
    await report('deploy', { ...done, ...moved }, 'Production');
    expect([(await metrics())[0].active, (await metrics('Production'))[0].active]).toEqual([0, 1]);
  });

  test('are all counted if they arrive at the same time', async () => {
    const { release, report, metrics } = await withDeployments(dialect);
    await release('one');
    const all = Array.from({ length: 100 }, (_, n) => ({ label: 'v1', client_unique_id: `device ${n}` }));
    expect(new Set(await Promise.all(all.map((fields) => report('download', fields))))).toEqual(new Set([200]));
    expect((await metrics())[0]).toMatchObject({ downloaded: 100 });
  });

  test('of unknown releases or too many versions are accepted and not counted', async () => {
    const { app, release, report, metrics } = await withDeployments(dialect);
    await release('one');
    for (const label of ['v2', 'v0', 'v01', 'v1e9', 'v999999999', 'constructor', 'x'.repeat(900)])
      expect(await report('download', { label })).toBe(200);
    expect(await report('deploy', { label: 'v2', status: 'DeploymentSucceeded' })).toBe(200);
    expect(await metrics()).toEqual([]);
    await app.database.transaction(async (db) => {
      await db.query((q) =>
        q
          .insertInto('codepush_counts')
          .columns(['deployment_id', 'label', 'active', 'downloaded', 'installed', 'failed'])
          .expression((eb) =>
            eb
              .selectFrom('codepush_deployments')
              .select((e) => [
                'codepush_deployments.id',
                e.val('9.9.9').as('label'),
                e.val(1).as('a'),
                e.val(0).as('d'),
                e.val(0).as('i'),
                e.val(0).as('f'),
              ])
              .where('name', '=', 'Staging'),
          ),
      );
    });
    expect(await metrics()).toEqual([{ label: '9.9.9', active: 1 }]);
  });

  test('are counted even if they arrive together with a rejected one', async () => {
    const { app, keys, release, report, metrics } = await withDeployments(dialect);
    await release('one');
    const url = '/v0.1/public/codepush/report_status/download';
    const unknown = app.call('POST', url, { body: { deployment_key: 'nobody-has-this', label: 'v1' } });
    const [refused, counted] = await Promise.all([unknown, report('download', { label: 'v1' })]);
    expect([refused.statusCode, refused.body, counted]).toEqual([404, expect.stringMatching(/^No deployment/), 200]);
    expect((await metrics())[0]).toMatchObject({ downloaded: 1 });
    expect(keys.Staging).toBeDefined();
  });

  test('of older SDKs are accepted at both of their URLs', async () => {
    const { app, keys, release, metrics } = await withDeployments(dialect);
    await release('one');
    const fields = { deploymentKey: keys.Staging, appVersion: '1.0.0', label: 'v1' };
    const call = async (url: string, body: object) => (await app.call('POST', url, { body })).statusCode;
    const done = { ...fields, status: 'DeploymentSucceeded' };
    expect([
      await call('/reportStatus/deploy', { ...done, clientUniqueId: 'a' }),
      await call('/v0.1/legacy/reportStatus/deploy', { ...done, clientUniqueId: 'b' }),
      await call('/reportStatus/download', { ...fields, clientUniqueId: 'a' }),
      await call('/v0.1/legacy/reportStatus/download', { ...fields, clientUniqueId: 'b' }),
    ]).toEqual([200, 200, 200, 200]);
    expect(await metrics()).toEqual([{ label: 'v1', active: 2, downloaded: 2, failed: 0, installed: 2 }]);
  });

  test.each([
    ['deploy', { label: 'v1' }, /status must be/],
    ['deploy', { label: 'v1', status: 'Fine' }, /status must be/],
    ['deploy', { label: 'v1', status: 'toString' }, /status must be/],
    ['deploy', { app_version: 'x' }, /app_version/],
    ['deploy', { app_version: null }, /app_version/],
    ['download', {}, /label is missing/],
    ['download', { label: 'v1', deployment_key: null }, /deployment_key/],
  ] as const)('to %s with %j are rejected', async (kind, fields, message) => {
    const { app, keys } = await withDeployments(dialect);
    const body = { deployment_key: keys.Staging, app_version: '1.0.0', ...fields };
    const response = await app.call('POST', `/v0.1/public/codepush/report_status/${kind}`, { body });
    expect([response.statusCode, response.body]).toEqual([400, expect.stringMatching(message)]);
  });

  test('with malformed values are rejected or not counted, and do not affect others', async () => {
    const { app, keys, release, report, metrics } = await withDeployments(dialect);
    await release('one');
    const key = fc.constantFrom(keys.Staging ?? '', keys.Production ?? '', 'nobody-has-this-key');
    const sound = ['v1', '1.0', 'DeploymentSucceeded', 'DeploymentFailed', 'phone'];
    const hostile = [
      '',
      '\0',
      '\ud800',
      '\u2028',
      "'; --",
      '__proto__',
      '1.0.0-'.repeat(40),
      'v'.repeat(1000),
      'x'.repeat(1001),
    ];
    const value = fc.oneof(
      fc.constantFrom(...sound, ...hostile),
      fc.constantFrom(null, true, -1, 1e308, [], {}, [['v1']], { length: 1 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      key,
    );
    const names = [
      ...[
        'deployment_key',
        'label',
        'app_version',
        'previous_deployment_key',
        'previous_label_or_app_version',
        'status',
      ],
      ...['client_unique_id', 'deploymentKey', 'appVersion', 'previousDeploymentKey', 'previousLabelOrAppVersion'],
      ...['clientUniqueId', '__proto__'],
    ];
    const fields = fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: names.length });
    const addresses = ['/v0.1/public/codepush/report_status', '/v0.1/legacy/reportStatus', '/reportStatus'];
    const url = fc.tuple(fc.constantFrom(...addresses), fc.constantFrom('deploy', 'download'));
    const cut = fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(200) });
    const request = fc.record({ url, fields, key, hasKey: fc.boolean(), cut });
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(request, async ({ url, fields, key, hasKey, cut }) => {
        const whole = JSON.stringify({ ...fields, ...(hasKey ? { deployment_key: key, deploymentKey: key } : {}) });
        const { statusCode, body } = await app.call('POST', url.join('/'), {
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(whole.slice(0, cut ?? whole.length)),
        });
        statuses.add(statusCode);
        expect([200, 400, 404, 411], `${whole} was answered with ${statusCode} ${body}`).toContain(statusCode);
      }),
      { numRuns: 300, seed: 1 },
    );
    expect(statuses).toEqual(new Set([200, 400, 404, 411]));
    const labels = (await metrics()).map(({ label }: { label: string }) => label);
    expect(labels.filter((label: string) => !/^(v1|\d+\.\d+\.\d+)/.test(label))).toEqual([]);
    const downloads = async () =>
      (await metrics()).find(({ label }: { label: string }) => label === 'v1')?.downloaded ?? 0;
    const before = await downloads();
    expect(await report('download', { label: 'v1', client_unique_id: 'a sound one' })).toBe(200);
    expect(await downloads()).toBe(before + 1);
  });

  test('are deleted with the releases, and their hashes after a month', async () => {
    const { app, request, release, report, metrics } = await withDeployments(dialect);
    await release('one');
    await report('download', { label: 'v1', client_unique_id: 'a' });
    const marks = async () => (await app.database.query((q) => q.selectFrom('codepush_reports').select('mark'))).length;
    app.advance(29 * DAY);
    await sweepReports(systemCtx(app.deps));
    expect(await marks()).toBe(1);
    app.advance(DAY + HOUR);
    await sweepReports(systemCtx(app.deps));
    expect(await marks()).toBe(0);
    expect(await metrics()).toHaveLength(1);
    await request('DELETE', at('Staging', '/releases'));
    expect(await metrics()).toEqual([]);
  });
});

eachDatabase('metrics over time', (dialect) => {
  test('are counted per hour and day and deleted after the retention period', async () => {
    const { app, request, release, report } = await withDeployments(dialect, { codepushMetricsDays: 7 });
    await release('one');
    await report('download', { label: 'v1', client_unique_id: 'a' });
    await report('deploy', { label: 'v1', client_unique_id: 'a', status: 'DeploymentSucceeded' });
    app.advance(HOUR);
    await report('deploy', { label: 'v1', client_unique_id: 'b', status: 'DeploymentFailed' });
    app.advance(DAY);
    await report('deploy', { app_version: '1.10', client_unique_id: 'c', previous_label_or_app_version: 'v1' });
    await report('deploy', { app_version: '1.9', client_unique_id: 'd' });
    const overTime = async (query = '') => (await request('GET', at('Staging', `/metrics/over_time${query}`))).body;
    const nothing = { active_change: 0, downloaded: 0, installed: 0, failed: 0 };
    const one = { ...nothing, active_change: 1, installed: 1 };
    const first = { label: 'v1', active_change: 1, downloaded: 1, installed: 1, failed: 1 };
    const second = [
      { label: '1.9.0', ...one },
      { label: '1.10.0', ...one },
      { label: 'v1', ...nothing, active_change: -1 },
    ];
    const days = (await overTime()).values;
    expect(days.map(({ start }: { start: string }) => start)).toEqual(
      [27, 28, 29, 30, 31]
        .map((day) => `2026-10-${day}T00:00:00.000Z`)
        .concat('2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'),
    );
    expect(days.slice(5).map(({ labels }: { labels: object[] }) => labels)).toEqual([[first], second]);
    const hours = (await overTime('?interval=PT1H&days=2')).values;
    expect([hours.length, hours.at(-1)]).toEqual([48, { start: '2026-11-02T10:00:00.000Z', labels: second }]);
    expect(hours.filter(({ labels }: { labels: object[] }) => labels.length > 0)).toEqual([
      { start: '2026-11-01T09:00:00.000Z', labels: [{ ...first, failed: 0 }] },
      { start: '2026-11-01T10:00:00.000Z', labels: [{ label: 'v1', ...nothing, failed: 1 }] },
      hours.at(-1),
    ]);
    expect(await request('GET', at('Staging', '/metrics/over_time?interval=PT1H&days=15'))).toEqual({
      status: 400,
      body: 'The interval PT1H covers at most 14 days. Request fewer days or a longer interval.',
    });
    expect((await request('GET', at('Staging', '/metrics/over_time?days=367'))).status).toBe(400);
    app.advance(6 * DAY);
    await sweepHours(systemCtx(app.deps));
    const stored = await app.database.query((q) =>
      q.selectFrom('codepush_hours').select(['label', 'failed']).orderBy('hour').orderBy('label'),
    );
    expect(stored.map(({ label, failed }) => [label, Number(failed)])).toEqual([
      ['v1', 1],
      ['1.10.0', 0],
      ['1.9.0', 0],
      ['v1', 0],
    ]);
  });
});

test('names a release or a binary in each report', () => {
  const fields = { key: 'k', version: '1.2', label: '' };
  expect(readDeploy(fields)).toMatchObject({ kind: 'success', label: '1.2.0', isBinary: true });
  expect(readDeploy({ ...fields, label: 'v1', status: 'DeploymentFailed', previousLabel: '1.1' })).toMatchObject({
    kind: 'failure',
    label: 'v1',
    previousLabel: '1.1.0',
  });
  expect(readDownload({ key: 'k', label: 'v7' })).toMatchObject({ kind: 'download', label: 'v7', isBinary: false });
});
