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

/** A wide screen, one with room for icons only, a phone. */
const wide = { width: 1440, height: 900 };
const phone = { width: 375, height: 740 };
const screens = [wide, { width: 1024, height: 768 }, phone];
const schemes = ['light', 'dark'] as const;
/** Some pages are looked at a dozen times. */
const WALK = 900_000;

async function findingsIn(colorScheme: (typeof schemes)[number]): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  return (await findings(page)).map((finding) => `${colorScheme}: ${finding}`);
}

const findingsInBoth = async (): Promise<string[]> => [...(await findingsIn('light')), ...(await findingsIn('dark'))];

/** What opens above the page from a button of it, and the lists of its fields. */
const OPENERS = 'main [aria-haspopup=menu], main [aria-haspopup=dialog], main [aria-haspopup=listbox]';
const OPENED = '[role=menu], [role=dialog], [role=listbox]';
/** Of rows that are alike, the first few are enough. */
const FEW = 6;

async function lookAtOpened(path: string): Promise<void> {
  const openers = page.locator(OPENERS);
  for (let at = 0; at < Math.min(FEW, await openers.count()); at += 1) {
    const opener = openers.nth(at);
    if (!(await opener.isVisible()) || (await opener.isDisabled())) continue;
    const name = (await opener.getAttribute('aria-label')) ?? (await opener.textContent());
    await opener.click();
    const opened = page.locator(OPENED).filter({ visible: true }).first();
    // A field that offers nothing has no list.
    const isOffer = (await opener.getAttribute('aria-haspopup')) === 'listbox';
    const isOpen = await opened.waitFor({ timeout: isOffer ? 1000 : 15_000 }).then(
      () => true,
      () => false,
    );
    if (isOffer && !isOpen) continue;
    expect([path, name, isOpen]).toEqual([path, name, true]);
    expect([path, name, await findingsInBoth()]).toEqual([path, name, []]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator(OPENED).filter({ visible: true }).count()).toBe(0);
  }
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
      await page.setViewportSize(screen);
      expect([path, screen.width, await findingsInBoth()]).toEqual([path, screen.width, []]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect([path, screen.width, overflow]).toEqual([path, screen.width, 0]);
    }
    await page.setViewportSize(wide);
    await lookAtOpened(path);
  }
  expect(observed).toEqual({ outside: [], complaints: [] });
}

const claim =
  'has no finding of axe in either scheme, closed or with its menus open, fits every screen and keeps to its content policy';

test(`every page before signing in ${claim}`, { timeout: WALK }, () => walk(frontPages));

describe('for somebody who is signed in', () => {
  beforeAll(() => enter(page, admin.name));

  test(`every page of the home area and of one's own account ${claim}`, { timeout: WALK }, () => walk(homePages));
  test(`every page of an app ${claim}`, { timeout: WALK }, () => walk(appPages(world)));
  test(`every page of an organization ${claim}`, { timeout: WALK }, () => walk(orgPages));
  test(`every page of the administration ${claim}`, { timeout: WALK }, () => walk(adminPages));
  test(`every page of service health ${claim}`, { timeout: WALK }, () => walk(healthPages(world)));

  test.each([
    ['the menu of what can be made', wide, 'New', 'menu'],
    ['the menu of the reader', wide, /^Menu of/, 'menu'],
    ['the list of organizations to go to', wide, 'Switch organization', 'dialog'],
    ['the command palette', wide, 'Search', 'dialog'],
    ['the command palette on a phone', phone, 'Search', 'dialog'],
    ['the drawer of a phone', phone, /Members/, 'dialog'],
  ] as const)('%s has no finding of axe, and closes by Escape', async (_, screen, button, role) => {
    await page.setViewportSize(screen);
    await open('/orgs/lighthouse/people', 'Members');
    await page.getByRole('banner').getByRole('button', { name: button }).click();
    await page.getByRole(role).waitFor();
    expect(await findingsInBoth()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole(role).waitFor({ state: 'detached' });
  });
});
