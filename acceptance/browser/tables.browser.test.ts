import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { findings } from '../harness/axe.ts';
import { testConsole } from '../harness/console.ts';
import { type AcceptanceFixtures, createFixtures } from '../harness/fixtures.ts';
import { admin } from '../harness/server.ts';

const org = '/orgs/lighthouse';

const { running, openAs } = testConsole();
let fixtures: AcceptanceFixtures;

beforeAll(async () => {
  fixtures = await createFixtures(running());
  for (const name of ['delta', 'alpha', 'charlie', 'bravo']) {
    await fixtures.call('POST', '/orgs/lighthouse/teams', { display_name: name, name });
  }
});

/** Opens a page as administrator and fails on browser errors. */
async function open(path: string): Promise<Page> {
  const { page, observed } = await openAs(admin.name, path);
  onTestFinished(() => expect(observed).toEqual({ outside: [], complaints: [] }));
  return page;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const names = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('tbody').getByRole('row').getByRole('link').allTextContents();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

test('sorts and searches a table, and restores it from the URL', async () => {
  const page = await open(`${org}/teams`);
  const head = page.getByRole('columnheader', { name: 'Team' });
  await head.getByRole('button').click();
  await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
  await expect
    .poll(() => names(page, 'Teams'))
    .toEqual(['alpha', 'bravo', 'charlie', 'Crystallographers', 'delta', 'Pilots']);
  await head.getByRole('button').click();
  await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
  const found = ['delta', 'Crystallographers', 'charlie', 'bravo', 'alpha'];
  await page.getByRole('searchbox', { name: 'Search teams' }).fill('A');
  await expect.poll(() => names(page, 'Teams')).toEqual(found);
  await page.getByText('1–5 of 5').waitFor();
  await expect.poll(() => query(page)).toEqual({ sort: '-display_name', q: 'A' });
  await page.reload();
  await expect.poll(() => names(page, 'Teams')).toEqual(found);
  await page.getByRole('searchbox', { name: 'Search teams' }).fill('nothing like it');
  await press(page, 'Clear search and filters');
  await expect.poll(async () => (await names(page, 'Teams')).length).toBe(6);
});

test('lets the server search and sort a paged list', async () => {
  const page = await open('/admin/users');
  await page.getByRole('searchbox', { name: 'Search users' }).fill('hopper');
  await page.getByText('1–1 of 1').waitFor();
  await page.getByRole('row').filter({ hasText: 'Grace Hopper' }).waitFor();
  await page.getByRole('searchbox', { name: 'Search users' }).fill('');
  const sortedRequest = page.waitForRequest((request) => request.url().includes('sort=email&order=asc'));
  await page.getByRole('columnheader', { name: 'Email' }).getByRole('button').click();
  await sortedRequest;
  await expect.poll(() => query(page)).toEqual({ sort: 'email' });
});

test('moves between rows with j and k, and opens one with Enter', async () => {
  const page = await open(`${org}/teams?sort=display_name`);
  await page.getByRole('link', { name: 'alpha' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect.poll(() => focused(page)).toContain('bravo');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'bravo' }).waitFor();
});

test('downloads visible rows and columns as CSV', async () => {
  const page = await open(`${org}/teams?sort=display_name&q=alpha`);
  await page.getByRole('link', { name: 'alpha' }).waitFor();
  await press(page, 'View options');
  expect(await findings(page)).toEqual([]);
  await page.getByRole('checkbox', { name: 'Description' }).uncheck();
  await page.getByRole('columnheader', { name: 'Description' }).waitFor({ state: 'detached' });
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Download CSV')]);
  expect(file.suggestedFilename()).toBe('teams.csv');
  expect(await readFile(await file.path(), 'utf8')).toBe('Team\r\nalpha\r\n');
});

test('saves and restores a named view', async () => {
  const page = await open(`${org}/teams?sort=display_name&q=alpha`);
  await page.getByRole('link', { name: 'alpha' }).waitFor();
  await press(page, 'View options');
  await page.getByRole('textbox', { name: 'View name' }).fill('Only alpha');
  await press(page, 'Save view');
  await page.goto(`${page.url().split('?')[0]}`);
  await press(page, 'View options');
  await press(page, 'Only alpha');
  await expect.poll(() => new URL(page.url()).search).toBe('?sort=display_name&q=alpha');
  await press(page, 'Delete view Only alpha');
  await page.getByRole('button', { name: 'Only alpha', exact: true }).waitFor({ state: 'detached' });
});

test('moves the focus to the next row after a deletion', async () => {
  for (const name of ['one', 'two', 'three']) {
    await fixtures.call('POST', '/orgs/lighthouse/service_accounts', { display_name: `Robot ${name}`, role: 'member' });
  }
  const page = await open(`${org}/service-accounts?sort=account`);
  await press(page, 'Delete Robot one');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('row').filter({ hasText: 'Robot one' }).waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toContain('Robot three');
});

test('adds, edits and clears filters', async () => {
  const page = await open(`${org}/people`);
  await press(page, 'Filter');
  await page.getByRole('menuitem', { name: 'Role' }).click();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('radio', { name: 'Admin' }).check();
  await page.keyboard.press('Escape');
  await page.getByText('1–1 of 1').waitFor();
  await expect.poll(() => query(page)).toEqual({ role: 'admin' });
  await press(page, 'Clear all');
  await expect.poll(() => query(page)).toEqual({});
});

test('shows and focuses field errors, and asks before unsaved changes are lost', async () => {
  const page = await open('/create/org');
  await press(page, 'Create organization');
  const field = page.getByRole('textbox', { name: 'Display name' });
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await field.fill('Lighthouse Labs');
  await page.getByText('/orgs/Lighthouse-Labs').waitFor();
  await page.getByRole('textbox', { name: 'Name (optional)' }).fill('lighthouse');
  await press(page, 'Create organization');
  const name = page.getByRole('textbox', { name: 'Name (optional)' });
  await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
  await page.getByText('The name "lighthouse" is taken').waitFor();
  await page.getByRole('link', { name: 'Apps', exact: true }).first().click();
  await page.getByRole('dialog').getByText('Your changes will be lost.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await name.inputValue()).toBe('lighthouse');
});

test('asks before Escape closes a secret that is shown once', async () => {
  const page = await open('/settings/tokens');
  await press(page, 'New API token');
  await page.getByLabel('Name').fill('kept');
  await page.getByRole('radio', { name: 'Read-Only' }).click();
  await press(page, 'Create token');
  await page.getByText('Copy the token now').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Close without saving?' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Close without saving?' }).waitFor({ state: 'detached' });
  await page.getByText('Copy the token now').waitFor();
});

test('marks only invalid pasted addresses', async () => {
  const page = await open(`${org}/people`);
  await press(page, 'Invite people');
  await page.getByLabel('Email addresses').fill('ada@example.org, grace@, linus@example.org\nnobody');
  await page.getByText('2 valid, 2 invalid').waitFor();
  const invalid = page.getByRole('list', { name: 'Invalid addresses' }).getByRole('listitem');
  await expect.poll(() => invalid.allTextContents()).toEqual(['grace@', 'nobody']);
  await page.getByRole('button', { name: 'Invite 2 people' }).waitFor();
});

test('shows access through a team or the organization as read-only', async () => {
  const page = await open('/orgs/lighthouse/apps/compass/users');
  const ada = page.getByRole('row').filter({ hasText: 'ada@example.com' });
  await ada.getByText('Organization admin').waitFor();
  const grace = page.getByRole('row').filter({ hasText: 'Grace Hopper' });
  await grace.getByText('Team Pilots').waitFor();
  expect(await grace.getByRole('combobox').count()).toBe(0);
});

test('opens an audit log entry beside the list, with its own URL', async () => {
  const page = await open(`${org}/audit`);
  await page
    .getByRole('link', { name: 'Created the team bravo' })
    .or(page.getByRole('link', { name: 'Created 4 teams' }))
    .first()
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('bravo').first().waitFor();
  expect(await findings(page)).toEqual([]);
  await page.reload();
  await drawer.getByText('bravo').first().waitFor();
  await page.goBack();
  await drawer.waitFor({ state: 'detached' });
});
