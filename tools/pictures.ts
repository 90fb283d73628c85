import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser, signIn } from '../test-support/browser.ts';

// Takes the screenshots for README.md from the demo: npm run pictures

interface Shot {
  file: string;
  who: string;
  path: string;
  scheme?: 'dark';
  /** Opens menus or tabs, and waits for the content. */
  prepare(page: Page): Promise<unknown>;
}

const there = (page: Page, text: string) => page.getByText(text).first().waitFor();

const shots: Shot[] = [
  { file: 'apps.png', who: 'ingrid', path: '/', prepare: (page) => there(page, 'Deckhand') },
  {
    file: 'health.png',
    who: 'ingrid',
    path: '/health?view=timeline',
    prepare: async (page) => {
      // Not by focus, whose ring would be visible.
      const row = page.getByRole('row').filter({ hasText: 'Distribution' }).first();
      await row.getByRole('button').last().hover();
      await there(page, 'Download links return');
      await page.evaluate(() => window.scrollTo(0, 0));
    },
  },
  {
    file: 'people.png',
    who: 'ingrid',
    path: '/orgs/saltmarsh/people',
    scheme: 'dark',
    prepare: (page) => there(page, 'Tomás Oliveira'),
  },
  {
    file: 'analytics.png',
    who: 'ingrid',
    path: '/orgs/saltmarsh/apps/tickets-android/analytics',
    prepare: async (page) => {
      await there(page, 'Active devices');
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    },
  },
  {
    file: 'crashes.png',
    who: 'ingrid',
    path: '/orgs/saltmarsh/apps/timetable-ios/crashes',
    prepare: async (page) => {
      await there(page, 'departureAtIndex');
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    },
  },
  {
    file: 'overview.png',
    who: 'ingrid',
    path: '/orgs/saltmarsh/apps/tickets-android',
    scheme: 'dark',
    prepare: async (page) => {
      await there(page, 'Last 28 days');
      await page.waitForFunction(() => !document.querySelector('[class*=Skeleton-root]'));
    },
  },
  {
    file: 'issue.png',
    who: 'ingrid',
    path: '/orgs/saltmarsh/apps/timetable-ios/crashes',
    prepare: async (page) => {
      await page.getByRole('link', { name: /^NS/ }).first().click();
      await there(page, 'Report from');
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    },
  },
  {
    file: 'build.png',
    who: 'ingrid',
    path: '/orgs/saltmarsh/apps/tickets-android/builds/history',
    scheme: 'dark',
    prepare: async (page) => {
      await page.getByRole('table').getByRole('link').first().click();
      await there(page, 'BUILD SUCCESSFUL');
      await page.waitForFunction(() => !document.querySelector('[class*=Skeleton-root]'));
    },
  },
  {
    file: 'test.png',
    who: 'ingrid',
    path: '/orgs/saltmarsh/apps/tickets-android/test/runs',
    prepare: async (page) => {
      await page.getByRole('table').getByRole('link').first().click();
      await there(page, 'buysACrossing');
      await page.waitForFunction(() => !document.querySelector('[class*=Skeleton-root]'));
    },
  },
  {
    file: 'codepush.png',
    who: 'ingrid',
    path: '/orgs/saltmarsh/apps/tickets-android/codepush/Production',
    prepare: async (page) => {
      await there(page, 'Enlarge the boarding code.');
      await page.waitForFunction(() => !document.querySelector('[class*=Skeleton-root]'));
    },
  },
  {
    file: 'release.png',
    who: 'ingrid',
    path: '/orgs/saltmarsh/apps/tickets-android/releases',
    scheme: 'dark',
    prepare: async (page) => {
      await page.getByRole('table').getByRole('link').first().click();
      await there(page, 'Adoption and stability');
      await page.getByText('Adoption and stability').first().scrollIntoViewIfNeeded();
      await page.waitForFunction(() => !document.querySelector('[class*=Skeleton-root]'));
    },
  },
  { file: 'tokens.png', who: 'tomas', path: '/settings/tokens', prepare: (page) => there(page, 'release script') },
];

const LIMIT = 200_000;
const folder = path.join(import.meta.dirname, '../docs/pictures');

const demo = spawn(process.execPath, [path.join(import.meta.dirname, 'demo.mjs')], {
  env: { ...process.env, MOORING_HTTP_PORT: '0', MOORING_HTTPS_PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let printed = '';
const ready = Promise.withResolvers<void>();
demo.stdout.on('data', (chunk) => {
  printed += chunk;
  if (/Password .*\n/.test(printed)) ready.resolve();
});
demo.once('exit', (code) => ready.reject(new Error(`The demo exited with ${code}:\n${printed}`)));

try {
  await ready.promise;
  const origin = /Console\s+(http:\S+)/.exec(printed)?.[1] ?? '';
  const password = /Password\s+(.+?) {2}/.exec(printed)?.[1] ?? '';
  mkdirSync(folder, { recursive: true });
  const browser = await openBrowser();
  try {
    for (const { file, who, path: at, scheme, prepare } of shots) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        colorScheme: scheme ?? 'light',
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'UTC',
      });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await signIn(page, { origin, login: who, password, path: at });
      await prepare(page);
      const target = path.join(folder, file);
      await page.screenshot({ path: target, animations: 'disabled' });
      const { size } = statSync(target);
      if (size > LIMIT) throw new Error(`${file} has ${size} bytes; the limit is ${LIMIT}.`);
      process.stdout.write(`docs/pictures/${file}  ${Math.round(size / 1000)} kB\n`);
      await context.close();
    }
  } finally {
    await browser.close();
  }
} finally {
  if (demo.exitCode === null) {
    demo.kill('SIGTERM');
    await once(demo, 'exit');
  }
}
