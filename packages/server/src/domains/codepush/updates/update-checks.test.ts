import { expect, test } from 'vitest';
import { at, deploymentsUrl, withDeployments } from '../../../../test/harness/codepush.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { createUpdateChecks } from './update-checks.ts';

const none = {
  is_available: false,
  download_url: '',
  package_hash: '',
  label: '',
  target_binary_range: '',
  package_size: 0,
  is_mandatory: false,
  description: '',
  update_app_version: false,
  should_run_binary_version: false,
  is_disabled: false,
};

eachDatabase('update checks', (dialect) => {
  test('return the update for the binary version of the device, or none', async () => {
    const { check, release } = await withDeployments(dialect);
    expect(await check()).toEqual({ ...none, should_run_binary_version: true });
    const { body } = await release('one', 'Staging', { description: 'first', mandatory: true });
    const update = {
      ...none,
      is_available: true,
      download_url: body.blob_url,
      package_hash: body.package_hash,
      label: 'v1',
      target_binary_range: '1.0',
      package_size: body.size,
      is_mandatory: true,
      description: 'first',
      rollout: 100,
    };
    expect(await check({ app_version: '1.0' })).toEqual(update);
    expect(await check({ label: 'v1', package_hash: body.package_hash })).toEqual(none);
    expect(await check({ app_version: '0.9.0' })).toEqual({
      ...none,
      target_binary_range: '1.0.0',
      update_app_version: true,
      should_run_binary_version: true,
    });
    expect(await check({ app_version: '0.9.0', is_companion: 'true' })).toMatchObject({ label: 'v1' });
  });

  test('of older SDKs get responses in their format, at both of their URLs', async () => {
    const { app, keys, release } = await withDeployments(dialect);
    const { body } = await release('one');
    const query = new URLSearchParams({ deploymentKey: keys.Staging ?? '', appVersion: '1.0.0', packageHash: '' });
    for (const path of ['/updateCheck', '/v0.1/legacy/updateCheck']) {
      const response = await app.call('GET', `${path}?${query}`);
      expect([response.statusCode, response.json()]).toEqual([
        200,
        {
          updateInfo: {
            isAvailable: true,
            downloadURL: body.blob_url,
            packageHash: body.package_hash,
            label: 'v1',
            appVersion: '1.0.0',
            packageSize: body.size,
            isMandatory: false,
            description: '',
            updateAppVersion: false,
            shouldRunBinaryVersion: false,
            isDisabled: false,
            rollout: 100,
          },
        },
      ]);
    }
  });

  test('return every change with the next request, in every process', async () => {
    const { app, request, check, release } = await withDeployments(dialect);
    const other = { ...app, ...(await app.another()) };
    const seen = async () => {
      const [here, there] = [await check(), await check({}, 'Staging', other)];
      expect(there).toEqual(here);
      return Array.isArray(here) ? here[0] : [here.label, here.is_mandatory, here.description].join(' ');
    };
    expect(await seen()).toBe(' false ');
    await release('one');
    expect(await seen()).toBe('v1 false ');
    await release('two');
    expect(await seen()).toBe('v2 false ');
    await request('PATCH', at('Staging', '/releases/v2'), { is_mandatory: true, description: 'must' });
    expect(await seen()).toBe('v2 true must');
    await request('PATCH', at('Staging', '/releases/v2'), { is_disabled: true });
    expect(await seen()).toBe('v1 false ');
    await request('POST', at('Staging', '/rollback_release'), { label: 'v1' });
    expect(await seen()).toBe('v3 false ');
    await request('PATCH', at('Staging'), { name: 'Renamed' });
    expect(await seen()).toBe('v3 false ');
    await request('DELETE', at('Renamed', '/releases'));
    expect(await seen()).toBe(' false ');
    await request('DELETE', at('Renamed'));
    expect(await seen()).toBe(404);
  });

  test('end with the deletion of the app', async () => {
    const { app, request, check, release } = await withDeployments(dialect);
    const other = { ...app, ...(await app.another()) };
    await release('one');
    for (const process of [app, other]) expect(await check({}, 'Staging', process)).toMatchObject({ label: 'v1' });
    expect((await request('DELETE', '/v0.1/apps/ada/compass')).status).toBe(204);
    for (const process of [app, other])
      expect(await check({}, 'Staging', process)).toMatchObject([404, /No deployment/]);
  });

  test('keep the cached responses of other deployments after a change', async () => {
    const { check, release } = await withDeployments(dialect);
    await release('one');
    await release('two', 'Production');
    expect([(await check()).label, (await check({}, 'Production')).label]).toEqual(['v1', 'v1']);
    await release('three');
    expect([(await check()).label, (await check({}, 'Production')).label]).toEqual(['v2', 'v1']);
  });

  test('return the same result for a device during a rollout', async () => {
    const { request, check, release } = await withDeployments(dialect);
    await release('one');
    await release('two');
    await release('three', 'Staging', { rollout: 24 });
    const labels = async () =>
      Promise.all(
        ['device-1', 'device-2', undefined].map(
          async (device) => (await check(device ? { client_unique_id: device } : {})).label,
        ),
      );
    // Their places for v3 are 32 and 23.
    expect([await labels(), await labels()]).toEqual(Array(2).fill(['v2', 'v3', 'v2']));
    await request('PATCH', at('Staging', '/releases/v3'), { rollout: 33 });
    expect(await labels()).toEqual(['v3', 'v3', 'v2']);
    await request('PATCH', at('Staging', '/releases/v3'), { rollout: 100 });
    expect(await labels()).toEqual(['v3', 'v3', 'v3']);
  });

  test('with missing or invalid parameters are rejected with a message', async () => {
    const { app, check, keys } = await withDeployments(dialect);
    expect(await check({ deployment_key: 'nobody-has-this-key' })).toEqual([
      404,
      'No deployment has this key. Copy the key from the page of the deployment.',
    ]);
    expect(await check({ deployment_key: 'x' })).toMatchObject([404, /No deployment/]);
    expect(await check({ deployment_key: "' or 1=1 --" })).toMatchObject([404, /No deployment/]);
    expect(await check({ deployment_key: '' })).toMatchObject([400, /deployment_key and app_version/]);
    expect(await check({ app_version: '' })).toMatchObject([400, /deployment_key and app_version/]);
    expect(await check({ app_version: 'latest' })).toEqual([
      400,
      '"latest" is not a valid binary version. Use a version such as 1.2.0.',
    ]);
    expect(await check({ label: 'x'.repeat(1001) })).toMatchObject([400, /label/]);
    const twice = `/v0.1/public/codepush/update_check?deployment_key=${keys.Staging}&deployment_key=a&app_version=1`;
    expect((await app.call('GET', twice)).statusCode).toBe(400);
    expect((await app.call('GET', '/v0.1/public/codepush/status')).json()).toEqual({
      code: 200,
      message: 'The server accepts requests from devices.',
    });
  });

  test('are not rate-limited, because devices of a network share an address', async () => {
    const { app, request, keys } = await withDeployments(dialect, { rateLimit: 20 });
    const url = `/v0.1/public/codepush/update_check?deployment_key=${keys.Staging}&app_version=1.0.0`;
    for (let n = 0; n < 30; n += 1) expect((await app.call('GET', url)).statusCode).toBe(200);
    const statuses = [];
    for (let n = 0; n < 30; n += 1) statuses.push((await request('GET', deploymentsUrl)).status);
    expect(statuses).toContain(429);
  });

  test('are accepted from web pages, as Cordova apps send them', async () => {
    const { app, keys } = await withDeployments(dialect);
    const headers = { origin: 'http://localhost' };
    const query = `deployment_key=${keys.Staging}&app_version=1.0.0`;
    const response = await app.call('GET', `/v0.1/public/codepush/update_check?${query}`, { headers });
    expect(response.headers['access-control-allow-origin']).toBe('*');
    const report = { deployment_key: keys.Staging, app_version: '1.0.0' };
    const reported = await app.call('POST', '/v0.1/public/codepush/report_status/deploy', { headers, body: report });
    expect(reported.statusCode).toBe(200);
  });

  test('limit the size of the cache, and skip it for requests longer than those of devices', async () => {
    const { app, keys, release } = await withDeployments(dialect);
    await release('one', 'Staging', { description: 'd'.repeat(1000) });
    let written = 0;
    const checkUpdate = createUpdateChecks(
      app.deps,
      (update) => {
        written += 1;
        return update;
      },
      20_000,
    );
    const checkLabel = async (label: string) => {
      const before = written;
      const params = { key: keys.Staging ?? '', version: '1.0.0', label, packageHash: '' };
      await checkUpdate({ ...params, isCompanion: false, deviceId: undefined }, app.deps.publicUrl());
      return written > before ? 'made' : 'kept';
    };
    expect([await checkLabel('a'), await checkLabel('a')]).toEqual(['made', 'kept']);
    expect([await checkLabel('x'.repeat(501)), await checkLabel('x'.repeat(501))]).toEqual(['made', 'made']);
    for (let at = 0; at < 20; at += 1) expect(await checkLabel(`label-${at}`)).toBe('made');
    expect([await checkLabel('label-19'), await checkLabel('a')]).toEqual(['kept', 'made']);
  });
});
