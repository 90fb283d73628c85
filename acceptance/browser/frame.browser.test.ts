import { crashIssues_get } from '@mooring/contract';
import { getId } from '@mooring/contract/fixtures';
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
/** This app has data and crashes. */
const used = '/users/ada/apps/compass';

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
/** The layout shift since the page was opened. */
const measureShift = (shown: Page): Promise<number> =>
  shown.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[];
          resolve(shifts.reduce((sum, { value, hadRecentInput }) => (hadRecentInput ? sum : sum + value), 0));
        }).observe({ type: 'layout-shift', buffered: true });
        // Pages that never shift have no entries.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
      }),
  );
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

test.each([
  [`${compass}/nowhere`, 'App', 'Overview'],
  ['/orgs/lighthouse/nowhere/at/all', 'Organization', 'Overview'],
  ['/admin/nowhere', 'Administration', 'Overview'],
])('keeps the sidebar at %s, which leads to no page', async (path, area, first) => {
  await open(path);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await page.getByRole('navigation', { name: area, exact: true }).getByRole('link', { name: first }).waitFor();
  await page.getByRole('link', { name: `Go to ${first}` }).click();
  await page.getByRole('heading', { level: 1, name: first }).waitFor();
});

test('names the object of the page at the end of the breadcrumbs', async () => {
  const issue = getId(fixtures, crashIssues_get, 'issue_id');
  await open(`${used}/crashes/${issue}`);
  const breadcrumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect
    .poll(() => breadcrumbs.locator('[aria-current=page]').textContent())
    .toBe('java.lang.IllegalStateException');
  await breadcrumbs.getByRole('link', { name: 'Issues' }).click();
  await isAt(`${used}/crashes`);
  await expect.poll(() => breadcrumbs.locator('[aria-current=page]').count()).toBe(0);
});

test('changes the state of all selected issues and messages', async () => {
  for (const [path, noun] of [
    ['crashes', 'issue'],
    ['feedback', 'message'],
  ]) {
    await open(`${used}/${path}`);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    const actions = page.getByRole('group', { name: 'Selected rows' });
    await actions.getByRole('button', { name: new RegExp(`^Close \\d+ ${noun}s?$`) }).click();
    await actions.waitFor({ state: 'detached' });
    const rows = page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: /^Select (?!all$)/ }) });
    const count = await rows.count();
    expect(count).toBeGreaterThan(0);
    await expect.poll(() => rows.filter({ hasText: 'Closed' }).count()).toBe(count);
  }
});

test('loads its font after the first page, which stays where it is', async () => {
  await page.evaluate(() => localStorage.removeItem('mooring-font'));
  await open('/orgs');
  await page.getByRole('row', { name: /Lighthouse Labs/ }).waitFor();
  await expect.poll(() => page.evaluate(() => document.fonts.check('16px "Geist Variable"'))).toBe(true);
  await expect
    .poll(() => page.evaluate(() => [...document.fonts].some(({ status }) => status === 'loaded')))
    .toBe(true);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('mooring-font'))).toBe('true');
  expect(await measureShift(page)).toBeLessThanOrEqual(0.05);
});

test('reloads by itself if an update replaced the code of a page', async () => {
  await open('/orgs');
  await page.getByRole('row', { name: /Lighthouse Labs/ }).waitFor();
  let isUpdated = false;
  await page.route('**/assets/*.js', (route) => (isUpdated ? route.fulfill({ status: 404 }) : route.continue()));
  await page.route(url('/'), (route) => {
    isUpdated = false;
    return route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/newer.js"></script>' });
  });
  isUpdated = true;
  await page.getByRole('link', { name: 'Service health' }).click();
  await page.getByRole('heading', { level: 1, name: 'Service health' }).waitFor();
  expect(isUpdated).toBe(false);
  await page.unrouteAll();
  observed.complaints.length = 0;
});

test('makes no external requests and causes no browser errors', () => {
  expect(observed).toEqual({ outside: [], complaints: [] });
});
