import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openBrowser, signIn } from '../../../test-support/browser.ts';
import { createToken, createUser, password, send } from '../../harness/http.ts';
import { admin, type RunningServer, startServer } from '../../harness/server.ts';
import { client, type IdentityProvider, startProvider } from './provider.ts';

let server: RunningServer;
let provider: IdentityProvider;
let browser: Browser;
let token: string;

beforeAll(async () => {
  provider = await startProvider();
  server = await startServer({ env: { MOORING_OUTBOUND_ALLOW: '127.0.0.1', MOORING_RATE_LIMIT: '0' } });
  token = (await createToken(server)).api_token;
  await createUser(server, token, 'grace');
  browser = await openBrowser();
  return async () => {
    await browser.close();
    await server.stop();
    await provider.stop();
  };
});

async function openPage(path: string): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ignoreHTTPSErrors: true });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(server.httpsUrl + path);
  return page;
}

/** Fills in the forms of the provider. */
async function enterAtProvider(page: Page, person: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/interaction/*`);
  await page.locator('[name=login]').fill(person);
  await page.locator('[name=password]').fill('any');
  await page.locator('[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

const toSignIn = (page: Page) => page.getByRole('link', { name: 'Sign in with Corp' }).click();

test('an administrator adds a provider in the console, and people sign in with it', { timeout: 300_000 }, async () => {
  const office = await openPage('/sign-in');
  await signIn(office, { origin: server.httpsUrl, login: admin.name, password: admin.password });
  await office.goto(`${server.httpsUrl}/admin/identity-providers`);
  await office.getByRole('button', { name: 'New identity provider' }).click();
  const dialog = office.getByRole('dialog');
  await dialog.getByLabel('Name in addresses').fill('corp');
  await dialog.getByLabel('Name', { exact: true }).fill('Corp');
  await dialog.getByLabel('Issuer').fill(provider.issuer);
  await dialog.getByLabel('Client ID').fill(client.client_id);
  await dialog.getByLabel('Client secret').fill(client.client_secret);
  await dialog.getByLabel('Allowed email domains').fill('example.com');
  await dialog.getByLabel('Create accounts').check();
  await dialog.getByRole('button', { name: 'Add identity provider' }).click();
  await dialog.waitFor({ state: 'detached' });
  const redirectUri = `${server.httpsUrl}/auth/oidc/corp/callback`;
  await office.getByText(redirectUri).waitFor();
  await provider.register(redirectUri, {
    returnTo: `${server.httpsUrl}/sign-in`,
    notify: `${server.httpUrl}/auth/oidc/corp/backchannel-logout`,
  });

  provider.people.mary = { email: 'mary@example.com', email_verified: true, name: 'Mary Jackson' };
  const page = await openPage('/settings/profile');
  await toSignIn(page);
  await enterAtProvider(page, 'mary');
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
  await expect.poll(() => page.getByLabel('Display name').inputValue()).toBe('Mary Jackson');

  provider.people.outsider = { email: 'outsider@example.org', email_verified: true };
  const refused = await openPage('/sign-in');
  await toSignIn(refused);
  await enterAtProvider(refused, 'outsider');
  await refused.getByText('not in a domain that may sign in').waitFor();
});

test('a person with an account links it with their password once', { timeout: 300_000 }, async () => {
  provider.people.hopper = { email: 'grace@example.com', email_verified: true };
  const page = await openPage('/orgs');
  await toSignIn(page);
  await enterAtProvider(page, 'hopper');
  await page.getByRole('heading', { name: 'Link your account' }).waitFor();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Link account' }).click();
  await page.getByRole('heading', { name: 'Organizations' }).waitFor();
  const again = await openPage('/orgs');
  await toSignIn(again);
  await enterAtProvider(again, 'hopper');
  await again.getByRole('heading', { name: 'Organizations' }).waitFor();
});

test('signing out here continues at the provider, and signing out there ends the session here', {
  timeout: 300_000,
}, async () => {
  const url = `${server.httpUrl}/v0.1/admin/identity_providers/corp`;
  expect((await send('PATCH', url, { token, body: { signs_out: true } })).status).toBe(200);
  const page = await openPage('/orgs');
  await toSignIn(page);
  await enterAtProvider(page, 'mary');
  await page.getByRole('heading', { name: 'Organizations' }).waitFor();
  await page.getByRole('button', { name: / menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(`${provider.issuer}/session/end*`);
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await page.waitForURL(`${server.httpsUrl}/sign-in*`);

  const other = await openPage('/orgs');
  await toSignIn(other);
  await enterAtProvider(other, 'mary');
  await other.getByRole('heading', { name: 'Organizations' }).waitFor();
  await other.goto(`${provider.issuer}/session/end`);
  await other.getByRole('button', { name: 'Yes, sign me out' }).click();
  await other.waitForURL(`${provider.issuer}/session/end/success*`);
  await other.goto(`${server.httpsUrl}/sign-in`);
  const status = () => other.evaluate(async () => (await fetch('/v0.1/user')).status);
  await expect.poll(status, { timeout: 20_000 }).toBe(401);
});

test('an administrator sees the effect of a rule, and requires the provider', { timeout: 300_000 }, async () => {
  await createUser(server, token, 'linus');
  const office = await openPage('/sign-in');
  await signIn(office, { origin: server.httpsUrl, login: admin.name, password: admin.password });
  await office.goto(`${server.httpsUrl}/admin/identity-providers`);
  await office.getByRole('combobox', { name: 'Identity provider' }).click();
  await office.getByRole('option', { name: 'Corp' }).click();
  const table = office.getByRole('table', { name: 'Effect on each person' });
  await table
    .getByRole('row')
    .filter({ hasText: 'linus' })
    .getByText('links the account at the first sign-in')
    .waitFor();
  await table.getByRole('row').filter({ hasText: admin.email }).getByText('Keeps the password').waitFor();
  await office.getByRole('button', { name: 'Require corp' }).click();
  await office.getByRole('button', { name: 'Allow passwords' }).waitFor();

  const page = await openPage('/orgs');
  await page.getByLabel('Name or email').fill('linus');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Your password no longer works').waitFor();
  provider.people.linus = { email: 'linus@example.com', email_verified: true };
  await toSignIn(page);
  await enterAtProvider(page, 'linus');
  await page.getByRole('heading', { name: 'Organizations' }).waitFor();

  await office.getByRole('button', { name: 'Allow passwords' }).click();
  await office.getByRole('dialog').getByRole('button', { name: 'Allow passwords' }).click();
  await office.getByRole('combobox', { name: 'Identity provider' }).waitFor();
  const allowed = await send('POST', `${server.httpUrl}/v0.1/sessions`, { body: { login: 'linus', password } });
  expect(allowed.status).toBe(201);
});
