import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Observed } from '../../test-support/browser.ts';
import { findingsInBoth } from '../harness/axe.ts';
import { testConsole } from '../harness/console.ts';
import { writeDeadLetters } from '../harness/dead-letters.ts';
import { type AcceptanceFixtures, createFixtures } from '../harness/fixtures.ts';
import { admin } from '../harness/server.ts';
import { dialogs } from './dialogs.ts';

const { running, url, keepOpen, enter } = testConsole();
let fixtures: AcceptanceFixtures;
let page: Page;
let observed: Observed;

beforeAll(async () => {
  fixtures = await createFixtures(running());
  writeDeadLetters(running(), '00000000-0000-7000-8000-000000000001');
  ({ page, observed } = await keepOpen());
  await enter(page, admin.name);
});

const dialog = () => page.getByRole('dialog');
const getFocusedName = () =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement === document.body
      ? 'nothing'
      : (activeElement?.getAttribute('aria-label') ?? activeElement?.textContent);
  });

/** Tabs through the dialog once, and checks that the focus stays inside. */
async function keepsFocus(): Promise<boolean> {
  const stops = await dialog().locator('a, button, input, textarea, [tabindex="0"]').count();
  for (let press = 0; press <= stops + 1; press += 1) {
    await page.keyboard.press(press % 5 === 4 ? 'Shift+Tab' : 'Tab');
    const isInside = await dialog().evaluate((element) => element.contains(document.activeElement));
    if (!isInside) return false;
  }
  return true;
}

test.each(dialogs)(
  'no dialog of %s has axe findings; each traps the focus, and restores it on Escape',
  async (path, openers) => {
    const problems: string[] = [];
    await page.goto(url(path.replace(':webhook', fixtures.webhook).replace(':mergedIssue', fixtures.mergedIssue)));
    for (const { button, entry, select } of openers) {
      const note = (problem: string) => problems.push(`${entry ?? button}: ${problem}`);
      if (select) await page.getByRole('checkbox', { name: `Select ${select}` }).check();
      await page.getByRole('button', { name: button, exact: true }).click();
      if (entry) await page.getByRole('menuitem', { name: entry, exact: true }).click();
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await dialog().getByRole('heading').first().waitFor();
      // If the content replaced its skeleton now, the focus would be lost.
      await expect.poll(() => dialog().getByRole('status', { name: 'Loading' }).count()).toBe(0);
      // The page behind the dialog is checked with all pages.
      for (const finding of await findingsInBoth(page, '[role=dialog]')) note(finding);
      if (!(await keepsFocus())) note('the focus leaves it');
      // In a combobox, Escape would close its list first.
      await dialog().getByRole('button', { name: 'Close dialog' }).focus();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      const focused = await expect
        .poll(getFocusedName)
        .toBe(button)
        .then(() => button, getFocusedName);
      if (focused !== button) note(`the focus goes to ${focused}`);
    }
    expect(problems).toEqual([]);
    expect(observed).toEqual({ outside: [], complaints: [] });
  },
);
