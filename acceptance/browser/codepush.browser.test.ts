import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { drop } from '../../test-support/browser.ts';
import { createZip } from '../../tools/samples/zips.ts';
import { testConsole } from '../harness/console.ts';
import { createFixtures } from '../harness/fixtures.ts';
import { send } from '../harness/http.ts';
import { admin } from '../harness/server.ts';

const home = '/users/ada/apps/compass/codepush';
const { running, url, openAs } = testConsole();

beforeAll(async () => {
  await createFixtures(running());
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const readKey = async (page: Page) =>
  (await page.locator('dl div').filter({ hasText: 'Deployment key' }).locator('code').textContent()) ?? '';

/** Update check of a device with this key and without an installed release. */
async function labelFor(key: string): Promise<string> {
  const query = new URLSearchParams({ deployment_key: key, app_version: '1.0.0', client_unique_id: 'phone' });
  const answer = await send('GET', url(`/v0.1/public/codepush/update_check?${query}`));
  return answer.status === 200
    ? answer.json<{ update_info: { label: string } }>().update_info.label
    : String(answer.status);
}

test('promotes a release in steps and rolls it back, with the consequence in each dialog', async () => {
  const { page, observed } = await openAs(admin.name, home);
  await press(page, 'New deployment');
  await page.getByLabel('Name', { exact: true }).fill('Canary');
  await press(page, 'Create deployment');
  await page.waitForURL(`**${home}/Canary`);
  await page.getByText('No releases yet.').waitFor();
  const key = await readKey(page);

  await page.goto(url(`${home}/Staging`));
  await press(page, 'Promote v2');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'To' }).click();
  await page.getByRole('option', { name: 'Canary' }).click();
  await dialog.getByText('Creates a release in Canary with the package of v2, for app versions 1.0.0.').waitFor();
  await dialog.getByText('All its devices get it at their next update check.').waitFor();
  await dialog.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await dialog.getByText('1% of its devices get it at their next update check.').waitFor();
  await dialog.getByRole('button', { name: 'Promote' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await labelFor(key)).toBe('');

  await page.goto(url(`${home}/Canary`));
  await row(page, 'v1').getByText('1%').waitFor();
  await page.getByLabel('App version').fill('1.0.0');
  await page.getByLabel('Device ID').fill('phone');
  await press(page, 'Check for update');
  const answer = page.getByRole('status').filter({ hasText: 'of devices' });
  await answer.getByText('No update: no release is available to this device.').waitFor();
  await answer
    .getByText(/v1 is rolled out to 1% of devices\. This device has rollout position \d+, so it is not included\./)
    .waitFor();

  await press(page, 'Edit v1');
  await dialog.getByRole('slider').focus();
  await page.keyboard.press('End');
  await dialog.getByText('Rollout: 100% of devices').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => row(page, 'v1').getByText('1%').count()).toBe(0);
  expect(await labelFor(key)).toBe('v1');
  await press(page, 'Check for update');
  await page.getByText(/^v1: [\d,.]+ [KM]B\.$/).waitFor();

  await page.goto(url(`${home}/Staging`));
  await press(page, 'Roll back to v1');
  await dialog.getByText(/Releases the package of v1 again, to all devices\. Devices with v2 get it/).waitFor();
  await dialog.getByRole('button', { name: 'Roll back' }).click();
  await row(page, 'v3').waitFor();
  expect(await labelFor(await readKey(page))).toBe('v3');
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('rotates a deployment key and keeps the old one until it ends', async () => {
  const { page, observed } = await openAs(admin.name, `${home}/Production`);
  const before = await readKey(page);
  await press(page, 'New key');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('Build it into the next version of the app.').waitFor();
  const after = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('listitem').filter({ hasText: before }).getByText('expires').waitFor();
  await expect.poll(() => readKey(page)).toBe(after);
  expect([await labelFor(before), await labelFor(after)]).toEqual(['v1', 'v1']);
  await press(page, 'End previous keys');
  await dialog.getByText('Devices with a previous key keep their installed version').waitFor();
  await dialog.getByRole('button', { name: 'End previous keys' }).click();
  await page.getByText('No previous keys are active.').waitFor();
  expect([await labelFor(before), await labelFor(after)]).toEqual(['404', 'v1']);
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('releases a dropped package, and uploads it only once after a corrected error', async () => {
  const { page, observed } = await openAs(admin.name, home);
  await press(page, 'New deployment');
  await page.getByLabel('Name', { exact: true }).fill('Nightly');
  await press(page, 'Create deployment');
  await page.waitForURL(`**${home}/Nightly`);
  const sent: string[] = [];
  await page.route('**/deployments/Nightly/uploads/**', (route) => {
    sent.push(route.request().headers()['content-range'] ?? '');
    return sent.length === 2 ? route.abort() : route.continue();
  });
  await press(page, 'New release');
  const dialog = page.getByRole('dialog');
  await drop(page, 'bundle.zip', Buffer.alloc(0));
  await expect.poll(() => dialog.getByRole('alert').textContent()).toContain('is empty. Bundle the app again.');
  const bundle = createZip([{ path: 'CodePush/main.jsbundle', content: 'console.log("from the console")' }]);
  await drop(page, 'bundle.zip', bundle);
  await dialog
    .getByText('All Nightly devices with these app versions get the release at their next update check.')
    .waitFor();
  await dialog.getByLabel('Target app versions').fill('latest');
  await dialog.getByRole('button', { name: 'Release package' }).click();
  await dialog.getByText(/"latest" is not a version or a range of versions/).waitFor();
  const range = `bytes 0-${bundle.length - 1}/${bundle.length}`;
  const contentRange = `bytes */${bundle.length}`;
  expect(sent).toEqual([contentRange, range, contentRange, range]);
  await dialog.getByLabel('Target app versions').fill('1.0.0');
  await dialog.getByLabel('Release notes (optional)').fill('Dropped');
  await dialog.getByLabel('Mandatory update').check();
  await dialog.getByRole('button', { name: 'Release package' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row(page, 'v1').getByText('Dropped').waitFor();
  expect(sent.slice(4)).toEqual([contentRange]);
  expect(await labelFor(await readKey(page))).toBe('v1');
  expect(observed.outside).toEqual([]);
});
