import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  nodes: { html: string }[];
}

interface Axe {
  run(context: Document | string, options: object): Promise<{ violations: Finding[] }>;
}

interface Looking {
  /** Only these rules. */
  rules?: string[] | undefined;
  /** All rules but these. */
  without?: string[] | undefined;
  /** Only in elements that match this selector. */
  within?: string | undefined;
}

/** Runs axe on a page; returns all findings. Injected through the browser, past the content security policy. */
export async function findings(page: Page, looking: Looking = {}): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const found = await page.evaluate(async ({ rules, without = [], within }) => {
    const { axe } = window as Window & { axe?: Axe };
    if (!axe) throw new Error('axe was not injected into the page');
    // A color in transition has the contrast of neither scheme.
    const changing = document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(changing.map(({ finished }) => finished));
    // The frame of an article runs no scripts, so axe can't run in it.
    const disabled = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
    const options = { resultTypes: ['violations'], iframes: false, ...(rules && { runOnly: rules }), rules: disabled };
    return (await axe.run(within ?? document, options)).violations;
  }, looking);
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** The rules that depend on colors. They take most of the time of axe. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** Other rules have the same findings in both schemes. */
const schemes: { colorScheme: 'light' | 'dark'; rules?: string[] }[] = [
  { colorScheme: 'light' },
  { colorScheme: 'dark', rules: colorRules },
];

/** The axe findings of a page of the console in both schemes. */
export async function findingsInBoth(page: Page, within?: string): Promise<string[]> {
  const found: string[] = [];
  for (const { colorScheme, rules } of schemes) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    found.push(...(await findings(page, { rules, within })).map((finding) => `${colorScheme}: ${finding}`));
  }
  return found;
}

/**
 * The axe findings on another screen size of a page whose colors were checked before: they do not depend on the width.
 */
export const findingsOnScreen = (page: Page): Promise<string[]> => findings(page, { without: colorRules });
