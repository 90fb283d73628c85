import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { apkOf } from '../../tools/packages.ts';
import { findings } from '../harness/axe.ts';
import { observe, openBrowser } from '../harness/browser.ts';
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

/** Lets a file fall into the page, as somebody does who drags it there. */
async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([name, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name));
      return transfer;
    },
    [name, [...bytes]] as const,
  );
  await page.getByTestId('drop').dispatchEvent('drop', { dataTransfer });
}

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
