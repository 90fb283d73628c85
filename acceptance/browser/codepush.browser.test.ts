import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { zipOf } from '../../tools/zips.ts';
import { drop } from '../harness/browser.ts';
import { testConsole } from '../harness/console.ts';
import { send } from '../harness/http.ts';
import { admin } from '../harness/server.ts';
import { fillWorld } from '../harness/world.ts';

const home = '/users/ada/apps/compass/codepush';
const { running, url, openAs } = testConsole();

beforeAll(async () => {
  await fillWorld(running());
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const keyOf = async (page: Page) =>
  (await page.locator('dl div').filter({ hasText: 'Deployment key' }).locator('code').textContent()) ?? '';

/** What a device is told that has this key and nothing installed. */
async function labelFor(key: string): Promise<string> {
  const query = new URLSearchParams({ deployment_key: key, app_version: '1.0.0', client_unique_id: 'phone' });
  const answer = await send('GET', url(`/v0.1/public/codepush/update_check?${query}`));
  return answer.status === 200
    ? answer.json<{ update_info: { label: string } }>().update_info.label
    : String(answer.status);
}

test('a release is promoted to a few devices, then to all, and rolled back; each dialog says what will happen', async () => {
  const { page, observed } = await openAs(admin.name, home);
  await press(page, 'New deployment');
  await page.getByLabel('Name', { exact: true }).fill('Canary');
  await press(page, 'Create');
  await page.waitForURL(`**${home}/Canary`);
  await page.getByText('Nothing was released here yet.').waitFor();
  const key = await keyOf(page);

  await page.goto(url(`${home}/Staging`));
  await press(page, 'Promote v2');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'To' }).click();
  await page.getByRole('option', { name: 'Canary' }).click();
  await dialog.getByText('Canary gets the package of v2 as a release of its own, for 1.0.0.').waitFor();
  await dialog.getByText('All its devices get it at their next question.').waitFor();
  await dialog.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await dialog.getByText('1 of a hundred devices get it at their next question.').waitFor();
  await dialog.getByRole('button', { name: 'Promote' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await labelFor(key)).toBe('');

  await page.goto(url(`${home}/Canary`));
  await row(page, 'v1').getByText('1 %').waitFor();
  await page.getByLabel('Version of the binary').fill('1.0.0');
  await page.getByLabel('Id of the device').fill('phone');
  await press(page, 'Show');
  const answer = page.getByRole('status').filter({ hasText: 'a hundred devices' });
  await answer.getByText('Nothing: no release is out for it.').waitFor();
  await answer
    .getByText(/v1 goes to 1 of a hundred devices\. This one stands at \d+, so it is not among them\./)
    .waitFor();

  await press(page, 'Change v1');
  await dialog.getByRole('slider').focus();
  await page.keyboard.press('End');
  await dialog.getByText('Rollout: 100 % of devices').waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => row(page, 'v1').getByText('1 %').count()).toBe(0);
  expect(await labelFor(key)).toBe('v1');
  await press(page, 'Show');
  await page.getByText(/^v1: [\d,.]+ bytes\.$/).waitFor();

  await page.goto(url(`${home}/Staging`));
  await press(page, 'Roll back to v1');
  await dialog
    .getByText(/The package of v1 is released once more, to everybody\. Devices that have v2 get it/)
    .waitFor();
  await dialog.getByRole('button', { name: 'Roll back' }).click();
  await row(page, 'v3').waitFor();
  expect(await labelFor(await keyOf(page))).toBe('v3');
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('a deployment gets a new key; devices with the old one go on until it is ended', async () => {
  const { page, observed } = await openAs(admin.name, `${home}/Production`);
  const before = await keyOf(page);
  await press(page, 'New key');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make a new key' }).click();
  await dialog.getByText('Build it into the next version of the app.').waitFor();
  const after = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('listitem').filter({ hasText: before }).getByText('counts until').waitFor();
  await expect.poll(() => keyOf(page)).toBe(after);
  expect([await labelFor(before), await labelFor(after)]).toEqual(['v1', 'v1']);
  await press(page, 'End former keys');
  await dialog.getByText('Devices that ask by them get no updates any more').waitFor();
  await dialog.getByRole('button', { name: 'End them' }).click();
  await page.getByText('Devices ask by the newest key only.').waitFor();
  expect([await labelFor(before), await labelFor(after)]).toEqual(['404', 'v1']);
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('a package is dropped on a deployment and released; what is refused is mended, and not sent again', async () => {
  const { page, observed } = await openAs(admin.name, home);
  await press(page, 'New deployment');
  await page.getByLabel('Name', { exact: true }).fill('Nightly');
  await press(page, 'Create');
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
  const bundle = zipOf([{ path: 'CodePush/main.jsbundle', content: 'console.log("from the console")' }]);
  await drop(page, 'bundle.zip', bundle);
  await dialog.getByText('All devices of Nightly get it at their next question').waitFor();
  await dialog.getByLabel('For versions of the app').fill('latest');
  await dialog.getByRole('button', { name: 'Release', exact: true }).click();
  await dialog.getByText(/"latest" is neither a version nor a range/).waitFor();
  const range = `bytes 0-${bundle.length - 1}/${bundle.length}`;
  const asked = `bytes */${bundle.length}`;
  expect(sent).toEqual([asked, range, asked, range]);
  await dialog.getByLabel('For versions of the app').fill('1.0.0');
  await dialog.getByLabel('What is new (optional)').fill('Dropped');
  await dialog.getByLabel('Devices must install it').check();
  await dialog.getByRole('button', { name: 'Release', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await row(page, 'v1').getByText('Dropped').waitFor();
  expect(sent.slice(4)).toEqual([asked]);
  expect(await labelFor(await keyOf(page))).toBe('v1');
  expect(observed.outside).toEqual([]);
});
