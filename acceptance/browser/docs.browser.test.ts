import { createClient, userApiTokens_create } from '@mooring/contract';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Observed } from '../../test-support/browser.ts';
import { testConsole } from '../harness/console.ts';
import { admin } from '../harness/server.ts';

const { url, keepOpen, enter } = testConsole();
let page: Page;
let observed: Observed;

beforeAll(async () => {
  ({ page, observed } = await keepOpen());
});

/** Creates a script's first token with name and password. */
async function makeToken(): Promise<string> {
  const basic = `Basic ${Buffer.from(`${admin.name}:${admin.password}`).toString('base64')}`;
  const call = createClient({
    baseUrl: url(),
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, authorization: basic } }),
  });
  return (await call(userApiTokens_create, { body: { description: 'from the specification' } })).api_token;
}

/** Opens an operation, and returns a function that runs it. */
async function openOperation(tag: string, id: string) {
  const operation = page.locator(`#operations-${tag}-${id}`);
  await page.locator(`#operations-tag-${tag}`).click();
  await operation.locator('.opblock-summary').click();
  const live = operation.locator('.live-responses-table');
  const execute = async (): Promise<{ status: string | null; body: string | null }> => {
    await operation.getByRole('button', { name: 'Execute' }).click();
    await live.locator('.response-col_status').last().waitFor();
    return {
      status: await live.locator('tbody .response-col_status').textContent(),
      body: await live.locator('tbody .response-col_description').textContent(),
    };
  };
  const clear = async () => {
    await operation.getByRole('button', { name: 'Clear' }).click();
    await live.waitFor({ state: 'detached' });
  };
  return { execute, clear };
}

const closeDialog = () => page.locator('.modal-ux').getByRole('button', { name: 'Close' }).last().click();

test('runs operations of the API reference with a token until Logout', async () => {
  const token = await makeToken();
  await page.goto(url('/docs'));
  await page.getByRole('button', { name: 'Authorize', exact: true }).click();
  const section = page.locator('.auth-container').filter({ hasText: /APIToken\s+\(apiKey\)/ });
  const apply = section.getByRole('button', { name: 'Apply credentials' });
  await section.getByRole('textbox').fill(`${token.slice(0, -1)}!`);
  await apply.click();
  await section.getByText('The server does not accept this token').waitFor();
  await expect.poll(() => section.getByText('Authorized', { exact: true }).count()).toBe(0);
  await section.getByRole('textbox').fill(token);
  await apply.click();
  await section.getByText('Authorized', { exact: true }).waitFor();
  await expect.poll(() => section.getByText('The server does not accept this token').count()).toBe(0);
  const logout = section.locator('button', { hasText: 'Logout' });
  await logout.waitFor();
  await closeDialog();

  const { execute, clear } = await openOperation('account', 'users_get');
  const granted = await execute();
  expect(granted.status).toContain('200');
  expect(granted.body).toContain(`"name": "${admin.name}"`);

  await page.getByRole('button', { name: 'Authorize', exact: true }).click();
  await logout.click();
  await closeDialog();
  await clear();
  expect((await execute()).status).toContain('401');
  // Chromium logs expected 401 responses as errors.
  expect(observed.outside).toEqual([]);
});

test('runs operations without a token for signed-in users, and authorizes without typing', async () => {
  await enter(page, admin.name);
  await page.getByRole('link', { name: 'API reference' }).click();
  await page.getByText(`Signed in as ${admin.name}: operations run as you`).waitFor();
  const me = await openOperation('account', 'users_get');
  expect(await me.execute()).toMatchObject({ body: expect.stringContaining(`"name": "${admin.name}"`) });

  await page.getByRole('button', { name: 'Authorize', exact: true }).click();
  const section = page.locator('.auth-container').filter({ hasText: /OAuth2\s+\(OAuth2, implicit\)/ });
  const popups = page.waitForEvent('popup');
  await section.locator('button.authorize', { hasText: 'Authorize' }).click();
  await (await popups).getByRole('button', { name: 'Allow' }).click();
  await section.getByText('Authorized', { exact: true }).waitFor();
  await closeDialog();
  const subscriptions = await openOperation('subscriptions', 'Subscriptions_List');
  const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/subscriptions');
  expect((await subscriptions.execute()).status).toContain('200');
  expect((await sent).headers().authorization).toMatch(/^Bearer ey/);

  await page.getByRole('button', { name: 'Authorize', exact: true }).click();
  await section.locator('button', { hasText: 'Logout' }).click();
  await section.locator('button.authorize', { hasText: 'Authorize' }).waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});
