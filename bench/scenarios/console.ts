import {
  apps_create,
  apps_createForOrg,
  codePushDeployments_create,
  createClient,
  organizations_createOrUpdate,
  releaseUploads_createOld,
  releaseUploads_finishOld,
  uploads_sendForm,
} from '@mooring/contract';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { sampleApk, toBlob } from '../../packages/contract/src/releases/sample-packages.ts';
import { appList, firstVisit, signIn } from '../../test-support/first-visit.ts';
import { findProgram } from '../../tools/programs.mjs';
import { ensureConsoleBuilt } from '../../tools/setup.mjs';
import { type Bench, median } from '../harness.ts';

const admin = { login: 'admin@example.com', password: 'correct horse battery' };
const LATENCY = 150;
const BITS_PER_SECOND = 1_600_000;

const org = '/orgs/harbour';
const app = `${org}/apps/compass`;

/** All pages that an administrator reaches through the sidebar, with their headings. */
const later: [path: string, heading: string][] = [
  ['/orgs', 'Organizations'],
  ['/create/app', 'New app'],
  ['/create/org', 'New organization'],
  [app, 'Overview'],
  [`${app}/analytics`, 'Analytics'],
  [`${app}/analytics/events`, 'Analytics'],
  [`${app}/analytics/audiences`, 'Analytics'],
  [`${app}/analytics/log-flow`, 'Analytics'],
  [`${app}/analytics/log-flow/search`, 'Search logs'],
  [`${app}/analytics/explore`, 'Explore'],
  [`${app}/analytics/funnel`, 'Explore'],
  [`${app}/analytics/retention`, 'Explore'],
  [`${app}/analytics/paths`, 'Explore'],
  [`${app}/crashes`, 'Crashes'],
  [`${app}/crash-reports`, 'Crashes'],
  [`${app}/symbols`, 'Crashes'],
  [`${app}/ingestion`, 'Ingestion'],
  [`${app}/analytics/set-up`, 'Ingestion'],
  [`${app}/builds`, 'Builds'],
  [`${app}/builds/history`, 'Builds'],
  [`${app}/builds/runners`, 'Builds'],
  [`${app}/builds/repository`, 'Builds'],
  [`${app}/builds/settings`, 'Builds'],
  [`${app}/test/runs`, 'Tests'],
  [`${app}/test/devices`, 'Tests'],
  [`${app}/releases`, 'Releases'],
  [`${app}/releases/1`, '1.4.0 (140)'],
  [`${app}/codepush`, 'CodePush'],
  [`${app}/codepush/Staging`, 'Staging'],
  [`${app}/groups`, 'Tester groups'],
  [`${app}/stores`, 'Stores'],
  [`${app}/users`, 'Members'],
  [`${app}/exports`, 'Export'],
  [`${app}/alerts`, 'Alerts'],
  [`${app}/bug-tracker`, 'Bug tracker'],
  [`${app}/notifications`, 'Notifications'],
  [`${app}/webhooks`, 'Webhooks'],
  [`${app}/usage`, 'Usage'],
  [`${app}/data-requests`, 'Data requests'],
  [`${app}/tokens`, 'API tokens'],
  [`${app}/audit`, 'Audit log'],
  [`${app}/settings`, 'Settings'],
  [org, 'Overview'],
  [`${org}/apps`, 'Apps'],
  [`${org}/people`, 'Members'],
  [`${org}/invitations`, 'Members'],
  [`${org}/service-accounts`, 'Members'],
  [`${org}/teams`, 'Teams'],
  [`${org}/groups`, 'Tester groups'],
  [`${org}/subscriptions`, 'Subscriptions'],
  [`${org}/runners`, 'Runners'],
  [`${org}/usage`, 'Usage'],
  [`${org}/webhooks`, 'Webhooks'],
  [`${org}/audit`, 'Audit log'],
  [`${org}/settings`, 'Settings'],
  ['/health', 'Service health'],
  ['/health?view=timeline', 'Service health'],
  ['/health/subscriptions', 'Webhooks and feeds'],
  ['/health/publish', 'Publish event'],
  ['/health/import', 'Import events'],
  ['/admin', 'Overview'],
  ['/admin/users', 'Users'],
  ['/admin/clients', 'OAuth clients'],
  ['/admin/health-operators', 'Health operators'],
  ['/admin/subscriptions', 'Subscriptions'],
  ['/admin/quotas', 'Quotas'],
  ['/admin/jobs', 'Jobs'],
  ['/admin/mails', 'Mail'],
  ['/admin/runners', 'Runners'],
  ['/admin/server', 'Server'],
  ['/admin/audit', 'Audit log'],
  ['/settings/profile', 'Profile'],
  ['/settings/sessions', 'Sessions'],
  ['/settings/devices', 'Devices'],
  ['/settings/tokens', 'API tokens'],
  ['/settings/connections', 'Connections'],
  ['/settings/notifications', 'Notifications'],
  ['/settings/data', 'Your data'],
];

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;

async function fill(origin: string, count: number): Promise<void> {
  const basic = Buffer.from(`${admin.login}:${admin.password}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/v0.1/api_tokens`, { method: 'POST', headers, body: '{}' });
  const { api_token } = (await answer.json()) as { api_token: string };
  const call = createClient({ baseUrl: origin, token: api_token });
  for (let n = 0; n < count; n += 1) {
    await call(apps_create, { body: { display_name: `App number ${n}`, os: 'Android', platform: 'Java' } });
  }
  await call(organizations_createOrUpdate, { body: { name: 'harbour', display_name: 'Harbour' } });
  await call(apps_createForOrg, {
    params: { org_name: 'harbour' },
    body: { name: 'compass', display_name: 'Compass', os: 'Android', platform: 'Java' },
  });
  const compass = { owner_name: 'harbour', app_name: 'compass' };
  const { upload_id, asset_token } = await call(releaseUploads_createOld, { params: compass, body: {} });
  const file = new File([toBlob(sampleApk)], 'compass.apk');
  await call(uploads_sendForm, { params: { asset_id: upload_id }, query: { token: asset_token }, file });
  await call(releaseUploads_finishOld, { params: { ...compass, upload_id }, body: { status: 'committed' } });
  await call(codePushDeployments_create, { params: compass, body: { name: 'Staging' } });
}

/** The layout shift since the page was opened, as browsers measure it. */
const measureShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const seen = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
            if (!entry.hadRecentInput) sum += entry.value;
          }
        });
        seen.observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 200));
      }),
  );

/** In the browser, frame by frame: after a while the driver polls only every half second. */
async function openPage({ path, heading }: { path: string; heading: string }): Promise<number> {
  const start = performance.now();
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
  while (document.querySelector('h1')?.textContent.trim() !== heading) {
    if (performance.now() - start > 30_000) throw new Error(`${path} did not show the heading ${heading} within 30 s.`);
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - start;
}

interface Visit {
  browser: Browser;
  origin: string;
  /** The user's session, without cached data. */
  storageState: Awaited<ReturnType<BrowserContext['storageState']>>;
  isSlow: boolean;
}

/** Milliseconds until a user with an empty browser cache sees the first app. */
async function visitFirst({ browser, origin, storageState, isSlow }: Visit): Promise<number> {
  const context = await browser.newContext({ storageState });
  const page = await context.newPage();
  if (isSlow) {
    const wire = await context.newCDPSession(page);
    const throughput = BITS_PER_SECOND / 8;
    await wire.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: LATENCY,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
  }
  const start = performance.now();
  await page.goto(origin, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.querySelector('main')?.textContent.includes('App number 0'));
  const took = performance.now() - start;
  await context.close();
  return took;
}

/** Waiting times in the console: the size of a first visit, the first row on a slow line, and later pages. */
export async function measureConsole(bench: Bench): Promise<string> {
  ensureConsoleBuilt();
  const mooring = await bench.startMooring('console', { dataDir: bench.at('console') });
  const origin = `http://localhost:${mooring.port}`;
  await fill(origin, 60);
  const browser = await chromium.launch({ executablePath: findProgram('Chromium'), args: ['--no-sandbox'] });
  try {
    const first = await browser.newContext();
    const page = await first.newPage();
    await page.goto(`${origin}/sign-in`);
    await page.getByLabel('Name or email').fill(admin.login);
    await page.getByLabel('Password', { exact: true }).fill(admin.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor();
    const storageState = await first.storageState();

    const rounds = bench.isQuick ? 1 : 5;
    const visit = { browser, origin, storageState };
    const slow: number[] = [];
    const cold: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      slow.push(await visitFirst({ ...visit, isSlow: true }));
      cold.push(await visitFirst({ ...visit, isSlow: false }));
    }
    const rows: string[] = [];
    let [slowest, largest] = [0, 0];
    for (const [path, heading] of later) {
      // Starts on a page with another heading, so that the arrival of the next page can be detected.
      const [from, other] =
        heading === 'Connections' ? ['/orgs', 'Organizations'] : ['/settings/connections', 'Connections'];
      const opened: number[] = [];
      for (let round = 0; round < (bench.isQuick ? 1 : 3); round += 1) {
        await page.goto(origin + from);
        await page.getByRole('heading', { name: other, level: 1 }).waitFor();
        opened.push(await page.evaluate(openPage, { path, heading }));
      }
      await page.goto(origin + path);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      const shift = await measureShift(page);
      slowest = Math.max(slowest, median(opened));
      largest = Math.max(largest, shift);
      rows.push(`| \`${path}\` | ${Math.round(median(opened))} ms | ${shift.toFixed(3)} |`);
    }
    const kB = firstVisit(...appList) / 1000;
    bench.goal({ what: 'Console: size of the first visit', aim: { atMost: 180 }, measured: kB, unit: ' kB' });
    const firstRow = median(slow) / 1000;
    bench.goal({
      what: 'Console: first row on a slow connection',
      aim: { atMost: 2 },
      measured: firstRow,
      unit: ' s',
      digits: 1,
    });
    const firstVisitMs = median(cold);
    bench.goal({
      what: 'Console: first visit, cold cache',
      aim: { atMost: 1000 },
      measured: firstVisitMs,
      unit: ' ms',
    });
    bench.goal({ what: 'Console: slowest later page', aim: { atMost: 300 }, measured: slowest, unit: ' ms' });
    bench.goal({ what: 'Console: largest layout shift', aim: { atMost: 0.05 }, measured: largest, digits: 3 });
    return `## The console

A first visit loads, gzipped: ${kilobytes(firstVisit(...signIn))} to sign in,
${kilobytes(firstVisit(...appList))} until the list of apps. At 1.6 Mbit/s with 150 ms latency, the first of 60 apps appears
after ${firstRow.toFixed(1)} s, without that limit after ${Math.round(firstVisitMs)} ms (medians of ${rounds}). The goals are 180 kB, 2 s, 1 s, 300 ms for every later page, and a layout shift below 0.05.
Each page is opened three times; medians.

| page | opened from another one | layout shift when loaded |
|---|---|---|
${rows.join('\n')}`;
  } finally {
    await browser.close();
  }
}
