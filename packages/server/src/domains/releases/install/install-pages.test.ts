import { expect, test } from 'vitest';
import { createApk, createIpa } from '../../../../../../tools/samples/packages.ts';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { DAY } from '../../../kernel/clock.ts';

const publicUrl = 'https://mooring.example.com';
const B = '/v0.1/apps/ada/compass';
const page = '/install/users/ada/apps/compass';
const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36';
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Safari/604.1';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36';

async function createFixtures(app: TestApp, os: 'Android' | 'iOS' = 'Android') {
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  const platform = os === 'iOS' ? 'Objective-C-Swift' : 'Java';
  const body = { name: 'compass', display_name: 'compass', os, platform };
  const { id } = (await app.call('POST', '/v0.1/apps', { token, body })).json();
  const compass = { id, ownerId: ada.id, ownerName: ada.name, name: 'compass' };
  const grace = await app.addUser('grace');
  const call = (method: string, url: string, body?: unknown) => app.call(method, url, { token, body });
  const upload = async (bytes: Buffer, name = 'app.apk') => {
    const headers = { 'content-type': 'application/octet-stream' };
    await app.call('PUT', `${B}/releases/uploads?file_name=${name}`, { token, body: bytes, headers });
    await app.runJobs();
  };
  const group = async (name: string, releases: number[], change: object = {}, members: string[] = []) => {
    const { id } = (await call('POST', `${B}/distribution_groups`, { name })).json();
    await call('PATCH', `${B}/distribution_groups/${name}`, change);
    for (const email of members)
      await call('POST', `${B}/distribution_groups/${name}/members`, { user_emails: [email] });
    for (const release of releases)
      await call('POST', `${B}/releases/${release}/groups`, { id, notify_testers: false });
    return id as string;
  };
  /** Opens a path like a browser. */
  const open = (path: string, { as, agent = android }: { as?: string; agent?: string } = {}) =>
    app.call('GET', path, { ...(as ? { token: as } : {}), headers: { accept: 'text/html', 'user-agent': agent } });
  return { ada, grace, compass, token, call, upload, group, open };
}

eachDatabase('an install page', (dialect) => {
  test('of a public group needs no account, shows all releases, and provides the download', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, upload, group, open } = await createFixtures(app);
    const bytes = createApk({ version: 141 });
    await upload(createApk());
    await upload(bytes);
    await upload(createApk({ version: 142 }));
    await call('PUT', `${B}/releases/2`, { release_notes: '# New\n- **Faster** start' });
    await group('Open', [1, 2], { is_public: true });
    await group('Hidden-crew', [1, 2, 3]);
    const response = await open(`${page}/distribution_groups/Open`);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['content-security-policy']).toMatch(
      /^default-src 'none'; img-src 'self'; manifest-src 'self'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(response.body).toContain('(141)');
    expect(response.body).toContain('<li><strong>Faster</strong> start</li>');
    expect(response.body).toContain(`href="${page}/distribution_groups/Open/releases/1"`);
    expect(response.body).not.toContain('(142)');
    expect(response.body).not.toContain('Hidden-crew');
    expect(response.body).not.toMatch(/<script|src="http|javascript:/);
    const [, link = ''] = /class="button" href="([^"]+)">Install</.exec(response.body) ?? [];
    const file = await app.call('GET', link);
    expect(file.rawPayload.equals(bytes)).toBe(true);
    expect((await open(`${page}/distribution_groups/Open/releases/1`)).body).toContain('(140)');
    expect((await open(`${page}/distribution_groups/Open/releases/3`)).statusCode).toBe(404);
    await call('PUT', `${B}/releases/2`, { enabled: false });
    expect((await open(`${page}/distribution_groups/Open`)).body).toContain('(140)');
    await call('PATCH', `${B}/distribution_groups/Open`, { is_public: false });
    expect((await open(`${page}/distribution_groups/Open`)).statusCode).toBe(404);
  });

  test('of a private group looks missing to other visitors, and opens for its testers', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { upload, group, open, grace, compass, token } = await createFixtures(app);
    await app.addMember(compass, grace, 'tester');
    const stranger = await app.userToken(await app.addUser('linus'));
    const tester = await app.userToken(grace);
    await upload(createApk());
    await group('Crew', [1], {}, ['grace@example.com']);
    const ways = ['/distribution_groups/Crew', '/distribution_groups/Crew/releases/1', '', '/releases/1'];
    const nowhere = '/install/users/ada/apps/nothing';
    for (const way of ways) {
      for (const as of [undefined, stranger]) {
        const hidden = await open(page + way, as ? { as } : {});
        const none = await open(nowhere + way, as ? { as } : {});
        expect([way, hidden.statusCode, none.statusCode]).toEqual([way, 404, 404]);
        expect(hidden.body.replaceAll('compass', 'nothing')).toBe(none.body);
        expect(hidden.body.includes(`/sign-in?next=${encodeURIComponent(page + way)}`)).toBe(as === undefined);
      }
      for (const as of [tester, token]) expect([way, (await open(page + way, { as })).statusCode]).toEqual([way, 200]);
    }
    await app.call('DELETE', `${B}/distribution_groups/Crew/releases/1`, { token });
    expect((await open(`${page}/releases/1`, { as: tester })).statusCode).toBe(404);
    expect((await open(`${page}/distribution_groups/Crew`, { as: tester })).body).toContain('No releases yet');
  });

  test('has the right button for the visitor, and says where the app can be installed', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { upload, group, open } = await createFixtures(app);
    await upload(createApk());
    await group('Open', [1], { is_public: true });
    const at = async (agent: string) => (await open(`${page}/distribution_groups/Open`, { agent })).body;
    expect(await at(android)).toMatch(/class="button" href="[^"]+">Install</);
    expect(await at(android)).not.toContain('QR code');
    expect(await at(iphone)).toContain('This is an app for Android. Open this page on a device with Android.');
    expect(await at(windows)).toContain('aria-label="QR code of this page"');
    expect(await at('')).toContain('Download .apk');
  });

  test('of an iOS app has a manifest that stops working when its user loses access', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { grace, compass, call, upload, open } = await createFixtures(app, 'iOS');
    await upload(createIpa(), 'app.ipa');
    await app.addMember(compass, grace, 'viewer');
    const { body } = await open(page, { agent: iphone, as: await app.userToken(grace) });
    const [, link = ''] = /href="(itms-services:[^"]+)"/.exec(body) ?? [];
    const manifest = new URL(link.replaceAll('&amp;', '&')).searchParams.get('url') ?? '';
    const read = async () => (await app.call('GET', manifest.slice(publicUrl.length))).statusCode;
    expect(await read()).toBe(200);
    expect((await call('DELETE', `${B}/users/${grace.email}`)).statusCode).toBeLessThan(300);
    expect(await read()).toBe(404);
  });

  test('of an iOS app installs from a manifest, and warns of an expired profile', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { ada, token, call, upload, group, open } = await createFixtures(app, 'iOS');
    await upload(createIpa(), 'app.ipa');
    await group('Open', [1], { is_public: true });
    const { body } = await open(`${page}/distribution_groups/Open`, { agent: iphone });
    const [, link = ''] = /href="(itms-services:[^"]+)"/.exec(body) ?? [];
    const manifest = new URL(link.replaceAll('&amp;', '&')).searchParams.get('url') ?? '';
    const list = await app.call('GET', manifest.slice(publicUrl.length));
    expect([list.statusCode, list.body.includes('software-package')]).toEqual([200, true]);
    expect(body).toContain('/sign-in?next=%2Finstall%2Fregister-device');
    // Signed-in users see their own devices.
    const device = { udid: '00008030-001C2D3E4F5A6B7C', model: 'iPhone<12>' };
    await call('POST', `/v0.1/users/${ada.id}/devices/register`, device);
    const own = await open(`${page}/distribution_groups/Open`, { agent: iphone, as: token });
    expect(own.body).toContain('Registered. Waiting for a new build');
    expect(own.body).toContain('iPhone&lt;12&gt; (…6B7C)');
    app.advance(100 * 365 * DAY);
    const later = await open(`${page}/distribution_groups/Open`, { agent: iphone });
    expect(later.body).toContain('its provisioning profile has expired');
    expect(later.body).not.toContain('itms-services');
  });

  test('shows hostile notes and names as text', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, upload, group, open } = await createFixtures(app);
    await upload(createApk());
    const hostile = '<img src=x onerror=alert(1)> [x](javascript:alert(1)) <script>alert(1)</script> "\' onload=';
    await call('PUT', `${B}/releases/1`, { release_notes: hostile });
    await call('PATCH', B, { display_name: '<b>"Needle' });
    await group('Open', [1], { is_public: true });
    const { body } = await open(`${page}/distribution_groups/Open`);
    expect(body).toContain('&lt;img src=x onerror=alert(1)&gt; [x](javascript:alert(1)) &lt;script&gt;');
    expect(body).toContain('&lt;b&gt;&quot;Needle');
    expect(body).not.toMatch(/<(script|b>|img src=x)/);
    expect((await open('/install/users/a%22%3E%3Cscript%3E/apps/x')).body).not.toContain('<script');
  });

  test('opens by a signed link without signing in, until it expires or the release is disabled', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, upload, group, open } = await createFixtures(app);
    await upload(createApk());
    await group('Crew', [1]);
    const { install_page_url } = (await call('GET', `${B}/releases/1`)).json();
    const link: string = install_page_url.slice(publicUrl.length);
    const opened = await open(link);
    expect([opened.statusCode, opened.body.includes('(140)'), opened.body.includes('Crew')]).toEqual([
      200,
      true,
      false,
    ]);
    const [head = '', release = '', appId = '', signature = ''] = (link.split('/').at(-1) ?? '').split('.');
    const forged = [
      [head, '2', appId, signature],
      ['zzzzzzzzz', release, appId, signature],
      [head, release, appId.replace(/^./, (one) => (one === '0' ? '1' : '0')), signature],
      [head, release, appId, `${signature.slice(0, -2)}AA`],
      [head, release, appId],
    ];
    for (const parts of forged) {
      const response = await open(`/install/links/${parts.join('.')}`);
      expect([response.statusCode, response.body.includes('This link no longer works')]).toEqual([404, true]);
    }
    await call('PUT', `${B}/releases/1`, { enabled: false });
    expect((await open(link)).statusCode).toBe(404);
    await call('PUT', `${B}/releases/1`, { enabled: true });
    expect((await open(link)).statusCode).toBe(200);
    app.advance(DAY + 1);
    expect((await open(link)).statusCode).toBe(404);
  });

  test('of an expired link leads to the sign-in page and on to the release, for accounts that have it', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, upload, group, open, grace, compass, token } = await createFixtures(app);
    const bytes = createApk();
    await upload(bytes);
    await app.addMember(compass, grace, 'tester');
    await group('Crew', [1], {}, ['grace@example.com']);
    const { install_page_url } = (await call('GET', `${B}/releases/1`)).json();
    const link: string = install_page_url.slice(publicUrl.length);
    app.advance(DAY + 1);
    const anonymous = await open(link);
    expect(anonymous.statusCode).toBe(404);
    expect(anonymous.body).toContain('<h1>Sign in to install</h1>');
    expect(anonymous.body).toContain(`href="/sign-in?next=${encodeURIComponent(link)}"`);
    expect(anonymous.body).not.toContain('compass');
    for (const as of [await app.userToken(grace), token]) {
      const opened = await open(link, { as });
      expect([opened.statusCode, opened.body.includes('(140)')]).toEqual([200, true]);
      const [, download = ''] = /class="button" href="([^"]+)">Install</.exec(opened.body) ?? [];
      const { location = '' } = (await app.call('GET', download)).headers;
      expect((await app.call('GET', location.slice(publicUrl.length))).rawPayload.equals(bytes)).toBe(true);
    }
    const stranger = await open(link, { as: await app.userToken(await app.addUser('linus')) });
    expect([stranger.statusCode, stranger.body.includes('(140)')]).toEqual([404, false]);
    await call('PUT', `${B}/releases/1`, { enabled: false });
    expect((await open(link)).body).not.toContain('/sign-in');
    expect((await open(link, { as: token })).statusCode).toBe(404);
  });
});
