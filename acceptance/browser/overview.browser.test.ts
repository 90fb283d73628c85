import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Observed } from '../../test-support/browser.ts';
import { testConsole } from '../harness/console.ts';
import { createFixtures } from '../harness/fixtures.ts';
import { admin } from '../harness/server.ts';

const { running, url, keepOpen, enter } = testConsole();
let page: Page;
let observed: Observed;

const compass = '/orgs/lighthouse/apps/compass';
/** This app has data and crashes. */
const used = '/users/ada/apps/compass';

beforeAll(async () => {
  await createFixtures(running());
  ({ page, observed } = await keepOpen());
  await enter(page, admin.name);
});

beforeEach(async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
});

const open = async (path: string, heading: string) => {
  await page.goto(url(path));
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
};
const card = (title: string) => page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
const palette = () => page.getByRole('dialog', { name: 'Search and commands' });

test('loads the overview of an app with at most 8 calls of the API', async () => {
  const calls: string[] = [];
  const note = (request: { url(): string; resourceType(): string }) => {
    const { pathname } = new URL(request.url());
    // A stream of events stays open and asks for nothing.
    if (request.resourceType() === 'fetch' && /^\/(v0\.1|providers|subscriptions)\//.test(pathname))
      calls.push(pathname);
  };
  page.on('request', note);
  await open(used, 'Overview');
  await card('Latest activity').getByRole('listitem').first().waitFor();
  await card('Latest version').getByText('%').first().waitFor();
  await page.waitForLoadState('networkidle');
  page.off('request', note);
  expect(calls.filter((path) => !path.endsWith('/watch')).length, calls.join('\n')).toBeLessThanOrEqual(8);
});

test('shows what needs attention of the app, with the page on which to act', async () => {
  await open(used, 'Overview');
  const attention = card('Needs attention');
  const crash = attention.getByRole('listitem').filter({ hasText: /crash/i }).first();
  await crash.getByRole('link', { name: /^View crash/ }).click();
  await page.waitForURL(/\/crashes/);
});

test.each([
  ['crashes', `${used}/crashes`],
  ['funnel', `${used}/analytics/funnel`],
  ['symbols', `${used}/symbols`],
  ['testers', `${used}/groups`],
])('opens the page for "%s" from the palette by Enter', async (text, path) => {
  await open(used, 'Overview');
  await page.keyboard.press('Control+k');
  await palette().getByRole('combobox').fill(text);
  await palette().getByRole('status').filter({ hasText: 'found' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(url(path));
});

test('ranks an action first, API operations last, and lists the keys', async () => {
  await open(used, 'Overview');
  await page.keyboard.press('Control+k');
  const field = palette().getByRole('combobox');
  await field.fill('sign out');
  await expect.poll(() => palette().getByRole('option').first().textContent()).toContain('Sign out');
  await field.fill('crash');
  await palette().getByRole('group', { name: 'API operations' }).waitFor();
  const headings = palette().getByRole('group');
  expect(await headings.last().getAttribute('aria-label')).toBe('API operations');
  await page.keyboard.press('Escape');
  await palette().waitFor({ state: 'detached' });
  await page.keyboard.press('Shift+?');
  await palette().getByRole('option', { name: 'Open search' }).waitFor();
  await page.keyboard.press('Escape');
});

test('keeps favorites on the server and shows recent apps', async () => {
  await open(compass, 'Overview');
  await open('/', 'Apps');
  const row = page.getByRole('row').filter({ hasText: 'ada/compass' });
  const star = row.getByRole('button', { name: 'Favorite Needle' });
  await star.click();
  await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
  const shortcuts = page.getByRole('navigation', { name: 'Favorite and recent apps' });
  await shortcuts.getByRole('link', { name: /Needle/ }).waitFor();
  await shortcuts.getByRole('link', { name: /Compass/ }).waitFor();
  await page.evaluate(() => localStorage.clear());
  await open('/', 'Apps');
  await shortcuts.getByRole('link', { name: /Needle/ }).click();
  await page.waitForURL(url(used));
  await open('/', 'Apps');
  await expect.poll(() => row.getByText('%').count()).toBe(1);
});

test('sends emails about new crashes by default, and saves each choice', async () => {
  await open(`${compass}/notifications`, 'Notifications');
  const choice = (name: string) => page.getByRole('checkbox', { name });
  await expect.poll(() => choice('New crash or error: Immediately').isChecked()).toBe(true);
  expect(await choice('Build finished: Immediately').isChecked()).toBe(false);
  await choice('Build finished: Daily summary').click();
  await expect.poll(() => choice('Build finished: Daily summary').isChecked()).toBe(true);
  await page.reload();
  await expect.poll(() => choice('Build finished: Daily summary').isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Restore defaults' }).click();
  await expect.poll(() => choice('Build finished: Daily summary').isChecked()).toBe(false);
});

test('draws releases as bars, and the unfinished day of a chart apart', async () => {
  await open(`${used}/codepush/Staging`, 'Staging');
  await page.getByRole('img', { name: /^Devices by release\. / }).waitFor();
  await open(`${used}/crashes`, 'Crashes');
  const slider = page.getByRole('slider', { name: /^Crashes and handled errors/ });
  await slider.focus();
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toContain('(so far)');
});

test('lists what a new server needs, and warns of addresses that phones cannot reach', async () => {
  await open('/admin', 'Overview');
  await page.getByRole('heading', { name: /^Set up: \d of 5 done$/ }).waitFor();
  await card('Needs attention').getByText("Email isn't configured", { exact: false }).waitFor();
});

test('offers the invitation link if no email can be sent', async () => {
  await open('/orgs/lighthouse/people', 'Members');
  await page.getByRole('button', { name: 'Invite people' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText("Email isn't configured").waitFor();
  await dialog.getByLabel('Email addresses').fill('newcomer@example.com');
  await dialog.getByRole('button', { name: 'Invite person' }).click();
  await dialog.getByRole('button', { name: 'Show invitation link for newcomer@example.com' }).click();
  await dialog.getByText(/\/invitations\/org\//).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(observed).toEqual({ outside: [], complaints: [] });
});
