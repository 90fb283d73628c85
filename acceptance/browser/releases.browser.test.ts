import { beforeAll, expect, test } from 'vitest';
import { drop, observe, openBrowser } from '../../test-support/browser.ts';
import { createApk, createIpa, createMacApp } from '../../tools/samples/packages.ts';
import { findings } from '../harness/axe.ts';
import { testConsole } from '../harness/console.ts';
import { createFixtures } from '../harness/fixtures.ts';
import { createToken, send } from '../harness/http.ts';
import { admin } from '../harness/server.ts';

const { running, url, openAs } = testConsole();
const releases = '/users/ada/apps/compass/releases';
const installPage = '/install/users/ada/apps/compass/distribution_groups/Beta%20divers';
/** The server reads packages in a separate process and counts downloads later; slow on a busy machine. */
const PROCESSED = { timeout: 60_000 };
const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36';

beforeAll(async () => {
  await createFixtures(running());
});

test('releases, distributes and counts a package that a phone installs without account or scripts', async () => {
  const { page, observed } = await openAs(admin.name, releases, admin.password);
  await page.getByRole('button', { name: 'New release' }).click();
  await drop(page, 'compass-1.5.0.apk', createApk({ version: 150 }));
  await page.getByRole('link', { name: 'Distribute release' }).click(PROCESSED);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Distribution groups').first().click();
  await page.getByRole('option', { name: /Beta divers/ }).click();
  await dialog.getByRole('button', { name: 'Distribute' }).click();
  await page.getByRole('link', { name: 'Beta divers' }).first().waitFor();

  const browser = await openBrowser();
  try {
    const phone = await browser.newContext({
      viewport: { width: 360, height: 740 },
      userAgent: android,
      javaScriptEnabled: false,
    });
    const install = await phone.newPage();
    const seen = observe(install, url());
    await install.goto(url(installPage));
    await install.getByRole('heading', { name: 'Needle' }).waitFor();
    const width = await install.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
    const coming = install.waitForEvent('download');
    await install.getByRole('link', { name: 'Install' }).click();
    expect((await coming).suggestedFilename()).toBe('compass-1.5.0.apk');
    expect(seen).toEqual({ outside: [], complaints: [] });
  } finally {
    await browser.close();
  }
  await expect
    .poll(async () => {
      await page.reload();
      const row = page.locator('dl div').filter({ hasText: 'Downloads' });
      return row.locator('dd').textContent();
    }, PROCESSED)
    .toBe('1');
  expect(observed).toEqual({ outside: [], complaints: [] });
});

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1';

/** An app with a public group and one release. */
async function releasePublicly(os: string, file: string, bytes: Buffer): Promise<string> {
  const token = (await createToken(running(), {})).api_token;
  const call = async (method: string, path: string, rest: object) => {
    const answer = await send(method, `${running().httpUrl}/v0.1/apps${path}`, { token, ...rest });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json<{ id: string; upload_status: string }>();
  };
  const app = `/ada/anchor-${os}`;
  await call('POST', '', { body: { name: `anchor-${os}`, display_name: 'Anchor', os, platform: 'Objective-C-Swift' } });
  const headers = { 'content-type': 'application/octet-stream' };
  const { id } = await call('PUT', `${app}/releases/uploads?file_name=${file}`, { raw: bytes, headers });
  const upload = () => call('GET', `${app}/uploads/releases/${id}`, {});
  await expect.poll(async () => (await upload()).upload_status, PROCESSED).toBe('readyToBePublished');
  const group = await call('POST', `${app}/distribution_groups`, { body: { name: 'Open' } });
  await call('PATCH', `${app}/distribution_groups/Open`, { body: { is_public: true } });
  await call('PATCH', `${app}/releases/1`, {
    body: { release_notes: '**Faster** & <b>', metadata: { ed_signature: 'c2lnbmVk+/=' } },
  });
  await call('POST', `${app}/releases/1/groups`, { body: { id: group.id, notify_testers: false } });
  return `${app}/distribution_groups/Open`;
}

test('serves a manifest to iPhones and an appcast to Sparkle', async () => {
  const ipa = createIpa();
  const mac = createMacApp();
  const [ios, macos] = [
    await releasePublicly('iOS', 'anchor.ipa', ipa),
    await releasePublicly('macOS', 'anchor.app.zip', mac),
  ];
  const browser = await openBrowser();
  try {
    const phone = await browser.newContext({ viewport: { width: 360, height: 740 }, userAgent: iphone });
    const page = await phone.newPage();
    const seen = observe(page, url());
    await page.goto(url(`/install/users${ios.replace('/ada/', '/ada/apps/')}`));
    const href = (await page.getByRole('link', { name: 'Install' }).getAttribute('href')) ?? '';
    expect(href).toMatch(/^itms-services:\/\/\?action=download-manifest&url=https?%3A/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(seen).toEqual({ outside: [], complaints: [] });

    const list = new URL(new URL(href).searchParams.get('url') ?? '');
    const manifest = await (await fetch(url(list.pathname + list.search))).text();
    const appcast = await (await fetch(url(`/v0.1/apps${macos}/appcast`))).text();
    const read = await page.evaluate(
      ([manifest = '', appcast = '']) => {
        const parse = (xml: string) => new DOMParser().parseFromString(xml, 'application/xml');
        const sparkle = 'http://www.andymatuschak.org/xml-namespaces/sparkle';
        const feed = parse(appcast);
        const enclosure = feed.querySelector('channel > item > enclosure');
        return {
          strings: [...parse(manifest).querySelectorAll('plist string')].map(({ textContent }) => textContent),
          version: feed.getElementsByTagNameNS(sparkle, 'version')[0]?.textContent,
          notes: feed.querySelector('item > description')?.textContent,
          signature: enclosure?.getAttributeNS(sparkle, 'edSignature'),
          length: enclosure?.getAttribute('length'),
          url: enclosure?.getAttribute('url'),
        };
      },
      [manifest, appcast],
    );
    expect(read.strings).toEqual(expect.arrayContaining(['software-package', 'software', 'Anchor']));
    const fetched = async (address: string | null | undefined) =>
      Buffer.from(await (await fetch(url(new URL(address ?? '').pathname))).arrayBuffer());
    const software = read.strings.find((text) => text?.endsWith('/anchor.ipa'));
    expect((await fetched(software)).equals(ipa)).toBe(true);
    expect(read).toMatchObject({
      version: expect.stringMatching(/^\d+$/),
      notes: '**Faster** & <b>',
      signature: 'c2lnbmVk+/=',
      length: String(mac.length),
    });
    expect((await fetched(read.url)).equals(mac)).toBe(true);
  } finally {
    await browser.close();
  }
});

test('rejects invalid packages before or after the upload, with help', async () => {
  const { page } = await openAs(admin.name, releases, admin.password);
  await page.getByRole('button', { name: 'New release' }).click();
  await drop(page, 'notes.txt', Buffer.from('hello'));
  const refusal = page.getByRole('alert');
  await expect.poll(() => refusal.textContent()).toContain('Choose a file of type .apk, .aab.');
  await drop(page, 'broken.apk', Buffer.from('hello'));
  await expect.poll(() => refusal.textContent(), PROCESSED).toContain('Fix the package and upload it again.');
});

test('resumes an upload after a lost connection', async () => {
  const { page } = await openAs(admin.name, releases, admin.password);
  await page.getByRole('button', { name: 'New release' }).click();
  let refusals = 0;
  await page.route('**/releases/uploads?**', (route) => {
    refusals += 1;
    return refusals === 2 ? route.abort() : route.continue();
  });
  await drop(page, 'compass-1.6.0.apk', createApk({ version: 160 }));
  await page.getByRole('link', { name: 'Distribute release' }).waitFor(PROCESSED);
  expect(refusals).toBeGreaterThan(2);
});

test('install pages pass axe in both schemes', async () => {
  const { page, observed } = await openAs(admin.name, releases, admin.password);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const path of [installPage, '/install/users/ada/apps/none', `/install/users/ada/apps/compass`]) {
      await page.goto(url(path));
      expect([colorScheme, path, await findings(page)]).toEqual([colorScheme, path, []]);
    }
  }
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('previews a retention rule before saving it', async () => {
  const { page, observed } = await openAs(admin.name, '/users/ada/apps/compass/settings', admin.password);
  await page.getByText('Keeps all releases.').waitFor();
  await page.getByLabel('Number of releases').fill('1');
  await page.getByLabel('Always keep the latest release of each group and releases in a store').uncheck();
  await page.getByRole('button', { name: 'Preview' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/releases? of .* will be deleted within an hour, with their files\./).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('Number of releases').fill('1000');
  await page.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('No release will be deleted now.').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Keeps the last 1,000 releases.').waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('adds and removes a device, and confirms a device that registers itself', async () => {
  const { page, observed } = await openAs(admin.name, '/settings/devices', admin.password);
  await page.getByRole('button', { name: 'Add device' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('UDID').fill('00008110-001A2B3C4D5E6F70');
  await dialog.getByLabel('Model').fill('iPad Pro');
  await dialog.getByRole('button', { name: 'Add' }).click();
  const row = page.getByRole('row').filter({ hasText: '00008110-001A2B3C4D5E6F70' });
  await row.waitFor();
  await page.goto(url('/install/register-device?udid=00008110-001A2B3C4D5E6F70'));
  await page.getByRole('heading', { name: 'Device registered' }).waitFor();
  await page.getByRole('link', { name: 'Devices' }).last().click();
  await row.getByRole('button', { name: /^Remove/ }).click();
  await dialog.getByRole('button', { name: 'Remove device' }).click();
  await row.waitFor({ state: 'detached' });
  expect(observed).toEqual({ outside: [], complaints: [] });
});

/** Calls the API as the owner of an app. */
async function asOwner(app: string) {
  const token = (await createToken(running(), {})).api_token;
  return async <T = Record<string, string>>(method: string, path: string, rest: object = {}): Promise<T> => {
    const answer = await send(method, `${running().httpUrl}/v0.1${path.replace('{app}', `apps/ada/${app}`)}`, {
      token,
      ...rest,
    });
    expect(answer.status, answer.text).toBeLessThan(300);
    return (answer.text ? answer.json() : {}) as T;
  };
}

test("creates an update token on a tester's click, and revokes it", async () => {
  const call = await asOwner('compass');
  const { app_secret } = await call('GET', '/{app}');
  const release = await call<{ package_hashes: string[]; bundle_identifier: string }>('GET', '/{app}/releases/1');
  await call('POST', '/{app}/releases/1/testers', { body: { email: admin.email, notify_testers: false } });
  const { page } = await openAs(admin.name, '/settings/devices', admin.password);
  const query = new URLSearchParams({
    release_hash: release.package_hashes[0] ?? '',
    redirect_id: release.bundle_identifier,
    redirect_scheme: 'appcenter',
    request_id: 'b7f0c5d2-2e9b-4d2f-8a57-6f0c5d2e9c01',
    platform: 'Android',
    enable_failure_redirect: 'true',
    install_id: '5d1f1f39-9c6f-4f0a-9d55-0d0d7a5ee0c1',
  });
  await page.goto(url(`/install/apps/${app_secret}/private-update-setup/?${query}`));
  await page.getByRole('button', { name: 'Continue to the app' }).click();
  const back = page.getByRole('link', { name: /^Open the app/ });
  expect(await back.getAttribute('href')).toMatch(
    /^intent:\/\/updates\/#Intent;scheme=appcenter;package=[\w.]+;S\.request_id=b7f0c5d2-[\w-]+;S\.distribution_group_id=[\w-]{36};S\.update_token=\w{43};end$/,
  );
  // The first page waits for an app that doesn't exist here.
  const devices = await page.context().newPage();
  await devices.goto(url('/settings/devices'));
  const revoking = devices.getByRole('button', { name: 'Revoke update token of Needle' });
  await revoking.first().waitFor();
  const before = await revoking.count();
  await revoking.first().click();
  await devices.getByRole('dialog').getByRole('button', { name: 'Revoke update token' }).click();
  await expect.poll(() => revoking.count()).toBe(before - 1);
});

test('shows upload commands without releases, and devices that a profile lacks', async () => {
  const call = await asOwner('swell');
  const body = { name: 'swell', display_name: 'Swell', os: 'iOS', platform: 'Objective-C-Swift' };
  await call('POST', '/apps', { body });
  const { page, observed } = await openAs(admin.name, '/users/ada/apps/swell/releases', admin.password);
  for (const line of [
    'mooring releases upload ada/swell app.ipa --group Testers',
    'appcenter distribute release -a ada/swell -f app.ipa -g Testers',
    '/v0.1/apps/ada/swell/releases/uploads?file_name=app.ipa"',
  ])
    await page.getByText(line).waitFor();
  await call('POST', '/apps', { body: { ...body, name: 'ebb', os: 'Custom', platform: 'Custom' } });
  await page.goto(url('/users/ada/apps/ebb/releases'));
  await page.getByText('releases/uploads?file_name=app.zip&build_version=1.0"').waitFor();

  const { id: owner } = await call('GET', '/user');
  const device = { udid: '00008110-009A2B3C4D5E6F70', model: 'iPhone16,1' };
  await call('POST', `/users/${owner}/devices/register`, { body: device });
  const { id } = await call('POST', '/{app}/distribution_groups', { body: { name: 'Crew' } });
  await call('POST', '/{app}/distribution_groups/Crew/members', { body: { user_emails: [admin.email] } });
  const headers = { 'content-type': 'application/octet-stream' };
  const sent = await call('PUT', '/{app}/releases/uploads?file_name=a.ipa', { raw: createIpa(), headers });
  const upload = () => call('GET', `/{app}/uploads/releases/${sent.id}`);
  await expect.poll(async () => (await upload()).upload_status, PROCESSED).toBe('readyToBePublished');
  await call('POST', '/{app}/releases/1/groups', { body: { id, notify_testers: false } });
  await page.goto(url('/users/ada/apps/swell/releases/1'));
  await page.getByText('1 device in Crew not in the provisioning profile.').waitFor();
  await page.getByText(device.udid).waitFor();
  await call('DELETE', `/user/devices/${device.udid}`);
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('connects a store, and rejects an invalid key before sending it', async () => {
  const { page, observed } = await openAs(admin.name, '/users/ada/apps/compass/stores', admin.password);
  await page.getByRole('button', { name: 'Connect store' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Play, second');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await dialog.getByLabel('Service account key (JSON)').fill('{"client_email":1}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Not a service account key.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Play, second' });
  await row.getByText('has no credentials').waitFor();
  // The store can be selected for a release, with a hint that publishing will wait.
  await page.goto(url('/users/ada/apps/compass/releases/1?distribute'));
  await dialog.getByRole('combobox', { name: 'Stores (optional)' }).click();
  await page.getByRole('option', { name: 'Play, second' }).click();
  await dialog.getByText('Publishing will wait: The store "Play, second" has no credentials.').waitFor();
  await page.goto(url('/users/ada/apps/compass/stores'));
  await row.getByRole('button', { name: 'Disconnect Play, second' }).click();
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await row.waitFor({ state: 'detached' });
  expect(observed).toEqual({ outside: [], complaints: [] });
});
