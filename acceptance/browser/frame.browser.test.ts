import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Observed } from '../../test-support/browser.ts';
import { testConsole } from '../harness/console.ts';
import { type AcceptanceFixtures, createFixtures, subscription } from '../harness/fixtures.ts';
import { admin } from '../harness/server.ts';

const { running, url, keepOpen, openAs, enter } = testConsole();
let fixtures: AcceptanceFixtures;
let page: Page;
let observed: Observed;

const compass = '/orgs/lighthouse/apps/compass';

beforeAll(async () => {
  fixtures = await createFixtures(running());
  await fixtures.call('POST', '/orgs/lighthouse/apps', { display_name: 'Sextant', os: 'iOS', platform: 'Unity' });
  ({ page, observed } = await keepOpen());
  await enter(page, admin.name);
});

beforeEach(async () => {
  await page.setViewportSize({ width: 1360, height: 820 });
});

const open = (path: string) => page.goto(url(path));
const isAt = (path: string) => page.waitForURL(url(path));
const palette = () => page.getByRole('dialog', { name: 'Search and commands' });
const field = () => palette().getByRole('combobox');
const option = (name: string | RegExp) => page.getByRole('option', { name });

test('shows the current page in the sidebar and the title', async () => {
  await open(`${compass}/users`);
  const sections = page.getByRole('navigation', { name: 'App', exact: true });
  await sections.locator('[aria-current=page]').getByText('Members').waitFor();
  await expect.poll(() => page.title()).toBe('Members · Compass (Android) · Mooring');
  const breadcrumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect.poll(() => breadcrumbs.getByRole('link').allTextContents()).toEqual(['Lighthouse Labs', 'COCompass']);
  await breadcrumbs.getByRole('link', { name: 'Lighthouse Labs' }).click();
  await isAt('/orgs/lighthouse');
  await page.getByRole('navigation', { name: 'Organization' }).getByRole('link', { name: 'Teams' }).click();
  await expect.poll(() => page.title()).toBe('Teams · Lighthouse Labs · Mooring');
});

test('switches to another app by keyboard and keeps the section', async () => {
  await open(`${compass}/users`);
  await page.getByRole('button', { name: 'Switch app' }).click();
  await option('Compass').waitFor();
  const typing = page.getByRole('combobox', { name: /^Search .* apps$/ });
  await expect.poll(() => typing.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type('sex');
  await expect.poll(() => page.getByRole('option').first().textContent()).toContain('Sextant');
  await page.keyboard.press('Enter');
  await isAt('/orgs/lighthouse/apps/Sextant/users');
  await expect.poll(() => page.title()).toBe('Members · Sextant (iOS) · Mooring');
});

test('opens the palette by Ctrl+K and slash, returns the focus on Escape, and types slashes in fields', async () => {
  await open('/orgs');
  const search = page.getByRole('searchbox').first();
  await search.fill('light');
  await search.press('/');
  await expect.poll(() => search.inputValue()).toBe('light/');
  await search.press('Control+k');
  await field().waitFor();
  await page.keyboard.press('Escape');
  await palette().waitFor({ state: 'detached' });
  await expect.poll(() => search.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('/');
  await field().waitFor();
  await page.keyboard.press('Escape');
});

test.each([
  ['an app', 'compass', /Compass/, '/orgs/lighthouse/apps/compass'],
  ['an organization', 'lighthouse labs', /^Lighthouse Labs/, '/orgs/lighthouse'],
  ['a person', 'grace', /Grace Hopper/, '/admin/users?q=grace'],
  ['a section', 'oauth', /OAuth clients/, '/admin/clients'],
  ['an action', 'new org', /New organization/, '/create/org'],
  ['a subscription, by its id', subscription, /Harbour/, `/health/subscriptions/${subscription}`],
  ['a health event, by its tracking id', 'TIDE-001', /Email delivery delayed in the north/, '/health/events/TIDE-001'],
])('finds %s in the palette and opens it', async (_, text, name, path) => {
  await open('/orgs');
  await page.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor();
  await page.keyboard.press('Control+k');
  await field().fill(text);
  await option(name).first().click();
  await isAt(path);
});

test('shows an empty result in the palette, and keeps recent visits until sign-out', async () => {
  await open(compass);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await open('/orgs');
  await page.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor();
  await page.keyboard.press('Control+k');
  await page
    .getByRole('group', { name: 'Recent' })
    .getByRole('option', { name: /Compass/ })
    .waitFor();
  await field().fill('no such thing anywhere');
  await palette().getByText('No results for “no such thing anywhere”').waitFor();
  await field().fill('sign out');
  await option('Sign out').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sign-in/);
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContainEqual(expect.stringContaining('recent'));
  await enter(page, admin.name);
});

test('shows attention, activity and setup on overviews to users with the permission', async () => {
  await open('/orgs/lighthouse');
  await page.getByRole('heading', { name: 'Latest activity' }).waitFor();
  await page.getByText(/created the app lighthouse\/Sextant/).waitFor();
  await page.getByRole('link', { name: /invitations? (is|are) waiting for an answer/ }).click();
  await isAt('/orgs/lighthouse/invitations');
  await open('/orgs/lighthouse/apps/Sextant');
  await page.getByRole('heading', { name: 'Set up: 0 of 4 done' }).waitFor();
  await page.getByText('No device data yet.').waitFor();

  const { page: viewer } = await openAs('linus', compass);
  await viewer.getByText('Nothing needs attention.').waitFor();
  await viewer.getByRole('definition').filter({ hasText: 'Viewer' }).waitFor();
  await expect.poll(() => viewer.getByRole('heading', { name: /Set up|Latest activity/ }).count()).toBe(0);
});

test('opens the sidebar by the title on a phone, and closes it on navigation', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open('/orgs/lighthouse/people');
  await page.getByRole('button', { name: 'Lighthouse Labs Members' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Teams' }).click();
  await isAt('/orgs/lighthouse/teams');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('shows labels of sidebar icons on hover', async () => {
  await page.setViewportSize({ width: 1024, height: 800 });
  await open('/orgs/lighthouse/people');
  const link = page.getByRole('link', { name: 'Distribution groups' });
  await link.waitFor();
  const name = page.getByRole('navigation', { name: 'Organization' }).getByText('Distribution groups', { exact: true });
  // The link moves while sections above it appear, but the pointer stays.
  await expect
    .poll(async () => {
      await link.hover();
      return (await name.boundingBox())?.width;
    })
    .toBeGreaterThan(40);
});

test('asks before unsaved changes are lost, by link and by Back', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open('/settings/sessions');
  await page.getByRole('link', { name: 'Profile' }).click();
  const name = page.getByLabel('Display name');
  const before = await name.inputValue();
  await name.fill('Nobody');
  await page.getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('dialog', { name: 'Leave this page?' }).getByRole('button', { name: 'Cancel' }).click();
  await isAt('/settings/profile');
  expect(await name.inputValue()).toBe('Nobody');
  await page.goBack();
  await page.getByRole('dialog', { name: 'Leave this page?' }).waitFor();
  await isAt('/settings/profile');
  await page.getByRole('button', { name: 'Leave page' }).click();
  await isAt('/settings/sessions');
  await open('/settings/profile');
  expect(await name.inputValue()).toBe(before);
});

test('makes no external requests and causes no browser errors', () => {
  expect(observed).toEqual({ outside: [], complaints: [] });
});
