import { expect, test } from 'vitest';
import { createApk, createIpa } from '../../../../../../tools/samples/packages.ts';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { recorded } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { androidHash } from '../packages/android/apk.ts';

const B = '/v0.1/apps/ada/compass';
const hash = androidHash('com.example.compass', '1.4.0', '140');
const requestId = 'b7f0c5d2-2e9b-4d2f-8a57-6f0c5d2e9c01';

async function createFixtures(app: TestApp) {
  const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
  const compass = await app.addApp(ada, 'compass');
  const tokens = { ada: await app.userToken(ada), grace: await app.userToken(grace) };
  const call = (method: string, url: string, body?: unknown) => app.call(method, url, { token: tokens.ada, body });
  const upload = async (bytes: Buffer, base = B, name = 'app.apk') => {
    const headers = { 'content-type': 'application/octet-stream' };
    await app.call('PUT', `${base}/releases/uploads?file_name=${name}`, { token: tokens.ada, body: bytes, headers });
    await app.runJobs();
  };
  const distribute = async (name: string, releaseId: number, members: string[] = []) => {
    const { id } = (await call('POST', `${B}/distribution_groups`, { name })).json();
    if (members.length > 0) await call('POST', `${B}/distribution_groups/${name}/members`, { user_emails: members });
    await call('POST', `${B}/releases/${releaseId}/groups`, { id, notify_testers: false });
    return id as string;
  };
  /** Users who need not accept an invitation are in the group immediately. */
  await app.addMember(compass, grace, 'tester');
  const { app_secret: secret } = (await call('GET', B)).json();
  const setUp = async (token: string, more: object = {}, path = secret) => {
    const body = { release_hash: hash, redirect_id: 'com.example.compass', request_id: requestId, platform: 'Android' };
    return app.call('POST', `/v0.1/sdk/apps/${path}/private_update_setup`, { token, body: { ...body, ...more } });
  };
  const requestLatest = (token: string | undefined, query = '', path = secret) =>
    app.call('GET', `/v0.1/sdk/apps/${path}/releases/private/latest?release_hash=${hash}${query}`, { token });
  return { ada, grace, compass, tokens, secret, call, upload, distribute, setUp, requestLatest };
}

const tokenIn = (url: string): string => /update_token=(\w+)/.exec(url)?.[1] ?? '';

eachDatabase('an app that checks for private updates', (dialect) => {
  test('gets a token through its tester in the format SDKs expect, and then the releases of that tester', async () => {
    const app = await testApp(dialect);
    const { tokens, upload, distribute, setUp, requestLatest, call } = await createFixtures(app);
    await upload(createApk());
    await upload(createApk({ version: 141 }));
    await upload(createApk({ version: 142 }));
    const crew = await distribute('Crew', 1, ['grace@example.com']);
    await distribute('Others', 3);
    const response = (await setUp(tokens.grace)).json();
    expect(response).toMatchObject({ is_set_up: true, app_display_name: 'compass' });
    expect(response.redirect_url).toMatch(
      new RegExp(
        `^intent://updates/#Intent;scheme=appcenter;package=com\\.example\\.compass;S\\.request_id=${requestId};S\\.distribution_group_id=${crew};S\\.update_token=\\w{43};end$`,
      ),
    );
    const device = tokenIn(response.redirect_url);
    const latest = await requestLatest(device, '&is_install_page=true');
    expect(latest.json()).toMatchObject({
      id: 1,
      status: 'available',
      fileExtension: 'apk',
      distribution_group_id: crew,
    });
    expect(latest.body).not.toContain('Others');
    await call('POST', `${B}/releases/2/testers`, {
      email: 'grace@example.com',
      mandatory_update: true,
      notify_testers: false,
    });
    expect((await requestLatest(device)).json()).toMatchObject({ id: 2, mandatory_update: true });
    expect((await requestLatest(device, `&downloaded_release_id=1&distribution_group_id=${crew}`)).statusCode).toBe(
      200,
    );
    const body = { releases: [{ release: '1', distribution_group: crew }, { release: '2' }] };
    await expect
      .poll(async () => (await call('POST', `${B}/analytics/distribution/release_counts`, body)).json())
      .toMatchObject({
        total: 1,
        counts: [
          { unique_count: 1, total_count: 1 },
          { unique_count: 0, total_count: 0 },
        ],
      });
    expect(await recorded(app, 'update_token.')).toHaveLength(1);
    expect(await app.logged()).not.toContain(device);
  });

  test('on iOS is redirected by the scheme with its secret', async () => {
    const app = await testApp(dialect);
    const { tokens, call, upload, setUp } = await createFixtures(app);
    await call('POST', '/v0.1/apps', { name: 'tides', display_name: 'Tides', os: 'iOS', platform: 'Custom' });
    const base = '/v0.1/apps/ada/tides';
    await upload(createIpa(), base, 'tides.ipa');
    await call('POST', `${base}/releases/1/testers`, { email: 'ada@example.com', notify_testers: false });
    const { app_secret } = (await call('GET', base)).json();
    const release_hash = (await call('GET', `${base}/releases/1`)).json().package_hashes[0];
    const apple = { release_hash, redirect_id: `appcenter-${app_secret}`, platform: 'iOS' };
    const { redirect_url } = (await setUp(tokens.ada, apple, app_secret)).json();
    expect(redirect_url).toMatch(
      new RegExp(
        `^appcenter-${app_secret}://\\?request_id=${requestId}&distribution_group_id=[\\w-]{36}&update_token=\\w{43}$`,
      ),
    );
  });

  test('that was not installed from here is redirected with the reason, and without a token', async () => {
    const app = await testApp(dialect);
    const { tokens, upload, distribute, setUp, call } = await createFixtures(app);
    await upload(createApk());
    await distribute('Crew', 1);
    for (const [token, more] of [
      [tokens.grace, {}],
      [tokens.ada, { release_hash: androidHash('com.example.compass', '9.9.9', '999') }],
    ] as const) {
      const response = (await setUp(token, more)).json();
      expect(response.is_set_up).toBe(false);
      expect(response.redirect_url).toMatch(/;S\.request_id=[\w-]+;S\.update_setup_failed=This%20build%20[^;]+;end$/);
    }
    expect((await call('GET', '/v0.1/user/update_tokens')).json()).toEqual([]);
  });

  test('never has its token sent into another app', async () => {
    const app = await testApp(dialect);
    const { tokens, upload, distribute, setUp, secret } = await createFixtures(app);
    await upload(createApk());
    await upload(createApk({ name: 'com.example.other', version: 7 }));
    await distribute('Crew', 1, ['grace@example.com']);
    const elsewhere = [
      { redirect_id: 'com.evil.app' },
      { redirect_id: 'com.example.compass;S.x=y;end#' },
      { redirect_id: 'appcenter-other', platform: 'iOS' },
      { redirect_id: 'https', platform: 'iOS' },
    ];
    for (const more of elsewhere) {
      const { statusCode, body } = await setUp(tokens.grace, more);
      expect([more.redirect_id, statusCode, body.includes('token=')]).toEqual([more.redirect_id, 400, false]);
    }
    const other = (await setUp(tokens.grace, { redirect_id: 'com.example.other' })).json();
    expect([other.is_set_up, tokenIn(other.redirect_url)]).toEqual([false, '']);
    const odd = { request_id: 'x;S.update_token=y;end' };
    expect((await setUp(tokens.grace, odd)).json().redirect_url).toContain(
      'S.request_id=x%3BS.update_token%3Dy%3Bend;',
    );
    expect((await setUp(tokens.grace, {}, crypto.randomUUID())).json().code).toBe('not_found');
    expect((await setUp(await app.userToken(await app.addUser('mary'), { scope: ['viewer'] }))).statusCode).toBe(403);
    expect(secret).toBeTruthy();
  });

  test('is refused with any credential except a valid token of this app', async () => {
    const app = await testApp(dialect);
    const { ada, grace, compass, tokens, upload, distribute, setUp, requestLatest, call } = await createFixtures(app);
    await upload(createApk());
    const group = await distribute('Crew', 1, ['grace@example.com']);
    const device = tokenIn((await setUp(tokens.grace)).json().redirect_url);
    await app.addApp(ada, 'sextant');
    const { app_secret } = (await call('GET', '/v0.1/apps/ada/sextant')).json();
    const wrong = [undefined, 'x', tokens.grace, await app.appToken(compass, ada), `${device}x`, 'y'.repeat(43)];
    for (const token of wrong) expect((await requestLatest(token)).statusCode).toBe(401);
    expect((await requestLatest(device, '', app_secret)).statusCode).toBe(401);
    expect((await requestLatest(device, '', crypto.randomUUID())).json().code).toBe('not_found');
    // It is not valid for other operations.
    expect((await app.call('GET', '/v0.1/user', { token: device })).statusCode).toBe(401);

    expect((await requestLatest(device)).json().id).toBe(1);
    await call('DELETE', `${B}/releases/1/groups/${group}`);
    const nothing = await requestLatest(device);
    expect([nothing.statusCode, nothing.json().code]).toEqual([404, 'no_releases_for_user']);
    await call('POST', `${B}/releases/1/groups`, { id: group, notify_testers: false });
    expect((await requestLatest(device)).json().id).toBe(1);
    const left = { user_emails: ['grace@example.com'] };
    await call('POST', `${B}/distribution_groups/Crew/members/bulk_delete`, left);
    expect((await requestLatest(device)).json().code).toBe('no_releases_for_user');

    const [{ id }] = (await app.call('GET', '/v0.1/user/update_tokens', { token: tokens.grace })).json();
    expect((await call('DELETE', `/v0.1/user/update_tokens/${id}`)).statusCode).toBe(404);
    const deleted = await app.call('DELETE', `/v0.1/user/update_tokens/${id}`, { token: tokens.grace });
    expect([deleted.statusCode, (await requestLatest(device)).statusCode]).toEqual([204, 401]);
    expect(grace.name).toBe('grace');
  });

  test('has at most fifty tokens per tester; the oldest are deleted', async () => {
    const app = await testApp(dialect);
    const { tokens, upload, distribute, setUp, requestLatest } = await createFixtures(app);
    await upload(createApk());
    await distribute('Crew', 1, ['grace@example.com']);
    const first = tokenIn((await setUp(tokens.grace)).json().redirect_url);
    for (let n = 0; n < 50; n++) {
      app.advance(1);
      await setUp(tokens.grace);
    }
    const list = await app.call('GET', '/v0.1/user/update_tokens', { token: tokens.grace });
    expect([list.json().length, (await requestLatest(first)).statusCode]).toEqual([50, 401]);
  });
});
