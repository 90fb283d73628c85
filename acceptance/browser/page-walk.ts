import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { observe } from '../../test-support/browser.ts';
import { findingsInBoth, findingsOnScreen } from '../harness/axe.ts';
import { testConsole } from '../harness/console.ts';
import { type AcceptanceFixtures, createFixtures } from '../harness/fixtures.ts';

/** A wide screen, a medium one with icons only in the sidebar, and a phone. */
export const wide = { width: 1440, height: 900 };
const narrow = { width: 1024, height: 768 };
export const phone = { width: 375, height: 740 };
/** Some pages are checked a dozen times. */
export const WALK = 900_000;

export const claim =
  'has no axe findings in either scheme, even with open menus, fits every screen and respects its content security policy';

/** Menus, dialogs and lists that open from buttons and fields. */
const OPENERS = 'main [aria-haspopup=menu], main [aria-haspopup=dialog], main [aria-haspopup=listbox]';
const OPENED = '[role=menu], [role=dialog], [role=listbox]';
/** Of similar rows, the first few are enough. */
const FEW = 4;
/** Controls that appear on many pages, such as date ranges and column pickers, are checked on some. */
const SOME = 2;

const measureOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** A console with the example fixtures, and checks for its pages. */
export function pageWalk() {
  const { running, url, keepOpen, enter } = testConsole({ env: { MOORING_OPEN_SIGN_UP: 'true' } });
  let page: Page;
  let fixtures: AcceptanceFixtures;
  const checked = new Map<string, number>();

  beforeAll(async () => {
    fixtures = await createFixtures(running());
    ({ page } = await keepOpen());
  });

  async function checkOpened(path: string): Promise<void> {
    const openers = page.locator(OPENERS);
    for (let at = 0; at < Math.min(FEW, await openers.count()); at += 1) {
      const opener = openers.nth(at);
      if (!(await opener.isVisible()) || (await opener.isDisabled())) continue;
      const name = await opener.evaluate((element) => {
        const [label] = element instanceof HTMLInputElement ? (element.labels ?? []) : [];
        return element.getAttribute('aria-label') ?? (label ?? element).textContent;
      });
      const times = checked.get(name) ?? 0;
      if (times === SOME) continue;
      checked.set(name, times + 1);
      await opener.click();
      const opened = page.locator(OPENED).filter({ visible: true }).first();
      // A field without options opens no list.
      const isOffer = (await opener.getAttribute('aria-haspopup')) === 'listbox';
      const isOpen = await opened.waitFor({ timeout: isOffer ? 5000 : 15_000 }).then(
        () => true,
        () => false,
      );
      if (isOffer && !isOpen) continue;
      expect([path, name, isOpen]).toEqual([path, name, true]);
      // The page behind was checked before.
      expect([path, name, await findingsInBoth(page, OPENED)]).toEqual([path, name, []]);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator(OPENED).filter({ visible: true }).count()).toBe(0);
    }
  }

  async function open(path: string, heading: string): Promise<void> {
    await page.goto(url(path));
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  }

  /** Loads each page from scratch, and checks it on each screen. */
  async function walk(pages: [path: string, heading: string][]): Promise<void> {
    const observed = observe(page, url());
    for (const [path, heading] of pages) {
      await open(path, heading);
      for (const screen of [wide, narrow, phone]) {
        await page.setViewportSize(screen);
        // Only the frame differs on medium screens, and pages of one area share it.
        if (screen !== narrow || path === pages[0]?.[0]) {
          const found = await (screen === wide ? findingsInBoth(page) : findingsOnScreen(page));
          expect([path, screen.width, found]).toEqual([path, screen.width, []]);
        }
        // Charts resize with a delay.
        await expect
          .poll(async () => [path, screen.width, await measureOverflow(page)])
          .toEqual([path, screen.width, 0]);
      }
      await page.setViewportSize(wide);
      await checkOpened(path);
    }
    expect(observed).toEqual({ outside: [], complaints: [] });
  }

  return {
    page: () => page,
    fixtures: () => fixtures,
    signIn: (name: string) => enter(page, name),
    open,
    walk,
  };
}
