import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Observed } from '../harness/browser.ts';
import { testConsole } from '../harness/console.ts';
import { admin } from '../harness/server.ts';

/** One journey of one person, so each step begins where the one before it ended. */
describe('the console', () => {
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
    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page.getByRole('menuitem', { name: entry }).click();
  };

  const signIn = async (password: string) => {
    await page.getByLabel('Name or e-mail').fill(admin.name);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await press('Sign in');
  };

  test('asks for the set-up link while the server has no administrator', async () => {
    await page.goto(url());
    await page.getByRole('heading', { name: 'This server is not set up yet' }).waitFor();
  });

  test('makes the first administrator with the set-up link, which leaves the address bar', async () => {
    await page.goto(running().setupLink ?? '');
    await page.getByLabel('E-mail').fill(admin.email);
    await expect.poll(() => page.url()).toBe(url('/setup'));
    await page.getByLabel('Display name').fill('Ada Lovelace');
    await page.getByLabel('Password', { exact: true }).fill(admin.password);
    await press('Create the administrator');
    await page.getByText('You have no apps yet').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  });

  test('says that the set-up link was used', async () => {
    await page.goto(url('/setup'));
    await page.getByRole('heading', { name: 'This server is set up already' }).waitFor();
  });

  test('shows the value of a new API token once and keeps it nowhere; deleting the token revokes it', async () => {
    await page.goto(url());
    await chooseFromMenu('API tokens');
    await page.getByText('There are no API tokens').waitFor();
    await press('New API token');
    await page.getByRole('dialog').getByRole('link', { name: 'choose the app' }).waitFor();
    await press('Create');
    await page.getByRole('dialog').getByText('Fill this in.').waitFor();
    await page.getByRole('dialog').getByText('Choose what the token may do.').waitFor();
    await expect.poll(() => page.getByRole('radio', { checked: true }).count()).toBe(0);
    await page.getByLabel('Name').fill('nightly build');
    await press('Create');
    await page.getByRole('dialog').getByText('Choose what the token may do.').waitFor();
    await page.getByRole('radio', { name: 'Read-Only' }).click();
    await press('Create');
    const value = await page.getByLabel('Token', { exact: true }).inputValue();
    await page.getByText('cannot be displayed again').waitFor();
    expect(value).toMatch(/^moor_u_/);
    expect(await statusWith(value)).toBe(200);

    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row('nightly build').getByText('Read-Only').waitFor();
    const kept = await page.evaluate(() =>
      [
        document.documentElement.outerHTML,
        ...[...document.querySelectorAll('input')].map((input) => input.value),
        JSON.stringify(localStorage),
        JSON.stringify(sessionStorage),
        JSON.stringify(history.state),
        location.href,
      ].join('\n'),
    );
    expect(kept).not.toContain(value);
    expect(kept).toContain(`…${value.slice(-4)}`);

    await row('nightly build').getByRole('checkbox').check();
    await press('Delete 1');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There are no API tokens').waitFor();
    expect(await statusWith(value)).toBe(401);
  });

  test('tells why a token could not be deleted', async () => {
    await press('New API token');
    await page.getByLabel('Name').fill('short-lived');
    await page.getByRole('radio', { name: 'Full Access' }).click();
    await press('Create');
    const value = await page.getByLabel('Token', { exact: true }).inputValue();
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
    await row('short-lived').getByRole('checkbox').check();
    const asItself = { 'x-api-token': value };
    const [token] = await (await fetch(url('/v0.1/api_tokens'), { headers: asItself })).json();
    await fetch(url(`/v0.1/api_tokens/${token.id}`), { method: 'DELETE', headers: asItself });
    await press('Delete 1');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('short-lived was not deleted').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('There are no API tokens').waitFor();
  });

  test('signs out, refuses a wrong password in words, and returns to the page that was asked for', async () => {
    await chooseFromMenu('Sign out');
    await page.waitForURL('**/sign-in');
    await page.goto(url('/admin/users'));
    await page.waitForURL('**/sign-in?next=%2Fadmin%2Fusers');
    await signIn('not the password');
    await page.getByText('The name or the password is wrong.').waitFor();
    await signIn(admin.password);
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/admin/users');
  });

  test('lets an administrator create a user', async () => {
    await press('New user');
    await page.getByLabel('E-mail').fill('grace@example.com');
    await page.getByLabel('Display name').fill('Grace Hopper');
    await page.getByLabel('Password', { exact: true }).fill('nanoseconds of wire');
    await press('Create');
    await row('Grace Hopper').getByText('grace@example.com').waitFor();
  });

  test('shows why the last administrator cannot be disabled', async () => {
    await page.getByRole('button', { name: `Actions for ${admin.name}` }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText(`${admin.name} is the last administrator; make somebody else one first.`).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  test('tells in the audit log who did what', async () => {
    await page.getByRole('link', { name: 'Audit log' }).click();
    await row('Created the user grace').getByText(admin.name, { exact: true }).waitFor();
  });

  test('says when a page may not be seen', async () => {
    const { page: stranger } = await open();
    await stranger.goto(url('/sign-in?next=/admin/audit'));
    await stranger.getByLabel('Name or e-mail').fill('grace');
    await stranger.getByLabel('Password', { exact: true }).fill('nanoseconds of wire');
    await stranger.getByRole('button', { name: 'Sign in' }).click();
    await stranger.getByText('You may not see this page').waitFor();
  });

  test('goes to sign in when the session has ended elsewhere', async () => {
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.waitForURL('**/sign-in?next=%2Fadmin%2Fusers');
  });

  test('answers an unknown address with a way back', async () => {
    await page.goto(url('/no/such/page'));
    await page.getByRole('link', { name: 'Go to the home page' }).waitFor();
  });

  test('did all that without a request to another server and without a complaint of the browser', () => {
    expect(observed).toEqual({ outside: [], complaints: [] });
  });
});
