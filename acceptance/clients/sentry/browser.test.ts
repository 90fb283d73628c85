import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../../../test-support/browser.ts';
import { createToken, send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { startSite } from './web-app.ts';

const home = '/v0.1/apps/ada/Web';
let server: RunningServer;
let site: Awaited<ReturnType<typeof startSite>>;
let browser: Browser;
let token: string;
let dsn: string;

beforeAll(async () => {
  site = await startSite();
  server = await startServer({ env: { MOORING_RATE_LIMIT: '0', MOORING_INGEST_ORIGINS: site.origin } });
  token = (await createToken(server)).api_token;
  const body = { display_name: 'Web', name: 'Web', os: 'Linux', platform: 'Electron' };
  const made = await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body });
  expect(made.status, made.text).toBe(201);
  const { public_key, project_id } = await get<{ public_key: string; project_id: number }>('sentry');
  dsn = `http://${public_key}@${new URL(server.httpUrl).host}/${project_id}`;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.stop();
  await site.close();
});

async function get<T>(rest: string): Promise<T> {
  const answer = await send('GET', `${server.httpUrl}${home}/${rest}`, { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<T>();
}

async function openShop() {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(`${site.origin}/?dsn=${encodeURIComponent(dsn)}`);
  await page.waitForSelector('body[data-ready]');
  return { context, page, problems };
}

const listIssues = async (kind: string): Promise<string> => JSON.stringify(await get(`crash_issues?kind=${kind}`));

test('exceptions, attachments and sessions of the unmodified SDK arrive from a page of an allowed origin', {
  timeout: 120_000,
}, async () => {
  const { page, problems } = await openShop();
  const id = await page.evaluate(() => {
    const { Sentry } = window as unknown as {
      Sentry: {
        getCurrentScope(): { addAttachment(attachment: object): void };
        captureException(error: Error): string;
      };
    };
    Sentry.getCurrentScope().addAttachment({
      filename: 'cart.json',
      data: '{"items":[]}',
      contentType: 'application/json',
    });
    return Sentry.captureException(new TypeError('The cart is empty'));
  });
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('nobody caught this');
    });
  });
  await expect.poll(() => listIssues('error'), { timeout: 30_000 }).toContain('The cart is empty');
  await expect.poll(() => listIssues('crash'), { timeout: 30_000 }).toContain('nobody caught this');
  expect(JSON.stringify(await get(`crashes/${id}/attachments`))).toContain('cart.json');
  const ingestion = await get<{
    items: { item: string; outcome: string }[];
    senders: { sdk: string; sdk_version: string }[];
  }>('ingestion');
  expect(ingestion.items).toContainEqual(expect.objectContaining({ item: 'session', outcome: 'stored' }));
  expect(ingestion.senders).toMatchObject([{ sdk: 'sentry.javascript.browser', sdk_version: '11.11.0' }]);
  expect(problems.filter((text) => text.includes('CORS') || text.includes('blocked'))).toEqual([]);
});

test('an event of an offline page arrives once the page is online', { timeout: 120_000 }, async () => {
  const { context, page } = await openShop();
  await context.setOffline(true);
  await page.evaluate(() => {
    const { Sentry } = window as unknown as { Sentry: { captureException(error: Error): string } };
    Sentry.captureException(new RangeError('sent later'));
  });
  await page.waitForTimeout(1000);
  expect(await listIssues('error')).not.toContain('sent later');
  await context.setOffline(false);
  await expect.poll(() => listIssues('error'), { timeout: 90_000, interval: 1000 }).toContain('sent later');
});

test('a page of another origin may not send', async () => {
  const { pathname } = new URL(dsn);
  const answer = await fetch(`${server.httpUrl}/api${pathname}/envelope/`, {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example.com', 'access-control-request-method': 'POST' },
  });
  expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});
