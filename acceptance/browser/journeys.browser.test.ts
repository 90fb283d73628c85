import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { testConsole } from '../harness/console.ts';
import { type AcceptanceFixtures, createFixtures } from '../harness/fixtures.ts';
import { password } from '../harness/http.ts';
import { admin } from '../harness/server.ts';

const compass = '/orgs/lighthouse/apps/compass';

const { running, url, open, openAs, enter } = testConsole({ env: { MOORING_OPEN_SIGN_UP: 'true' } });
let fixtures: AcceptanceFixtures;

beforeAll(async () => {
  fixtures = await createFixtures(running());
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

test('creates, finds, renames and, by its typed name, deletes an app of an organization', async () => {
  const { page, observed } = await openAs(admin.name, '/');
  await page.getByRole('link', { name: 'New app' }).click();
  await choose(page, 'Owner', 'Lighthouse Labs');
  await page.getByLabel('Display name').fill('Night Watch');
  await choose(page, 'Operating system', 'Tizen');
  await expect.poll(() => page.getByRole('combobox', { name: 'Platform' }).inputValue()).toBe('Xamarin');
  await press(page, 'Create app');
  await page.waitForURL('**/orgs/lighthouse/apps/Night-Watch');
  await page.goto(url());
  await page.getByRole('searchbox', { name: 'Search apps' }).fill('night light');
  await page.waitForURL('**/?q=night+light');
  await row(page, 'Tide Table').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Night Watch', exact: true }).last().click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Name', { exact: true }).fill('watch');
  await page.locator('form', { hasText: 'Display name' }).getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/orgs/lighthouse/apps/watch/settings');
  await press(page, 'Delete app');
  const dialog = page.getByRole('dialog');
  const remove = dialog.getByRole('button', { name: 'Delete app' });
  await expect.poll(() => remove.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('watch');
  await remove.click();
  await page.waitForURL(url('/'));
  await row(page, 'Tide Table').waitFor();
  await expect.poll(() => row(page, 'Night Watch').count()).toBe(0);
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('invites a person, who signs up, changes the role and removes the member', async () => {
  const email = 'hedy@example.org';
  const { page: manager, observed } = await openAs(admin.name, `${compass}/users`);
  await press(manager, 'Invite people');
  await manager.getByLabel('Email addresses').fill(`Hedy Lamarr <${email}>, ${admin.email}\nnobody`);
  await manager.getByText('2 valid, 1 invalid').waitFor();
  await press(manager, 'Invite 2 people');
  await manager.getByText('1 invited, 1 failed.').waitFor();
  await manager.getByText(/ada.*already/i).waitFor();
  await manager.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await manager.getByRole('tab', { name: 'Invitations' }).click();
  await row(manager, email).waitFor();

  const path = await fixtures.linkTo(email);
  const { page: hedy } = await open();
  await hedy.goto(url(path));
  await hedy.getByLabel('Display name').fill('Hedy Lamarr');
  await hedy.getByLabel('Password', { exact: true }).fill(password);
  await press(hedy, 'Create account and accept');
  await hedy.getByRole('button', { name: 'Hedy Lamarr menu' }).waitFor();
  await hedy.goto(url(compass));
  await hedy.getByText('Developer').first().waitFor();

  await manager.getByRole('tab', { name: 'People' }).click();
  await manager.waitForURL(url(`${compass}/users`));
  await manager.reload();
  await choose(manager, 'Role of Hedy Lamarr', 'Viewer');
  await expect.poll(async () => (await permissions())[email]).toBe('viewer');
  await manager.getByRole('button', { name: 'Remove Hedy Lamarr' }).click();
  await manager.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row(manager, 'Hedy Lamarr').waitFor({ state: 'detached' });
  await hedy.reload();
  await hedy.getByRole('heading', { name: "Not found, or you don't have access" }).waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});

async function permissions(): Promise<Record<string, string>> {
  const users = await fixtures.call<{ email: string; permissions: string[] }[]>(
    'GET',
    '/apps/lighthouse/compass/users',
  );
  return Object.fromEntries(users.map(({ email, permissions }) => [email, permissions[0] ?? '']));
}

test('adds testers in bulk with a result for each, and removes one', async () => {
  const { page, observed } = await openAs(admin.name, `${compass}/groups`);
  await press(page, 'New group');
  await page.getByLabel('Name', { exact: true }).fill('Night / deck');
  await press(page, 'Create group');
  await page.getByRole('heading', { level: 1, name: 'Night / deck' }).waitFor();
  // The empty list, which comes later, has the same button.
  await page.getByRole('button', { name: 'Add people', exact: true }).first().click();
  await page.getByLabel('Email addresses').fill('name,email\nGrace,grace@example.com\nEve,eve@example.org\nX,x@y..z');
  await press(page, 'Add 3 people');
  await page.getByText('2 added, 1 failed.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await row(page, 'Grace Hopper').getByText('Member').waitFor();
  await row(page, 'eve@example.org').getByText('Invited').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Remove eve@example.org' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row(page, 'eve@example.org').waitFor({ state: 'detached' });
  await press(page, 'Edit group');
  await page.getByLabel('Name', { exact: true }).fill('Deck');
  await press(page, 'Save');
  await page.waitForURL(url(`${compass}/groups/Deck`));
  await page.getByRole('heading', { level: 1, name: 'Deck', exact: true }).waitFor();
  await press(page, 'Delete group');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(url(`${compass}/groups`));
  await row(page, 'Beta divers').waitFor();
  await expect.poll(() => row(page, 'Deck').count()).toBe(0);
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('shows why the server rejects a change', async () => {
  const { page } = await openAs(admin.name, '/orgs/lighthouse/people');
  await choose(page, 'Role of ada', 'Member');
  await page.getByText("Couldn't change the role").waitFor();
  await page.getByText(/last admin/).waitFor();
});

test('hides destructive buttons from viewers, whom the API rejects too', async () => {
  const { page, observed } = await openAs('linus', compass);
  const nav = page.getByRole('navigation', { name: 'App' });
  await nav.getByRole('link', { name: 'Members' }).click();
  await row(page, 'Grace Hopper').waitFor();
  await expect
    .poll(() => nav.getByRole('link').allTextContents())
    .toEqual([
      'Overview',
      'Analytics',
      'Explore',
      'Crashes',
      'Feedback',
      'Ingestion',
      'Builds',
      'Tests',
      'Releases',
      'Distribution groups',
      'Stores',
      'CodePush',
      'Members',
      'Export',
      'Alerts',
      'Bug tracker',
      'Notifications',
      'Webhooks',
      'Usage',
      'API reference',
    ]);
  for (const name of ['Invite', /^Remove/, /Delete/, /New/]) {
    await expect.poll(() => page.getByRole('main').getByRole('button', { name }).count()).toBe(0);
  }
  await expect.poll(() => page.getByRole('main').getByRole('combobox').count()).toBe(0);
  for (const path of ['settings', 'tokens', 'audit']) {
    await page.goto(url(`${compass}/${path}`));
    await page.getByText("You don't have access to this page").waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Delete|New API token|Transfer|Save/ }).count()).toBe(0);
  }
  const byHand = (method: string, path: string, body?: object) =>
    page.evaluate(
      async ([method, path, body]) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(`/v0.1/apps/lighthouse/compass${path}`, { method, headers, body });
        return answer.status;
      },
      [method, path, body && JSON.stringify(body)] as [string, string, string | undefined],
    );
  expect(await byHand('DELETE', '')).toBe(403);
  expect(await byHand('PATCH', '', { display_name: 'Mine' })).toBe(403);
  expect(await byHand('POST', '/api_tokens', {})).toBe(403);
  expect(await byHand('DELETE', '/users/grace%40example.com')).toBe(403);
  expect(await byHand('POST', '/invitations', { user_email: 'eve@example.com' })).toBe(403);
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test("creates an app token within the user's rights, and rejects it after deletion", async () => {
  await fixtures.call('POST', '/apps/lighthouse/compass/api_tokens', { description: 'ci upload' });
  await fixtures.call('PATCH', '/apps/lighthouse/compass/users/linus@example.com', { permissions: ['developer'] });
  const { page: developer } = await openAs('linus', `${compass}/settings`);
  await expect.poll(() => developer.getByRole('button', { name: 'Save' }).count()).toBe(0);
  await developer.getByRole('main').getByRole('link', { name: 'Manage API tokens' }).click();
  await press(developer, 'New API token');
  await developer.getByRole('radio', { name: 'Read-Only' }).waitFor();
  await expect.poll(() => developer.getByRole('radio', { name: 'Full Access' }).count()).toBe(0);
  await developer.getByLabel('Name').fill('status board');
  await developer.getByRole('radio', { name: 'Read-Only' }).click();
  await press(developer, 'Create token');
  const value = await developer.getByLabel('Token', { exact: true }).inputValue();
  const status = async () =>
    (await fetch(url('/v0.1/apps/lighthouse/compass'), { headers: { 'x-api-token': value } })).status;
  expect([value.slice(0, 7), await status()]).toEqual(['moor_a_', 200]);
  await developer.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  await expect.poll(() => row(developer, 'ci upload').getByRole('checkbox').count()).toBe(0);
  await row(developer, 'status board').getByRole('checkbox').check();
  await press(developer, 'Delete 1 token');
  await developer.getByRole('dialog').getByRole('button', { name: 'Delete API token' }).click();
  await row(developer, 'status board').waitFor({ state: 'detached' });
  expect(await status()).toBe(401);
  await fixtures.call('PATCH', '/apps/lighthouse/compass/users/linus@example.com', { permissions: ['viewer'] });
});

test('signs in a command line with a token that is named after the machine and shown once', async () => {
  const { page } = await open();
  await page.goto(url('/cli-login?hostname=grace-laptop'));
  await page.getByLabel('Name or email').fill('grace');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Sign in');
  await press(page, 'Create access code');
  const value = await page.getByLabel('Access code', { exact: true }).inputValue();
  const answer = await fetch(url('/v0.1/user'), { headers: { 'x-api-token': value } });
  expect(await answer.json()).toMatchObject({ name: 'grace' });
  await page.reload();
  await page.getByRole('button', { name: 'Create access code' }).waitFor();
  await expect.poll(() => page.content()).not.toContain(value);
  await page.goto(url('/settings/tokens'));
  await row(page, 'grace-laptop').getByText('Full Access').waitFor();
});

test('resets a password by an emailed link, and by one from an administrator', async () => {
  const { page, observed } = await open();
  const setPassword = async (link: string, next: string) => {
    await page.goto(link);
    await page.getByLabel('New password', { exact: true }).fill(next);
    await expect.poll(() => page.url()).toBe(url('/reset-password'));
    await press(page, 'Set password');
    await page.getByRole('link', { name: 'Sign in' }).click();
  };
  await page.goto(url('/sign-in'));
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByLabel('Email', { exact: true }).fill('grace@example.com');
  await press(page, 'Request reset link');
  await page.getByText('If an account uses this email').waitFor();
  await expect.poll(() => fixtures.linkTo('grace@example.com')).toContain('/reset-password#token=');
  const link = url() + (await fixtures.linkTo('grace@example.com'));
  await setPassword(link, 'a password by mail');
  await enter(page, 'grace', '/', 'a password by mail');

  const { page: root } = await openAs(admin.name, '/admin/users');
  await root.getByRole('button', { name: 'Actions for grace' }).click();
  await root.getByRole('menuitem', { name: 'Create password link' }).click();
  await press(root, 'Create password link');
  const made = new URL(await root.getByLabel('Link', { exact: true }).inputValue());
  await setPassword(url(made.pathname) + made.hash, password);
  await enter(page, 'grace');

  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill('too late for this');
  await press(page, 'Set password');
  await page.getByText('This link is invalid').waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('shows names with HTML as text', async () => {
  const html = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
  const attempt = { display_name: html, description: html };
  await fixtures.call('POST', '/apps', { ...attempt, name: 'html', os: 'Linux', platform: 'Custom' });
  await fixtures.call('POST', '/orgs/lighthouse/teams', { ...attempt, name: 'html' });
  await fixtures.call('POST', '/api_tokens', { description: html });
  await fixtures.call('POST', '/orgs', { display_name: html, name: 'html' });
  const { page, observed } = await openAs(admin.name, '/');
  for (const path of [
    '/',
    '/users/ada/apps/html',
    '/orgs/lighthouse/teams/html',
    '/settings/tokens',
    '/orgs/html/audit',
  ]) {
    await page.goto(url(path));
    await page.getByText(html).filter({ visible: true }).first().waitFor();
    expect([path, await page.title()]).not.toEqual([path, 'owned']);
    await expect.poll(() => page.locator('img[src="x"], #root script').count()).toBe(0);
  }
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('shows that the server is unreachable, and recovers', async () => {
  const { page } = await openAs(admin.name, '/orgs');
  await row(page, 'Lighthouse Labs').waitFor();
  await page.route('**/v0.1/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Apps', exact: true }).click();
  await page.getByText('This data may be out of date').waitFor();
  const nextRequest = page.waitForRequest(/\/v0\.1\/.*apps/);
  await press(page, 'Retry now');
  await nextRequest;
  await page.unroute('**/v0.1/**');
  await row(page, 'Tide Table').waitFor();
  await page.getByText('This data may be out of date').waitFor({ state: 'detached' });
});

test("shows inside the frame that a page's code failed to load, and reloads it", async () => {
  const { page } = await openAs(admin.name, '/orgs');
  await row(page, 'Lighthouse Labs').waitFor();
  await page.route('**/*', (route) => route.abort());
  await page.getByRole('link', { name: 'Service health' }).click();
  await page.getByRole('heading', { name: "Couldn't open this page" }).waitFor();
  await press(page, 'Reload page');
  await page.getByText("The server isn't responding yet").waitFor();
  await page.goBack();
  await row(page, 'Lighthouse Labs').waitFor();
  await page.getByRole('link', { name: 'Service health' }).click();
  await page.getByRole('heading', { name: "Couldn't open this page" }).waitFor();
  await page.unroute('**/*');
  await press(page, 'Reload page');
  await page.getByRole('heading', { name: 'Service health' }).waitFor();
});

test('keeps other sites from using the session by forms or redirects', async () => {
  const { page } = await openAs(admin.name, '/');
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  const forged = await fetch(url('/v0.1/orgs'), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: `${cookie?.name}=${cookie?.value}`,
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    },
    body: JSON.stringify({ name: 'forged' }),
  });
  expect(forged.status).toBe(403);
  await page.goto(url('/sign-in?next=//evil.example/'));
  await page.waitForURL(url('/'));
});

test('hides the session from scripts, and ends stolen ones on sign-out', async () => {
  const { page } = await openAs(admin.name, '/orgs');
  const [cookie] = await page.context().cookies();
  if (!cookie) throw new Error('The browser has no session cookie.');
  expect(await page.evaluate(() => [document.cookie, ...Object.values(localStorage)].join())).not.toContain(
    cookie.value,
  );

  const thief = await open();
  await thief.page.context().addCookies([cookie]);
  await thief.page.goto(url('/orgs'));
  await row(thief.page, 'Lighthouse Labs').waitFor();
  await page.getByRole('button', { name: / menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
  await thief.page.getByRole('link', { name: 'Apps', exact: true }).click();
  await thief.page.waitForURL(/\/sign-in/);
  const stolen = { headers: { cookie: `${cookie.name}=${cookie.value}` } };
  expect((await fetch(url('/v0.1/user'), stolen)).status).toBe(401);
});
