import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { png } from '../../tools/samples/images.ts';
import { testConsole } from '../harness/console.ts';
import { writeDeadLetters } from '../harness/dead-letters.ts';
import { type AcceptanceFixtures, createFixtures } from '../harness/fixtures.ts';
import { admin } from '../harness/server.ts';

const { running, url, open, openAs } = testConsole();
let fixtures: AcceptanceFixtures;

beforeAll(async () => {
  fixtures = await createFixtures(running());
  const buoy = { name: 'buoy', display_name: 'Buoy', os: 'Android', platform: 'Java' };
  await fixtures.call('POST', '/orgs/harbour/apps', buoy);
});

const openAsAdmin = (path: string) => openAs(admin.name, path);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

test('replays one dead letter and deletes another', async () => {
  const [first, second] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];
  writeDeadLetters(running(), first, second);
  const { page, observed } = await openAsAdmin('/admin/jobs');
  await page.getByRole('tab', { name: 'Failed (2)' }).waitFor();
  await row(page, first).getByText('connect ECONNREFUSED').waitFor();
  await row(page, first).getByRole('button', { name: 'Replay' }).click();
  await confirm(page, 'Replay job');
  await row(page, first).waitFor({ state: 'detached' });
  await row(page, second).getByRole('button', { name: 'Delete' }).click();
  await confirm(page, 'Delete job');
  await page.getByText('No failed jobs').waitFor();
  await page.getByRole('tab', { name: 'Failed (0)' }).waitFor();
  await page.getByRole('tab', { name: /^Queued/ }).click();
  await page.waitForURL('**/admin/jobs?state=waiting');
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('signs up an invited person by the link in the outbox while sign-up is closed', async () => {
  const newcomer = { user_email: 'nia@example.org', role: 'member' };
  await fixtures.call('POST', '/apps/lighthouse/compass/invitations', newcomer);
  const { page: root } = await openAsAdmin('/admin/mails');
  await root.getByText('Pass on their links yourself').waitFor();
  await row(root, newcomer.user_email).getByRole('button', { name: 'Read' }).click();
  await press(root, 'Show link');
  const link = await root.getByRole('dialog').locator('code').textContent();

  const { page, observed } = await open();
  await page.goto(url(new URL(link ?? '').pathname));
  await page.getByText('as viewer').waitFor();
  await page.getByLabel('Display name').fill('Nia New');
  await page.getByLabel('Password', { exact: true }).fill('brand new password');
  await press(page, 'Create account and accept');
  await page.waitForURL('**/orgs/lighthouse/apps/compass');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: 'Nia New menu' }).waitFor();
  const { users } = await fixtures
    .call<{ email: string }[]>('GET', '/apps/lighthouse/compass/users')
    .then((all) => ({ users: all.map(({ email }) => email) }));
  expect(users).toContain(newcomer.user_email);
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('signs up a tester by an invitation to a group', async () => {
  const members = '/apps/lighthouse/compass/distribution_groups/Shore%20crew/members';
  await fixtures.call('POST', members, { user_emails: ['tester@example.org'] });
  const { page, observed } = await open();
  await page.goto(url() + (await fixtures.linkTo('tester@example.org')));
  await page.getByText('to the testers of').waitFor();
  await page.getByLabel('Password', { exact: true }).fill('brand new password');
  await press(page, 'Create account and accept');
  await page.waitForURL('**/orgs/lighthouse/apps/compass');
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('registers, edits and deletes an OAuth client, but not built-in ones', async () => {
  const { page, observed } = await openAsAdmin('/admin/clients');
  const builtIn = row(page, 'Mooring command line');
  await builtIn.getByText('Built in').waitFor();
  await expect.poll(() => builtIn.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  await press(page, 'New client');
  await page.getByLabel('Name').fill('Chart table');
  await page.getByLabel('Redirect URLs').fill('http://board.example.com/signed-in');
  await press(page, 'Register client');
  await expect
    .poll(() => page.getByLabel('Authorization code with PKCE').evaluate((radio) => radio.matches(':invalid')))
    .toBe(true);
  await page.getByLabel('Authorization code with PKCE').check();
  await press(page, 'Register client');
  await page.getByRole('dialog').getByRole('alert').getByText('https').waitFor();
  await page.getByLabel('Redirect URLs').fill('https://board.example.com/signed-in\nhttp://localhost/back');
  await press(page, 'Register client');
  await row(page, 'Chart table').getByText('http://localhost/back').waitFor();

  await press(page, 'Edit Chart table');
  await page.getByLabel('Implicit flow').check();
  await press(page, 'Save');
  await row(page, 'Chart table').getByText('Code, implicit').waitFor();
  await press(page, 'Delete Chart table');
  await confirm(page, 'Delete client');
  await row(page, 'Chart table').waitFor({ state: 'detached' });

  await press(page, 'Rotate signing key');
  await confirm(page, 'Rotate signing key');
  await page.getByText('Key rotated.').waitFor();
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test('shows server settings without secrets', async () => {
  const { page, observed } = await openAsAdmin('/admin/server');
  await page.getByText('SQLite', { exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('admin_password');
  await row(page, 'MOORING_ADMIN_PASSWORD').getByText('set (hidden)').waitFor();
  // The description of MOORING_ADMIN_EMAIL names the password as well.
  await expect.poll(() => row(page, 'MOORING_').count()).toBe(2);
  await expect.poll(() => page.content()).not.toContain(admin.password);
  expect(observed).toEqual({ outside: [], complaints: [] });
});

test.each([
  ['icon', '/orgs/harbour/apps/buoy/settings', '/orgs/harbour'],
  ['avatar', '/orgs/harbour/settings', '/orgs/harbour/people'],
])('uploads, shows and removes an %s, and rejects other files with a reason', async (what, settings, elsewhere) => {
  const { page, observed } = await openAsAdmin(settings);
  const images = page.locator('img[src^="/avatars/"]');
  const upload = async (content: Buffer) => {
    const choosing = page.waitForEvent('filechooser');
    await press(page, `Upload ${what}`);
    await (await choosing).setFiles({ name: 'image.png', mimeType: 'image/png', buffer: content });
  };
  await upload(Buffer.from('<svg onload="alert(1)"/>'));
  await page.getByText('must be a PNG, JPEG, GIF or WebP image').waitFor();
  await expect.poll(() => images.count()).toBe(0);
  await upload(png(64, 64));
  await page.getByRole('button', { name: `Replace ${what}` }).waitFor();
  await page.goto(url(elsewhere));
  await images.first().waitFor();
  await expect
    .poll(() => images.first().evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)))
    .toBe(64);
  await page.goto(url(settings));
  await press(page, `Remove ${what}`);
  await page.getByRole('button', { name: `Upload ${what}` }).waitFor();
  await expect.poll(() => images.count()).toBe(0);
  expect(observed).toEqual({ outside: [], complaints: [] });
});
