import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { createApk, createIpa } from '../../tools/samples/packages.ts';
import { findings } from '../harness/axe.ts';
import { testConsole } from '../harness/console.ts';
import { linkMailedTo } from '../harness/emails.ts';
import { createToken, send } from '../harness/http.ts';
import { admin } from '../harness/server.ts';

const { running, url, open, openAs } = testConsole();
const person = { name: 'grace', email: 'grace@example.com', password: 'staple the battery' };
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Safari/604.1';
/** A folder for screenshots of both widths and schemes, to look at after a change. */
const pictures = process.env.INSTALL_PICTURES;

let call: (method: string, path: string, body?: object) => Promise<Record<string, string>>;

async function upload(app: string, file: string, bytes: Buffer): Promise<void> {
  const { id } = await call('GET', `/apps/ada/${app}/distribution_groups/Testers`);
  const sent = await fetch(url(`/v0.1/apps/ada/${app}/releases/uploads?file_name=${file}`), {
    method: 'PUT',
    headers: { 'x-api-token': token, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  });
  expect(sent.status).toBeLessThan(300);
  const releases = () => call('GET', `/apps/ada/${app}/releases`) as unknown as Promise<{ id: number }[]>;
  const known = uploads.get(app) ?? 0;
  await vi.waitFor(async () => expect((await releases()).length).toBe(known + 1), { timeout: 60_000, interval: 500 });
  uploads.set(app, known + 1);
  const [newest] = await releases();
  await call('PUT', `/apps/ada/${app}/releases/${newest?.id}`, { release_notes: '- Faster start\n- Fewer taps' });
  await call('POST', `/apps/ada/${app}/releases/${newest?.id}/groups`, { id, notify_testers: false });
}

const uploads = new Map<string, number>();
let token: string;

beforeAll(async () => {
  token = (await createToken(running(), {})).api_token;
  call = async (method, path, body) => {
    const answer = await send(method, url(`/v0.1${path}`), { token, ...(body ? { body } : {}) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.text ? answer.json() : {};
  };
  await call('POST', '/admin/users', person);
  await call('POST', '/apps', { name: 'compass', display_name: 'Compass', os: 'Android', platform: 'Java' });
  await call('POST', '/apps', { name: 'tides', display_name: 'Tide table', os: 'iOS', platform: 'Objective-C-Swift' });
  await call('POST', '/apps/ada/compass/distribution_groups', { name: 'Testers' });
  await call('POST', '/apps/ada/tides/distribution_groups', { name: 'Testers' });
  await upload('compass', 'a.apk', createApk());
  await upload('tides', 'a.ipa', createIpa({ udids: ['00008030-001C2D3E4F5A6B7C'] }));
}, 180_000);

/** Checks width, contrast and names in both schemes at the narrowest and a wide window. */
async function examine(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [360, 740],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect([name, width, colorScheme, await findings(page)]).toEqual([name, width, colorScheme, []]);
      if (!pictures) continue;
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
}

test('accepting an invitation leads to the newest release, and the home page lists the app', async () => {
  for (const app of ['compass', 'tides'])
    await call('POST', `/apps/ada/${app}/distribution_groups/Testers/members`, { user_emails: [person.email] });
  const link = await linkMailedTo(running(), token, person.email);
  const { page, observed } = await open();
  await page.goto(url(new URL(link ?? '').pathname));
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.waitForURL(/\/install\/users\/ada\/apps\/(compass|tides)$/);
  await page.getByRole('link', { name: 'All apps' }).click();
  await page.getByRole('heading', { name: 'Your apps' }).waitFor();
  await page.getByRole('heading', { name: 'Compass' }).waitFor();
  await examine(page, 'home');
  // The page works with the keyboard alone: the first stop is the first app.
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('li')?.textContent)).toContain('Compass');
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('a signed-out visitor returns to the same install page after signing in', async () => {
  const { page, observed } = await open();
  for (const path of ['/install/', '/install/users/ada/apps/compass/releases/1']) {
    await page.context().clearCookies();
    await page.goto(url(path));
    await examine(page, path === '/install/' ? 'signed-out' : 'nothing');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Name or email').fill(person.name);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(url(path));
    await page.getByText('Compass').first().waitFor();
  }
  observed.complaints = observed.complaints.filter((one) => !one.includes('404') && !one.includes('401'));
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('an iPhone registers with one tap, then waits for a new build', async () => {
  const { page } = await openAs(person.name, '/install/', person.password);
  const context = await page
    .context()
    .browser()
    ?.newContext({
      userAgent: iphone,
      storageState: await page.context().storageState(),
      viewport: { width: 360, height: 740 },
    });
  const phone = (await context?.newPage()) as Page;
  await phone.goto(url('/install/'));
  await phone.getByRole('link', { name: 'Register this iPhone' }).waitFor();
  await examine(phone, 'iphone-new');
  await phone.goto(url('/install/users/ada/apps/tides'));
  await phone.getByText('Register your device first').waitFor();
  await examine(phone, 'iphone-page-new');
  const register = async (udid: string) => {
    // Install pages may not send requests by scripts.
    const { request } = phone.context();
    const { id } = await (await request.get(url('/v0.1/user'))).json();
    const added = await request.post(url(`/v0.1/users/${id}/devices/register`), {
      data: { udid, model: 'iPhone15,2' },
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(added.status(), await added.text()).toBeLessThan(300);
  };
  await register('00008030-00000000000000AA');
  await phone.goto(url('/install/'));
  await phone.getByText('Registered. Waiting for a new build').waitFor();
  await examine(phone, 'iphone-waiting');
  await phone.goto(url('/install/users/ada/apps/tides'));
  await examine(phone, 'iphone-page-waiting');
  await register('00008030-001C2D3E4F5A6B7C');
  await phone.goto(url('/install/'));
  await phone.getByRole('link', { name: /^Install Tide table/ }).waitFor();
  await examine(phone, 'iphone-ready');
  await context?.close();
});

test('an update is marked after the phone installed the release before', async () => {
  const { page, observed } = await openAs(person.name, '/install/', person.password);
  const context = await page
    .context()
    .browser()
    ?.newContext({
      userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36',
      storageState: await page.context().storageState(),
      javaScriptEnabled: false,
    });
  const phone = (await context?.newPage()) as Page;
  await phone.goto(url('/install/'));
  const coming = phone.waitForEvent('download');
  await phone.getByRole('link', { name: /^Install Compass/ }).click();
  expect((await coming).suggestedFilename()).toBe('a.apk');
  await upload('compass', 'b.apk', createApk({ version: 150 }));
  await phone.goto(url('/install/'));
  await phone.getByRole('link', { name: /^Update Compass/ }).waitFor();
  await examine(page, 'home-desktop');
  await context?.close();
  await page.goto(url('/install/users/ada/apps/compass'));
  await page.getByRole('heading', { name: 'Release history' }).waitFor();
  await page.getByText('Installed', { exact: true }).waitFor();
  await examine(page, 'page-history');
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('an expired session says so on the sign-in page, and signing in returns to the page', async () => {
  const { page } = await openAs(person.name, '/settings/sessions', person.password);
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await page.context().clearCookies();
  await page.getByRole('link', { name: 'API tokens' }).first().click();
  await page.getByText('You were signed out').waitFor();
  if (pictures) await page.screenshot({ path: `${pictures}/signed-out-console.png` });
  await page.getByLabel('Name or email').fill(person.name);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(url('/settings/tokens'));
});

test('the SDK setup waits for a device and names it; a test log does not count', async () => {
  const setUp = '/users/ada/apps/compass/analytics/set-up';
  const { page } = await openAs(admin.name, '/users/ada/apps/compass', admin.password);
  await page.getByRole('link', { name: 'Set up SDK' }).click();
  await page.waitForURL(url(setUp));
  await page.getByText('Waiting for your first event…').waitFor();
  await page.getByRole('button', { name: 'Send test log' }).click();
  await page.getByText('Test log received').waitFor();
  if (pictures) await page.screenshot({ path: `${pictures}/sdk-waiting.png` });
  await page.getByText('Waiting for your first event…').waitFor();
  const { app_secret = '' } = await call('GET', '/apps/ada/compass');
  const device = { sdkName: 'appcenter.android', sdkVersion: '5.0.6', model: 'Pixel 9', osName: 'Android' };
  const log = {
    type: 'startSession',
    timestamp: new Date().toISOString(),
    sid: randomUUID(),
    device: { ...device, osVersion: '15', locale: 'en_US', timeZoneOffset: 0, appVersion: '1.0', appBuild: '1' },
  };
  const sent = await fetch(url('/logs?api-version=1.0.0'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'app-secret': app_secret, 'install-id': randomUUID() },
    body: JSON.stringify({ logs: [log] }),
  });
  expect(sent.status).toBe(200);
  await page.getByText('Connected: Pixel 9, Android 15').waitFor();
  if (pictures) await page.screenshot({ path: `${pictures}/sdk-connected.png` });
});
