import { expect, test } from 'vitest';
import { createApk, createIpa } from '../../../../../../../tools/samples/packages.ts';
import { type TestApp, testApp } from '../../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../../test/harness/services/databases.ts';
import { DAY } from '../../../../kernel/clock.ts';

const publicUrl = 'https://mooring.example.com';
const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Safari/604.1';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15';
const platforms = { Android: 'Java', iOS: 'Objective-C-Swift' };

/** Ada owns apps; Grace tests some of them. */
async function createFixtures(app: TestApp) {
  const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
  const tokens = { ada: await app.userToken(ada), grace: await app.userToken(grace) };
  const call = (method: string, url: string, body?: unknown, token = tokens.ada) =>
    app.call(method, url, { token, body });
  const headers = { 'content-type': 'application/octet-stream' };
  /** Uploads a release and distributes it to Grace. */
  const release = async (name: string, file: string, bytes: Buffer) => {
    await app.call('PUT', `/v0.1/apps/${name}/releases/uploads?file_name=${file}`, {
      token: tokens.ada,
      body: bytes,
      headers,
    });
    await app.runJobs();
    const [{ id }] = (await call('GET', `/v0.1/apps/${name}/releases`)).json();
    const group = await call('GET', `/v0.1/apps/${name}/distribution_groups/Testers`);
    const body = { id: group.json().id, notify_testers: false };
    expect((await call('POST', `/v0.1/apps/${name}/releases/${id}/groups`, body)).statusCode).toBe(201);
    return id as number;
  };
  const addApp = async (name: string, os: 'Android' | 'iOS' = 'Android') => {
    const body = { name, display_name: name, os, platform: platforms[os] };
    const { id } = (await call('POST', '/v0.1/apps', body)).json();
    await app.addMember({ id, ownerId: ada.id, ownerName: 'ada', name }, grace, 'tester');
    const groups = `/v0.1/apps/ada/${name}/distribution_groups`;
    await call('POST', groups, { name: 'Testers' });
    await call('POST', `${groups}/Testers/members`, { user_emails: ['grace@example.com'] });
    return { id: id as string, groups };
  };
  const open = (path = '/install/', { as, agent = android }: { as?: string; agent?: string } = {}) =>
    app.call('GET', path, { ...(as ? { token: as } : {}), headers: { accept: 'text/html', 'user-agent': agent } });
  /** Follows the button of an app on the shelf, and waits until the install is counted. */
  const press = async (body: string, label: string) => {
    const [, href = ''] = new RegExp(`href="([^"]+)" aria-label="${label}`).exec(body) ?? [];
    const response = await app.call('GET', href.replaceAll('&amp;', '&'));
    return response.headers.location?.slice(publicUrl.length) ?? '';
  };
  const home = async (agent = android) => (await open('/install/', { as: tokens.grace, agent })).body;
  return { ada, grace, tokens, call, release, addApp, open, press, home };
}

eachDatabase('the home page of a tester', (dialect) => {
  test('shows the latest release of each app that was distributed to the visitor, and no other', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { addApp, release, open, home, call } = await createFixtures(app);
    await addApp('compass');
    await addApp('sextant');
    await addApp('secret');
    await release('ada/compass', 'a.apk', createApk());
    await release('ada/compass', 'b.apk', createApk({ version: 141 }));
    await release('ada/sextant', 'a.apk', createApk());
    await call('POST', '/v0.1/apps/ada/secret/distribution_groups/Testers/members/bulk_delete', {
      user_emails: ['grace@example.com'],
    });
    await release('ada/secret', 'a.apk', createApk());
    const body = await home();
    expect(body).toContain('<h1 class="top">Your apps</h1>');
    expect(body.match(/<li class="card">/g)).toHaveLength(2);
    expect(body).toContain('(141)');
    expect(body).not.toContain('secret');
    expect(body).toContain('href="/install/users/ada/apps/compass#history"');
    expect(body).not.toMatch(/<script|src="http|javascript:/);
    const other = await app.userToken(await app.addUser('linus'));
    expect((await open('/install/', { as: other })).body).toContain('No apps yet.');
    const anonymous = await open();
    expect([anonymous.statusCode, anonymous.body.includes('/sign-in?next=%2Finstall%2F')]).toEqual([200, true]);
    expect(anonymous.body).not.toContain('compass');
  });

  test('hides an app as soon as the visitor is removed from its group, or its release is disabled', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { addApp, release, home, call, press } = await createFixtures(app);
    const { groups } = await addApp('compass');
    await addApp('sextant');
    await release('ada/compass', 'a.apk', createApk());
    await release('ada/sextant', 'a.apk', createApk());
    const before = await home();
    expect(before).toContain('compass');
    await call('POST', `${groups}/Testers/members/bulk_delete`, { user_emails: ['grace@example.com'] });
    await call('PUT', '/v0.1/apps/ada/sextant/releases/1', { enabled: false });
    const body = await home();
    expect([body.includes('compass'), body.includes('sextant')]).toEqual([false, false]);
    // Links of the page that was open before stop working for them, too.
    expect(await press(before, 'Install sextant')).toBe('/install/');
  });

  test('marks an update of an app that the visitor installed from here', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { addApp, release, home, press, open, tokens } = await createFixtures(app);
    await addApp('compass');
    await release('ada/compass', 'a.apk', createApk());
    const first = await home();
    expect(first).not.toMatch(/class="badge/);
    expect(await press(first, 'Install compass')).toMatch(/^\/files\//);
    await expect.poll(async () => (await home()).includes('>Installed</span>')).toBe(true);
    expect(await home()).toContain('Install again');
    await release('ada/compass', 'b.apk', createApk({ version: 141 }));
    const next = await home();
    expect(next).toContain('<span class="badge new">Update</span>');
    expect(next).not.toContain('>Installed</span>');
    const page = (await open('/install/users/ada/apps/compass', { as: tokens.grace })).body;
    expect(page).toContain('<span class="badge new">Update</span>');
    expect(page).toMatch(/releases\/1">[^<]+<\/a> <span class="badge ok">Installed</);
    await press(next, 'Update compass');
    await expect.poll(async () => (await home()).includes('>Installed</span>')).toBe(true);
    // The older link was followed later, but the newer release stays known.
    await press(first, 'Install compass');
    expect(await home()).toContain('>Installed</span>');
    const [counts] = (
      await app.call('POST', '/v0.1/apps/ada/compass/analytics/distribution/release_counts', {
        token: tokens.ada,
        body: { releases: [{ release: '2' }] },
      })
    ).json().counts;
    expect(counts).toMatchObject({ total_count: 1, unique_count: 1 });
  });

  test('refuses links that were changed, name a user without access, or have expired', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { addApp, release, home, call } = await createFixtures(app);
    const { groups } = await addApp('compass');
    await release('ada/compass', 'a.apk', createApk());
    const [, link = ''] = /href="(\/install\/downloads\/[^"]+)"/.exec(await home()) ?? [];
    const follow = async (path: string) => (await app.call('GET', path)).headers.location;
    expect(await follow(link)).toContain('/files/');
    const [id = '', appId = '', userId = '', ...token] = (link.split('/').at(-1) ?? '').split('.');
    const other = (await app.addUser('linus')).id.replaceAll('-', '');
    for (const parts of [
      ['2', appId, userId],
      [id, userId, userId],
      [id, appId, other],
      [id, appId],
    ])
      expect(await follow(`/install/downloads/${[...parts, ...token].join('.')}`)).toBe(`${publicUrl}/install/`);
    await call('POST', `${groups}/Testers/members/bulk_delete`, { user_emails: ['grace@example.com'] });
    // Grace still has the permission tester on the app, but no release.
    expect(await follow(link)).toBe(`${publicUrl}/install/`);
    await call('POST', `${groups}/Testers/members`, { user_emails: ['grace@example.com'] });
    expect(await follow(link)).toContain('/files/');
    app.advance(DAY + 1);
    expect(await follow(link)).toBe(`${publicUrl}/install/`);
  });

  test('says what an iPhone needs: registration, a new build, or nothing', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { addApp, release, home, open, call, tokens, grace } = await createFixtures(app);
    await addApp('tides', 'iOS');
    await addApp('compass');
    await release('ada/compass', 'a.apk', createApk());
    const listed = '00008030-001C2D3E4F5A6B7C';
    await release('ada/tides', 'a.ipa', createIpa({ udids: [listed] }));
    const profile = 'href="/v0.1/user/devices/enrolment_profile">Register this iPhone<';
    const page = async (agent = iphone) =>
      (await open('/install/users/ada/apps/tides', { as: tokens.grace, agent })).body;
    expect(await home(iphone)).toContain(profile);
    expect(await home(iphone)).toContain('<h2>For other devices</h2>');
    expect(await home(android)).not.toContain(profile);
    expect(await page()).toContain('Register your device first');
    expect(await page(iphone.replace('iPhone', 'iPad'))).toContain('Register this iPad');
    expect(await page(mac)).toContain('open this page on it');
    const register = (udid: string) =>
      call('POST', `/v0.1/users/${grace.id}/devices/register`, { udid, model: 'iPhone15,2' }, tokens.grace);
    await register('00008030-000000000000AAAA');
    expect(await home(iphone)).toContain('Registered. Waiting for a new build');
    expect(await page()).toContain('iPhone15,2 (…AAAA)');
    await register(listed);
    const ready = await home(iphone);
    expect(ready).not.toContain('Waiting for a new build');
    expect(await page()).toContain('In the provisioning profile: iPhone15,2 (…6B7C). Not in the profile yet');
    const [, install = ''] = /href="(itms-services:[^"]+)" aria-label="Install tides/.exec(ready) ?? [];
    const manifest = new URL(install.replaceAll('&amp;', '&')).searchParams.get('url') ?? '';
    expect((await app.call('GET', manifest.slice(publicUrl.length))).statusCode).toBe(200);
    await expect.poll(async () => (await home(iphone)).includes('>Installed</span>')).toBe(true);
    // The token names the user who installs; another one is refused.
    const forged = manifest.slice(publicUrl.length).replace(grace.id, (await app.addUser('linus')).id);
    expect((await app.call('GET', forged)).statusCode).toBe(403);
  });

  test('can be installed as a web app', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { open } = await createFixtures(app);
    const { body } = await open();
    expect(body).toContain('<link rel="manifest" href="/install/app.webmanifest">');
    const manifest = await app.call('GET', '/install/app.webmanifest');
    expect(manifest.headers['content-type']).toContain('application/manifest+json');
    const { icons, start_url, display } = manifest.json();
    expect([start_url, display, icons.length]).toEqual(['/install/', 'standalone', 2]);
    for (const { src, sizes } of icons) {
      const icon = await app.call('GET', src);
      expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, 'image/png']);
      expect(`${icon.rawPayload.readUInt32BE(16)}x${icon.rawPayload.readUInt32BE(20)}`).toBe(sizes);
    }
    expect((await app.call('GET', '/install/icons/64')).statusCode).toBe(400);
  });
});

eachDatabase('the page of a shared group', (dialect) => {
  test('shows its apps to testers, members of the organization, and anyone if it is public', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { tokens, call, open } = await createFixtures(app);
    await call('POST', '/v0.1/orgs', { name: 'lighthouse' });
    const body = { display_name: 'compass', os: 'Android', platform: 'Java' };
    for (const name of ['compass', 'sextant']) await call('POST', '/v0.1/orgs/lighthouse/apps', { ...body, name });
    const groups = '/v0.1/orgs/lighthouse/distribution_groups';
    const { id } = (await call('POST', groups, { name: 'Everyone' })).json();
    await call('POST', `${groups}/Everyone/apps`, { apps: [{ name: 'compass' }] });
    const headers = { 'content-type': 'application/octet-stream' };
    for (const name of ['compass', 'sextant']) {
      const url = `/v0.1/apps/lighthouse/${name}/releases/uploads?file_name=a.apk`;
      await app.call('PUT', url, { token: tokens.ada, body: createApk(), headers });
      await app.runJobs();
    }
    await call('POST', '/v0.1/apps/lighthouse/compass/releases/1/groups', { id, notify_testers: false });
    const page = '/install/orgs/lighthouse/distribution_groups/everyone';
    for (const as of [undefined, tokens.grace]) {
      const hidden = await open(page, as ? { as } : {});
      const none = await open('/install/orgs/nowhere/distribution_groups/everyone', as ? { as } : {});
      expect([hidden.statusCode, none.statusCode]).toEqual([404, 404]);
      expect(hidden.body.replaceAll('lighthouse', 'nowhere')).toBe(none.body);
    }
    const own = await open(page, { as: tokens.ada });
    expect([own.statusCode, own.body.match(/<li class="card">/g)?.length]).toEqual([200, 1]);
    await call('PATCH', `${groups}/Everyone`, { is_public: true });
    const anonymous = await open(page);
    expect(anonymous.statusCode).toBe(200);
    expect(anonymous.body).toContain('href="/install/orgs/lighthouse/apps/compass/distribution_groups/Everyone"');
    expect(anonymous.body).not.toContain('sextant');
    const [, href = ''] = /class="button" href="([^"]+)"/.exec(anonymous.body) ?? [];
    expect((await app.call('GET', href)).rawPayload.equals(createApk())).toBe(true);
  });
});
