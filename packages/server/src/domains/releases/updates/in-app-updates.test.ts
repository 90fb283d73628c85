import { expect, test } from 'vitest';
import { createAab, createApk, createIpa } from '../../../../../../tools/samples/packages.ts';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { androidHash } from '../packages/android/apk.ts';
import { readPlist } from '../packages/apple/plist.ts';

const publicUrl = 'https://mooring.example.com';
const B = '/v0.1/apps/ada/compass';

async function createFixtures(app: TestApp) {
  const ada = await app.addUser('ada');
  await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const call = (method: string, url: string, body?: unknown) => app.call(method, url, { token, body });
  const upload = async (bytes: Buffer, base = B, name = 'app.apk') => {
    const headers = { 'content-type': 'application/octet-stream' };
    await app.call('PUT', `${base}/releases/uploads?file_name=${name}`, { token, body: bytes, headers });
    await app.runJobs();
  };
  const { app_secret } = (await call('GET', B)).json();
  const group = async (name: string, is_public: boolean): Promise<string> => {
    const { id } = (await call('POST', `${B}/distribution_groups`, { name })).json();
    await call('PATCH', `${B}/distribution_groups/${name}`, { is_public });
    return id;
  };
  const request = (rest: string, secret = app_secret) => app.call('GET', `/v0.1/public/sdk/apps/${secret}/${rest}`);
  return { call, upload, group, request, app_secret, token };
}

eachDatabase('an app that checks for updates', (dialect) => {
  test('gets the latest release of its public groups in the format SDKs expect', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, upload, group, request } = await createFixtures(app);
    await upload(createApk());
    await upload(createApk({ version: 141 }));
    const [open, closed] = [await group('Open', true), await group('Closed', false)];
    await call('POST', `${B}/releases/1/groups`, { id: open, mandatory_update: true });
    await call('POST', `${B}/releases/2/groups`, { id: closed });
    const hash = androidHash('com.example.compass', '1.4.0', '140');
    const response = await request(`releases/latest?is_install_page=true&release_hash=${hash}`);
    expect(response.headers['content-type']).toContain('application/json');
    expect(response.json()).toMatchObject({
      id: 1,
      version: '140',
      short_version: '1.4.0',
      size: createApk().length,
      android_min_api_level: '26',
      fileExtension: 'apk',
      mandatory_update: true,
      package_hashes: [hash],
      distribution_group_id: open,
      status: 'available',
      release_notes: '',
      download_url: expect.stringMatching(/^https:\/\/mooring\.example\.com\/files\//),
    });
    expect(response.json().destinations).toHaveLength(1);
    expect(response.body).not.toContain(closed);
    expect((await request(`distribution_groups/${open}/releases/latest`)).json().id).toBe(1);
    expect((await request(`distribution_groups/${closed}/releases/latest`)).json().code).toBe('no_releases_for_user');
    expect((await request(`releases/${hash}/public_distribution_groups`)).json()).toEqual([{ id: open }]);
  });

  test('sees every change immediately, in every process, despite caching', async () => {
    const app = await testApp(dialect);
    const { call, upload, group, request, app_secret } = await createFixtures(app);
    const other = await app.another();
    const latest = async () => {
      const [here, there] = [
        await request('releases/latest'),
        await other.http.inject({ method: 'GET', url: `/v0.1/public/sdk/apps/${app_secret}/releases/latest` }),
      ];
      expect(here.json().id ?? here.json().code).toEqual(there.json().id ?? there.json().code);
      return here.json().id ?? here.json().code;
    };
    expect(await latest()).toBe('no_releases_for_user');
    await upload(createApk());
    const id = await group('Open', true);
    await call('POST', `${B}/releases/1/groups`, { id });
    expect(await latest()).toBe(1);
    await upload(createApk({ version: 141 }));
    expect(await latest()).toBe(1);
    await call('POST', `${B}/releases/2/groups`, { id });
    expect(await latest()).toBe(2);
    await call('PUT', `${B}/releases/2`, { enabled: false });
    expect(await latest()).toBe(1);
    await call('PUT', `${B}/releases/2`, { enabled: true });
    await call('DELETE', `${B}/releases/2/groups/${id}`);
    expect(await latest()).toBe(1);
    await call('PATCH', `${B}/distribution_groups/Open`, { is_public: false });
    expect(await latest()).toBe('no_releases_for_user');
  });

  test('never gets a release that only a store can install', async () => {
    const app = await testApp(dialect);
    const { call, upload, group, request } = await createFixtures(app);
    await upload(createApk());
    await upload(createAab({ version: 150 }), B, 'app.aab');
    const id = await group('Open', true);
    await call('POST', `${B}/releases/2/groups`, { id });
    expect((await request('releases/latest')).json().code).toBe('no_releases_for_user');
    await call('POST', `${B}/releases/1/groups`, { id });
    expect((await request('releases/latest')).json()).toMatchObject({ id: 1, fileExtension: 'apk' });
  });

  test('gets working links even from a cached response', async () => {
    const app = await testApp(dialect, { publicUrl, downloadMinutes: 60 });
    const { call, upload, group, request } = await createFixtures(app);
    await upload(createApk());
    await call('POST', `${B}/releases/1/groups`, { id: await group('Open', true) });
    await request('releases/latest');
    app.advance(HOUR - 1000);
    const { download_url } = (await request('releases/latest')).json();
    app.advance(2000);
    expect((await app.call('GET', download_url.slice(publicUrl.length))).statusCode).toBe(200);
  });

  test('with an unknown app secret gets the error code SDKs expect', async () => {
    const app = await testApp(dialect);
    const { request } = await createFixtures(app);
    for (const secret of [crypto.randomUUID(), 'x', '%20']) {
      const response = await request('releases/latest', secret);
      expect([response.statusCode, response.json().code]).toEqual([404, 'not_found']);
    }
  });

  test('is counted as installed when it reports so', async () => {
    const app = await testApp(dialect);
    const { call, upload, group, request } = await createFixtures(app);
    await upload(createApk());
    const id = await group('Open', true);
    await call('POST', `${B}/releases/1/groups`, { id });
    const report = `releases/latest?distribution_group_id=${id}&downloaded_release_id=1&install_id=${crypto.randomUUID()}`;
    await request(report);
    for (const odd of ['999', '-1', '1e9', 'x', '1;drop'])
      await request(`releases/latest?downloaded_release_id=${odd}`);
    await expect
      .poll(() =>
        app.database.query((q) => q.selectFrom('release_installs').select(['release_id', 'group_id', 'count'])),
      )
      .toEqual([{ release_id: 1, group_id: id, count: 1 }]);
  });

  test('on iOS is installed from a manifest with its own token', async () => {
    const app = await testApp(dialect, { publicUrl, downloadMinutes: 60 });
    const { call, upload } = await createFixtures(app);
    await call('POST', '/v0.1/apps', { name: 'tides', display_name: 'Tides <&>', os: 'iOS', platform: 'Custom' });
    await upload(createIpa(), '/v0.1/apps/ada/tides', 'tides.ipa');
    const release = (await call('GET', '/v0.1/apps/ada/tides/releases/1?udid=00008030-000a1b2c3d4e5f60')).json();
    expect(release).toMatchObject({ is_udid_provisioned: true, provisioning_profile_type: 'adhoc' });
    const [, encoded = ''] = /^itms-services:\/\/\?action=download-manifest&url=(.+)$/.exec(release.install_url) ?? [];
    const address = decodeURIComponent(encoded).slice(publicUrl.length);
    const response = await app.call('GET', address);
    expect(response.headers['content-type']).toContain('application/xml');
    const { items } = readPlist(Buffer.from(response.body)) as {
      items: { assets: { url: string }[]; metadata: object }[];
    };
    expect(items[0]?.metadata).toMatchObject({
      'bundle-identifier': 'com.example.tides',
      'bundle-version': '1.2.3',
      title: 'Tides <&>',
    });
    const file = await app.call('GET', String(items[0]?.assets[0]?.url).slice(publicUrl.length));
    expect(file.rawPayload.equals(createIpa())).toBe(true);
    const refused = async (url: string) => (await app.call('GET', url)).statusCode;
    expect(await refused(address.replace('/releases/1/', '/releases/2/'))).toBe(403);
    expect(await refused(address.replace(/token=.*/, 'token=x'))).toBe(403);
    await call('PUT', '/v0.1/apps/ada/tides/releases/1', { enabled: false });
    expect(await refused(address)).toBe(404);
    app.advance(HOUR);
    expect(await refused(address)).toBe(403);
  });
});
