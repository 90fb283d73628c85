import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findings } from '../harness/axe.ts';
import { observe, openBrowser, signIn } from '../harness/browser.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';
import { type AcceptanceWorld, fillWorld } from '../harness/world.ts';
import { frontPages, healthPages, signedInPages } from './pages.ts';

let server: RunningServer;
let browser: Browser;
let page: Page;
let world: AcceptanceWorld;

beforeAll(async () => {
  server = await startServer({ env: { MOORING_OPEN_SIGN_UP: 'true' } });
  world = await fillWorld(server);
  browser = await openBrowser();
  page = await browser.newPage();
  page.setDefaultTimeout(15_000);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Loads each page afresh, as a bookmark does, and looks at it wide and light, then narrow and dark. */
async function walk(pages: [path: string, heading: string][]): Promise<void> {
  const observed = observe(page, server.httpUrl);
  for (const [path, heading] of pages) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(server.httpUrl + path);
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    expect([path, await findings(page)]).toEqual([path, []]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 375, height: 740 });
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    expect([path, await findings(page)]).toEqual([path, []]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect([path, overflow]).toEqual([path, 0]);
  }
  expect(observed).toEqual({ outside: [], complaints: [] });
}

test('every page before signing in has no serious finding of axe, fits a phone and keeps to its content policy', () =>
  walk(frontPages));

test('every page after signing in has no serious finding of axe, fits a phone and keeps to its content policy', async () => {
  await signIn(page, server.httpUrl, admin.name, admin.password);
  await walk(signedInPages);
});

test('every page of service health has no serious finding of axe, fits a phone and keeps to its content policy', async () => {
  await page.context().clearCookies();
  await signIn(page, server.httpUrl, admin.name, admin.password);
  await walk(healthPages(world));
});

test('the first load takes less than 250 kB of compressed script', async () => {
  const context = await browser.newContext();
  const fresh = await context.newPage();
  let bytes = 0;
  fresh.on('response', (response) => {
    if (!response.url().endsWith('.js')) return;
    expect(response.headers()['content-encoding']).toBe('br');
    bytes += Number(response.headers()['content-length']);
  });
  await signIn(fresh, server.httpUrl, admin.name, admin.password);
  await fresh.getByRole('row').nth(1).waitFor();
  await context.close();
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(250_000);
});
