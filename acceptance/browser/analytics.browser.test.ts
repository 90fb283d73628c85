import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Observed } from '../../test-support/browser.ts';
import { findings } from '../harness/axe.ts';
import { testConsole } from '../harness/console.ts';
import { createToken, send } from '../harness/http.ts';
import { admin } from '../harness/server.ts';

const device = (version: string, country: string) => ({
  sdkName: 'appcenter.android',
  sdkVersion: '5.0.6',
  model: 'Pixel 9',
  oemName: 'Google',
  osName: 'Android',
  osVersion: '16',
  locale: 'de_DE',
  timeZoneOffset: 60,
  appVersion: version,
  appBuild: '1',
  carrierCountry: country,
});

/** One user journey: each step continues the previous one. */
describe('analytics', () => {
  const { running, url, keepOpen, enter } = testConsole();
  let page: Page;
  let observed: Observed;
  let app: { app_secret: string };
  const at = '/users/ada/apps/buoy/analytics';

  beforeAll(async () => {
    const token = (await createToken(running())).api_token;
    const body = { name: 'buoy', display_name: 'Buoy', os: 'Android', platform: 'Java' };
    app = (await send('POST', url('/v0.1/apps'), { token, body })).json();
    ({ page, observed } = await keepOpen());
    await enter(page, admin.name);
  });

  const open = async (path: string) => {
    await page.goto(url(at + path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
  };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  /** Data is counted after some seconds, on a busy machine later. */
  const COUNTED = { timeout: 60_000 };
  const seen = (path: string, read: () => Promise<string>) =>
    expect.poll(async () => {
      await open(path);
      return read();
    }, COUNTED);

  /** Sends a session with events of one install, as an SDK does. */
  const use = async (version: string, country: string, plans: string[]) => {
    const timestamp = new Date().toISOString();
    const about = { timestamp, sid: randomUUID(), device: device(version, country) };
    const logs = [
      { type: 'startSession', ...about },
      ...plans.map((value) => ({
        type: 'event',
        id: randomUUID(),
        name: 'Plan/chosen',
        typedProperties: [{ type: 'string', name: 'plan', value }],
        ...about,
      })),
    ];
    const headers = { 'app-secret': app.app_secret, 'install-id': randomUUID() };
    const answer = await send('POST', url('/logs?api-version=1.0.0'), { headers, body: { logs } });
    expect(answer.json()).toEqual({ accepted: logs.length, invalid: 0, dropped: 0 });
  };

  test('shows SDK code to an app without data, and counts a test log', async () => {
    await open('');
    await page.getByText('No data yet').waitFor();
    const code = page.getByRole('region', { name: 'Code for Android', exact: true });
    expect(await code.textContent()).toContain(`AppCenter.start(application, "${app.app_secret}"`);
    await page.getByLabel('SDK', { exact: true }).selectOption('Unity');
    await page.getByText('Custom log URL').waitFor();
    await press('Send test log');
    await page.getByText('Test log received.').waitFor();
    await card('Models').getByText('Test', { exact: true }).waitFor(COUNTED);
    expect(await card('Models').textContent()).toMatch(/Test1/);
  });

  test("counts a device's batch by version, country and day", async () => {
    await use('1.0.0', 'de', ['pro', 'free']);
    await use('1.1.0', 'dk', ['pro']);
    await seen('', async () => (await card('Versions').textContent()) ?? '').toMatch(/1\.1\.0.*1\.0\.0/);
    const days = page.getByRole('slider', { name: 'Active devices by day' });
    const day = async () => (await days.getAttribute('aria-valuetext')) ?? '';
    // Each card loads its own data, some of it possibly before the last batch was counted.
    await seen('', day).toMatch(/Daily 3, Weekly 3, Monthly 3$/);
    await seen('', async () => (await card('Countries').textContent()) ?? '').toMatch(/Denmark1/);
    await page.getByRole('img', { name: /^World map/ }).waitFor();
    await days.press('ArrowLeft');
    await expect.poll(day).toMatch(/Daily 0, Weekly 0, Monthly 0$/);
  });

  test('shows a chart as a table and downloads it', async () => {
    await press('Show Active devices as a table');
    const figures = page.getByRole('region', { name: 'Figures: Active devices' });
    await expect.poll(() => figures.getByRole('row').count()).toBe(29);
    const saving = page.waitForEvent('download');
    await press('Download Active devices as CSV');
    const file = readFileSync(await (await saving).path(), 'utf8').split('\r\n');
    expect([file[0], file.at(-2)]).toEqual(['Day,Daily,Weekly,Monthly', expect.stringMatching(/^[\d-]{10},3,3,3$/)]);
  });

  test('keeps the version filter in the URL of events and their properties', async () => {
    await open('?version=1.0.0&range=7d');
    const days = page.getByRole('slider', { name: 'Active devices by day' });
    await expect.poll(() => days.getAttribute('aria-valuetext')).toMatch(/Daily 1,/);
    await expect.poll(() => days.getAttribute('aria-valuemax')).toBe('6');
    await open('/events?version=1.0.0&range=7d');
    expect(await row('Test of ingestion').count()).toBe(0);
    await page.getByRole('link', { name: 'Plan/chosen' }).click();
    await page.getByRole('heading', { level: 1, name: 'Plan/chosen' }).waitFor();
    await expect.poll(() => card('plan').textContent()).toMatch(/free150%.*pro150%/);
    expect(new URL(page.url()).search).toBe('?range=7d&version=1.0.0');
  });

  test('shows incoming logs by type with details, and pauses', async () => {
    await open('/log-flow');
    await row('Plan/chosen').first().waitFor();
    await page.getByLabel('Type', { exact: true }).selectOption('Session start');
    await expect.poll(() => row('Plan/chosen').count()).toBe(0);
    await page.getByLabel('Type', { exact: true }).selectOption('Event');
    await expect.poll(() => row('Plan/chosen').count(), COUNTED).toBe(3);
    await use('1.1.0', 'dk', ['team']);
    await expect.poll(() => row('Plan/chosen').count(), COUNTED).toBe(4);
    await press('Pause');
    await page.getByRole('link', { name: 'Plan/chosen' }).first().click();
    await page.getByRole('dialog').getByText('"plan": "team"').waitFor();
    await page.keyboard.press('Escape');
  });

  test('charts pass axe and fit three screens in both schemes', async () => {
    for (const path of ['', '/events/Plan%2Fchosen', '/set-up']) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await open(path);
        for (const width of [1360, 1024, 390]) {
          await page.setViewportSize({ width, height: 900 });
          expect([path, width, colorScheme, await findings(page)]).toEqual([path, width, colorScheme, []]);
          // Charts resize with a delay.
          const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          await expect.poll(async () => [path, width, await overflow()]).toEqual([path, width, 0]);
        }
      }
    }
  });

  test('removes a deleted event immediately', async () => {
    await page.setViewportSize({ width: 1360, height: 900 });
    await open('/events/Plan%2Fchosen');
    await press('Delete event');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete event' }).click();
    await row('Test of ingestion').waitFor();
    expect(await row('Plan/chosen').count()).toBe(0);
  });

  test('makes no external requests and causes no browser errors', () => {
    expect(observed).toEqual({ outside: [], complaints: [] });
  });
});
