import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Observed } from '../../test-support/browser.ts';
import { testConsole } from '../harness/console.ts';
import { admin } from '../harness/server.ts';

/** One user journey: each step continues the previous one. */
describe('console', () => {
  const { running, url, keepOpen, open } = testConsole({ withoutAdmin: true });
  let page: Page;
  let observed: Observed;

  beforeAll(async () => {
    ({ page, observed } = await keepOpen());
  });

  const statusWith = async (token: string): Promise<number> =>
    (await fetch(url('/v0.1/user'), { headers: { 'x-api-token': token } })).status;

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });

  const chooseFromMenu = async (entry: string) => {
    await page.getByRole('button', { name: / menu$/ }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };

  const signIn = async (password: string) => {
    await page.getByLabel('Name or email').fill(admin.name);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await press('Sign in');
  };

  test('asks for the setup link while the server has no administrator', async () => {
    await page.goto(url());
    await page.getByRole('heading', { name: "This server isn't set up yet" }).waitFor();
  });

  test('creates the first administrator with the setup link, and removes its token from the URL', async () => {
    await page.goto(running().setupLink ?? '');
    await page.getByLabel('Email').fill(admin.email);
    await expect.poll(() => page.url()).toBe(url('/setup'));
    await page.getByLabel('Display name').fill('Ada Lovelace');
    await page.getByLabel('Password', { exact: true }).fill(admin.password);
    await press('Create account');
    await page.getByText('You have no apps yet').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  });

  test('explains that the setup link was used', async () => {
    await page.goto(url('/setup'));
    await page.getByRole('heading', { name: 'This server is already set up' }).waitFor();
  });

  test('shows a new API token once, stores it nowhere, and revokes it on deletion', async () => {
    await page.goto(url());
    await chooseFromMenu('API tokens');
    await page.getByText('No API tokens yet').waitFor();
    await press('New API token');
    await page.getByRole('dialog').getByRole('link', { name: 'choose the app' }).waitFor();
    await press('Create token');
    await page.getByRole('dialog').getByText('Required', { exact: true }).waitFor();
    await page.getByRole('dialog').getByText('Choose an access level.').waitFor();
    await expect.poll(() => page.getByRole('radio', { checked: true }).count()).toBe(0);
    await page.getByLabel('Name').fill('nightly build');
    await press('Create token');
    await page.getByRole('dialog').getByText('Choose an access level.').waitFor();
    await page.getByRole('radio', { name: 'Read-Only' }).click();
    await press('Create token');
    const value = await page.getByLabel('Token', { exact: true }).inputValue();
    await page.getByText("can't see it again").waitFor();
    expect(value).toMatch(/^moor_u_/);
    expect(await statusWith(value)).toBe(200);

    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row('nightly build').getByText('Read-Only').waitFor();
    const stored = await page.evaluate(() =>
      [
        document.documentElement.outerHTML,
        ...[...document.querySelectorAll('input')].map((input) => input.value),
        JSON.stringify(localStorage),
        JSON.stringify(sessionStorage),
        JSON.stringify(history.state),
        location.href,
      ].join('\n'),
    );
    expect(stored).not.toContain(value);
    expect(stored).toContain(`…${value.slice(-4)}`);

    await row('nightly build').getByRole('checkbox').check();
    await press('Delete 1 token');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete API token' }).click();
    await page.getByText('No API tokens yet').waitFor();
    expect(await statusWith(value)).toBe(401);
  });

  test('shows why a token could not be deleted', async () => {
    await press('New API token');
    await page.getByLabel('Name').fill('short-lived');
    await page.getByRole('radio', { name: 'Full Access' }).click();
    await press('Create token');
    const value = await page.getByLabel('Token', { exact: true }).inputValue();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
    await row('short-lived').getByRole('checkbox').check();
    const asItself = { 'x-api-token': value };
    const [token] = await (await fetch(url('/v0.1/api_tokens'), { headers: asItself })).json();
    await fetch(url(`/v0.1/api_tokens/${token.id}`), { method: 'DELETE', headers: asItself });
    await press('Delete 1 token');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete API token' }).click();
    await page.getByText("Couldn't delete short-lived").waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('No API tokens yet').waitFor();
  });

  test('signs out, rejects a wrong password and returns to the requested page', async () => {
    await chooseFromMenu('Sign out');
    await page.waitForURL('**/sign-in');
    await page.goto(url('/admin/users'));
    await page.waitForURL('**/sign-in?next=%2Fadmin%2Fusers');
    await signIn('not the password');
    await page.getByText('The name or password is wrong.').waitFor();
    await signIn(admin.password);
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/admin/users');
  });

  test('lets an administrator create a user', async () => {
    await press('New user');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Display name').fill('Grace Hopper');
    await page.getByLabel('Password', { exact: true }).fill('nanoseconds of wire');
    await press('Create user');
    await row('Grace Hopper').getByText('grace@example.com').waitFor();
  });

  test("explains why the last administrator can't be disabled", async () => {
    await page.getByRole('button', { name: `Actions for ${admin.name}` }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText(`${admin.name} is the last administrator. Promote another user first.`).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  test('records actions with their actor in the audit log', async () => {
    await page.getByRole('link', { name: 'Audit log' }).click();
    await row('Created the user grace').getByText(admin.name, { exact: true }).waitFor();
  });

  test('explains missing access to a page', async () => {
    const { page: stranger } = await open();
    await stranger.goto(url('/sign-in?next=/admin/audit'));
    await stranger.getByLabel('Name or email').fill('grace');
    await stranger.getByLabel('Password', { exact: true }).fill('nanoseconds of wire');
    await stranger.getByRole('button', { name: 'Sign in', exact: true }).click();
    await stranger.getByText("You don't have access to this page").waitFor();
  });

  test('redirects to sign-in when the session has ended elsewhere', async () => {
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.waitForURL('**/sign-in?next=%2Fadmin%2Fusers&problem=signed_out');
    await page.getByText('You were signed out. Sign in to return to the page.').waitFor();
  });

  test('offers a way back from an unknown URL', async () => {
    await page.goto(url('/no/such/page'));
    await page.getByRole('link', { name: 'Go to home page' }).waitFor();
  });

  test('makes no external requests and causes no browser errors', () => {
    expect(observed).toEqual({ outside: [], complaints: [] });
  });
});
