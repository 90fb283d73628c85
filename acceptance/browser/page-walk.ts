import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { findingsInBoth, findingsOnScreen } from '../harness/axe.ts';
import { observe } from '../harness/browser.ts';
import { testConsole } from '../harness/console.ts';
import { type AcceptanceWorld, fillWorld } from '../harness/world.ts';

/** A wide screen, one with room for icons only, a phone. */
export const wide = { width: 1440, height: 900 };
const narrow = { width: 1024, height: 768 };
export const phone = { width: 375, height: 740 };
/** Some pages are looked at a dozen times. */
export const WALK = 900_000;

export const claim =
  'has no finding of axe in either scheme, closed or with its menus open, fits every screen and keeps to its content policy';

/** What opens above the page from a button of it, and the lists of its fields. */
const OPENERS = 'main [aria-haspopup=menu], main [aria-haspopup=dialog], main [aria-haspopup=listbox]';
const OPENED = '[role=menu], [role=dialog], [role=listbox]';
/** Of rows that are alike, the first few are enough. */
const FEW = 4;
/** What has the same name on many pages, as the range of charts and the columns of tables, is looked at on some. */
const SOME = 2;

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** A console with the world of the examples, and somebody who looks at its pages one by one. */
export function pageWalk() {
  const { running, url, keepOpen, enter } = testConsole({ env: { MOORING_OPEN_SIGN_UP: 'true' } });
  let page: Page;
  let world: AcceptanceWorld;
  const looked = new Map<string, number>();

  beforeAll(async () => {
    world = await fillWorld(running());
    ({ page } = await keepOpen());
  });

  async function lookAtOpened(path: string): Promise<void> {
    const openers = page.locator(OPENERS);
    for (let at = 0; at < Math.min(FEW, await openers.count()); at += 1) {
      const opener = openers.nth(at);
      if (!(await opener.isVisible()) || (await opener.isDisabled())) continue;
      const name = await opener.evaluate((element) => {
        const [label] = element instanceof HTMLInputElement ? (element.labels ?? []) : [];
        return element.getAttribute('aria-label') ?? (label ?? element).textContent;
      });
      const times = looked.get(name) ?? 0;
      if (times === SOME) continue;
      looked.set(name, times + 1);
      await opener.click();
      const opened = page.locator(OPENED).filter({ visible: true }).first();
      // A field that offers nothing has no list.
      const isOffer = (await opener.getAttribute('aria-haspopup')) === 'listbox';
      const isOpen = await opened.waitFor({ timeout: isOffer ? 5000 : 15_000 }).then(
        () => true,
        () => false,
      );
      if (isOffer && !isOpen) continue;
      expect([path, name, isOpen]).toEqual([path, name, true]);
      // The page behind it was looked at before.
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

  /** Loads each page afresh, as a bookmark does, and looks at it on each screen. */
  async function walk(pages: [path: string, heading: string][]): Promise<void> {
    const observed = observe(page, url());
    for (const [path, heading] of pages) {
      await open(path, heading);
      for (const screen of [wide, narrow, phone]) {
        await page.setViewportSize(screen);
        // What is narrow is the frame, which pages of one area share.
        if (screen !== narrow || path === pages[0]?.[0]) {
          const found = await (screen === wide ? findingsInBoth(page) : findingsOnScreen(page));
          expect([path, screen.width, found]).toEqual([path, screen.width, []]);
        }
        // Charts follow a new width a moment later.
        await expect.poll(async () => [path, screen.width, await overflowOf(page)]).toEqual([path, screen.width, 0]);
      }
      await page.setViewportSize(wide);
      await lookAtOpened(path);
    }
    expect(observed).toEqual({ outside: [], complaints: [] });
  }

  return {
    page: () => page,
    world: () => world,
    signIn: (name: string) => enter(page, name),
    open,
    walk,
  };
}
