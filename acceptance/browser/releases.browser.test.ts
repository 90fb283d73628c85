import { beforeAll, expect, test } from 'vitest';
import { apkOf } from '../../tools/packages.ts';
import { findings } from '../harness/axe.ts';
import { drop, observe, openBrowser } from '../harness/browser.ts';
import { testConsole } from '../harness/console.ts';
import { admin } from '../harness/server.ts';
import { fillWorld } from '../harness/world.ts';

const { running, url, openAs } = testConsole();
const releases = '/users/ada/apps/compass/releases';
const installPage = '/install/users/ada/apps/compass/distribution_groups/Beta%20divers';
const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36';

beforeAll(async () => {
  await fillWorld(running());
});

test('a package is dropped, distributed, installed on a phone without an account or scripts, and counted', async () => {
  const { page, observed } = await openAs(admin.name, releases, admin.password);
  await page.getByRole('button', { name: 'New release' }).click();
  await drop(page, 'compass-1.5.0.apk', apkOf({ version: 150 }));
  await page.getByRole('link', { name: 'Distribute it' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Groups').first().click();
  await page.getByRole('option', { name: /Beta divers/ }).click();
  await dialog.getByRole('button', { name: 'Distribute' }).click();
  await page.getByRole('link', { name: 'Beta divers' }).waitFor();

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
    })
    .toBe('1');
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('a file that is no package is refused before it is sent, or once it was read, in words that help', async () => {
  const { page } = await openAs(admin.name, releases, admin.password);
  await page.getByRole('button', { name: 'New release' }).click();
  await drop(page, 'notes.txt', Buffer.from('hello'));
  const refusal = page.getByRole('alert');
  await expect.poll(() => refusal.textContent()).toContain('Choose a file whose name ends with .apk, .aab.');
  await drop(page, 'broken.apk', Buffer.from('hello'));
  await expect.poll(() => refusal.textContent()).toContain('Mend the package, then drop it here again.');
});

test('an upload that lost its connection goes on where it stopped', async () => {
  const { page } = await openAs(admin.name, releases, admin.password);
  await page.getByRole('button', { name: 'New release' }).click();
  let refusals = 0;
  await page.route('**/releases/uploads?**', (route) => {
    refusals += 1;
    return refusals === 2 ? route.abort() : route.continue();
  });
  await drop(page, 'compass-1.6.0.apk', apkOf({ version: 160 }));
  await page.getByRole('link', { name: 'Distribute it' }).waitFor();
  expect(refusals).toBeGreaterThan(2);
});

test('install pages break no rule of accessibility, in either scheme', async () => {
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

test('a rule for old releases shows what would go before it is saved', async () => {
  const { page, observed } = await openAs(admin.name, '/users/ada/apps/compass/settings', admin.password);
  await page.getByText('All releases are kept.').waitFor();
  await page.getByLabel('Keep the last').fill('1');
  await page.getByLabel('What is the latest of a group, or in a store, stays anyway').uncheck();
  await page.getByRole('button', { name: 'Preview' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/releases? of .* would be deleted within the hour, with their files\./).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('Keep the last').fill('1000');
  await page.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('No release would be deleted now.').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Kept are: the last 1000 releases.').waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('a device is added and forgotten, and one that registered itself arrives at a page that says so', async () => {
  const { page, observed } = await openAs(admin.name, '/settings/devices', admin.password);
  await page.getByRole('button', { name: 'Add a device' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('UDID').fill('00008110-001A2B3C4D5E6F70');
  await dialog.getByLabel('Model').fill('iPad Pro');
  await dialog.getByRole('button', { name: 'Add' }).click();
  const row = page.getByRole('row').filter({ hasText: '00008110-001A2B3C4D5E6F70' });
  await row.waitFor();
  await page.goto(url('/install/register-device?udid=00008110-001A2B3C4D5E6F70'));
  await page.getByRole('heading', { name: 'This device is registered' }).waitFor();
  await page.getByRole('link', { name: 'Devices' }).last().click();
  await row.getByRole('button', { name: /^Forget/ }).click();
  await dialog.getByRole('button', { name: 'Forget it' }).click();
  await row.waitFor({ state: 'detached' });
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('a store is connected; what is no key of it is refused before it is sent', async () => {
  const { page, observed } = await openAs(admin.name, '/users/ada/apps/compass/stores', admin.password);
  await page.getByRole('button', { name: 'Connect Google Play' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Play, second');
  await dialog.getByRole('button', { name: 'Connect' }).click();
  await dialog.getByLabel('Key of the service account, as JSON').fill('{"client_email":1}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('This is not the JSON file of a key of a service account.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Play, second' });
  await row.getByText('Needs a key').waitFor();
  await row.getByRole('button', { name: 'Disconnect Play, second' }).click();
  await dialog.getByRole('button', { name: 'Disconnect' }).click();
  await row.waitFor({ state: 'detached' });
  expect(observed).toEqual({ outside: [], complaints: [] });
});
