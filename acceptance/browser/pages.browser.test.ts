import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../harness/axe.ts';
import { observe } from '../harness/browser.ts';
import { testConsole } from '../harness/console.ts';
import { admin } from '../harness/server.ts';
import { type AcceptanceWorld, fillWorld } from '../harness/world.ts';
import { adminPages, appPages, frontPages, healthPages, homePages, orgPages } from './pages.ts';

const { running, url, keepOpen, enter } = testConsole({ env: { MOORING_OPEN_SIGN_UP: 'true' } });
let page: Page;
let world: AcceptanceWorld;

beforeAll(async () => {
  world = await fillWorld(running());
  ({ page } = await keepOpen());
});

/** A wide screen, one with room for icons only, a phone; the latter in the dark. */
const screens = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1024, height: 768, colorScheme: 'light' },
  { width: 375, height: 740, colorScheme: 'dark' },
] as const;
type Screen = (typeof screens)[number];
const [wide, , phone] = screens;

async function lookOn({ width, height, colorScheme }: Screen): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
}

async function open(path: string, heading: string): Promise<void> {
  await page.goto(url(path));
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

/** Loads each page afresh, as a bookmark does, and looks at it on each screen. */
async function walk(pages: [path: string, heading: string][]): Promise<void> {
  const observed = observe(page, url());
  for (const [path, heading] of pages) {
    await open(path, heading);
    for (const screen of screens) {
      await lookOn(screen);
      expect([path, screen.width, await findings(page)]).toEqual([path, screen.width, []]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect([path, screen.width, overflow]).toEqual([path, screen.width, 0]);
    }
  }
  expect(observed).toEqual({ outside: [], complaints: [] });
}

const claim = 'has no serious finding of axe, fits every screen and keeps to its content policy';

test(`every page before signing in ${claim}`, () => walk(frontPages));

describe('for somebody who is signed in', () => {
  beforeAll(() => enter(page, admin.name));

  test(`every page of the home area and of one's own account ${claim}`, () => walk(homePages));
  test(`every page of an app ${claim}`, () => walk(appPages));
  test(`every page of an organization ${claim}`, () => walk(orgPages));
  test(`every page of the administration ${claim}`, () => walk(adminPages));
  test(`every page of service health ${claim}`, () => walk(healthPages(world)));

  test.each([
    ['the menu of what can be made', wide, 'New', 'menu'],
    ['the menu of the reader', wide, /^Menu of/, 'menu'],
    ['the list of organizations to go to', wide, 'Switch organization', 'dialog'],
    ['the command palette', wide, 'Search', 'dialog'],
    ['the command palette on a phone', phone, 'Search', 'dialog'],
    ['the drawer of a phone', phone, /Members/, 'dialog'],
  ] as const)('%s has no serious finding of axe, and closes by Escape', async (_, screen, button, role) => {
    await lookOn(screen);
    await open('/orgs/lighthouse/people', 'Members');
    await page.getByRole('banner').getByRole('button', { name: button }).click();
    await page.getByRole(role).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole(role).waitFor({ state: 'detached' });
  });
});
