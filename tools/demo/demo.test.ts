import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  Analytics_DeviceCounts,
  Analytics_EventProperties,
  Analytics_Events,
  Analytics_PlaceCounts,
  Analytics_Versions,
  adminAudit_list,
  adminMails_list,
  adminUsers_list,
  appApiTokens_list,
  apps_list,
  builds_getLog,
  builds_listByBranch,
  type Client,
  codePushDeploymentMetrics_get,
  codePushDeployments_list,
  crashIssues_list,
  crashIssues_listReports,
  distributionGroups_detailsForOrg,
  distributionGroups_listUsersForOrg,
  Errors_ListSessionLogs,
  Events_ListBySubscriptionId,
  Events_ListByTenantId,
  type HealthEvent,
  HealthFeeds_List,
  HealthWebhookDeliveries_List,
  HealthWebhooks_List,
  ingestion_get,
  missingSymbolGroups_list,
  organizations_list,
  orgInvitations_listPending,
  platformsByOs,
  releases_list,
  Subscriptions_List,
  serviceAccounts_list,
  teams_getUsers,
  teams_listAll,
  test_getTestRuns,
  userApiTokens_list,
  users_get,
  users_listForOrg,
} from '@mooring/contract';
import type { Static } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../../packages/server/src/app.ts';
import type { Config } from '../../packages/server/src/config.ts';
import { DAY } from '../../packages/server/src/kernel/clock.ts';
import { createLog } from '../../packages/server/src/kernel/log.ts';
import { readConfig } from '../../packages/server/src/settings.ts';
import { createAppClient } from './client.ts';
import { regions, services } from './incidents.ts';
import { orgNames } from './orgs.ts';
import { type Account, playStory } from './story.ts';
import { type Usage, usages } from './usage.ts';

const now = Date.parse('2026-11-15T12:00:00Z');
const query = { 'api-version': '2024-02-01' };
type Event = Static<typeof HealthEvent>;

interface Demo {
  accounts: Account[];
  app: App;
  admin: Client;
  developer: Client;
  viewer: Client;
}

const folders: string[] = [];
const opened: App[] = [];

async function openDemo(selected: readonly Usage[]): Promise<Demo> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-demo-test-'));
  folders.push(dataDir);
  const config: Config = { ...readConfig({ MOORING_DATA_DIR: dataDir }), rateLimit: 0 };
  const accounts = await playStory(config, now, selected);
  const app = await createApp(config, { clock: { now: () => now }, log: createLog('silent') });
  opened.push(app);
  const [admin, developer, viewer] = accounts.map(({ token }) =>
    createAppClient(app.http, { 'x-api-token': token }),
  ) as [Client, Client, Client];
  return { accounts, app, admin, developer, viewer };
}

/** Kinds of actors in the audit log of an administrator. */
async function everyEvent(admin: Client): Promise<Event[]> {
  const events: Event[] = [];
  for (let token: string | undefined; ; ) {
    const page = await admin(Events_ListByTenantId, { query: { ...query, ...(token ? { $skipToken: token } : {}) } });
    events.push(...page.value);
    if (!page.nextLink) return events;
    token = new URL(page.nextLink, 'http://localhost').searchParams.get('$skipToken') ?? '';
  }
}

/** The audit log of the story, without the changes of the tests. */
const selected = (app: App) =>
  app.database.query((q) =>
    q.selectFrom('audit_events').select(['id', 'at', 'action', 'subject_name']).where('at', '<', now).orderBy('id'),
  );

let demo: Demo;
beforeAll(async () => {
  // Months are alike, and telemetry takes longest to create.
  demo = await openDemo(usages.slice(0, 1).map((usage) => ({ ...usage, days: 35 })));
}, 300_000);
afterAll(async () => {
  for (const app of opened) await app.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test('there are 120 people in three organizations, with teams, service accounts and open invitations', async () => {
  const { admin } = demo;
  const { values } = await admin(adminUsers_list, { query: { limit: 200 } });
  const people = values.filter(({ email }) => email.endsWith('.example'));
  expect(people).toHaveLength(120);
  expect(people.filter(({ is_disabled }) => is_disabled)).toHaveLength(3);
  expect((await admin(organizations_list)).map(({ name }) => name)).toEqual([...orgNames].sort());
  for (const org_name of orgNames) {
    const params = { org_name };
    expect((await admin(users_listForOrg, { params })).length).toBeGreaterThan(18);
    expect((await admin(orgInvitations_listPending, { params })).length).toBeGreaterThan(2);
    expect((await admin(serviceAccounts_list, { params })).length).toBeGreaterThan(0);
    for (const { name } of await admin(teams_listAll, { params })) {
      expect((await admin(teams_getUsers, { params: { ...params, team_name: name } })).length, name).toBeGreaterThan(2);
    }
  }
});

test('40 apps cover every operating system and platform', async () => {
  const { admin, accounts } = demo;
  const found = await demo.app.database.query((q) => q.selectFrom('apps').select(['os', 'platform']));
  expect(found).toHaveLength(40);
  expect(new Set(found.map(({ os }) => os))).toEqual(new Set(Object.keys(platformsByOs)));
  expect(new Set(found.map(({ platform }) => platform))).toEqual(new Set(Object.values(platformsByOs).flat()));
  expect((await admin(apps_list, { query: {} })).length).toBe(37);
  expect(accounts.map(({ role }) => role)).toEqual(['administrator', 'developer', 'viewer']);
});

test('each of the three accounts sees its part of the data', async () => {
  const { admin, developer, viewer } = demo;
  expect(await admin(users_get)).toMatchObject({ name: 'ingrid', is_admin: true });
  expect(await developer(users_get)).toMatchObject({ name: 'tomas', is_admin: false });
  expect(await viewer(users_get)).toMatchObject({ name: 'priya', is_admin: false });
  const permissions = async (call: Client) =>
    new Set((await call(apps_list, { query: {} })).map(({ member_permissions }) => member_permissions?.[0]));
  const [mayDo, mayLook] = [await permissions(developer), await permissions(viewer)];
  expect([mayDo.has('developer'), mayDo.has('manager')]).toEqual([true, true]);
  expect([mayLook.has('viewer'), mayLook.has('developer'), mayLook.has('manager')]).toEqual([true, false, false]);
  await expect(developer(adminUsers_list, { query: {} })).rejects.toMatchObject({ status: 403 });
});

test('the three accounts can sign in with the printed password', async () => {
  const { app, accounts } = demo;
  for (const { email: login, password } of accounts) {
    const answer = await app.http.inject({
      method: 'POST',
      url: '/v0.1/sessions',
      headers: { 'sec-fetch-site': 'same-origin' },
      payload: { login, password },
    });
    expect(answer.statusCode).toBe(201);
  }
});

test('shared groups have testers who have joined, and some who have not accepted yet', async () => {
  const { admin } = demo;
  for (const org_name of orgNames) {
    const groups = await admin(distributionGroups_detailsForOrg, { params: { org_name }, query: {} });
    expect(groups.length).toBeGreaterThan(0);
  }
  const params = { org_name: 'saltmarsh', distribution_group_name: 'Friends of Saltmarsh' };
  const members = await admin(distributionGroups_listUsersForOrg, { params });
  const pending = members.filter(({ invite_pending }) => invite_pending);
  expect(pending.length).toBeGreaterThan(5);
  expect(members.length - pending.length).toBeGreaterThan(5);
});

test('tokens are in all states, and revoked ones are only in the audit log', async () => {
  const tokens = await demo.admin(userApiTokens_list);
  const soon = now + 14 * DAY;
  const is = {
    full: tokens.filter(({ scope }) => scope[0] === 'all'),
    readOnly: tokens.filter(({ scope }) => scope[0] === 'viewer'),
    expired: tokens.filter(({ expires_at: at }) => at && Date.parse(at) < now),
    expiring: tokens.filter(({ expires_at: at }) => at && Date.parse(at) > now && Date.parse(at) < soon),
    usedLately: tokens.filter(({ last_used_at: at }) => at && Date.parse(at) > now - DAY),
    unused: tokens.filter(({ last_used_at }) => !last_used_at),
  };
  for (const [state, found] of Object.entries(is)) expect(found.length, state).toBeGreaterThan(0);
  expect(tokens.map(({ description }) => description)).not.toContain('pasted into a chat by mistake');
  const { values } = await demo.admin(adminAudit_list, { query: { action: 'api_token.delete', limit: 200 } });
  expect(values.length).toBeGreaterThan(10);
  const params = { owner_name: 'saltmarsh', app_name: 'timetable-android' };
  expect((await demo.developer(appApiTokens_list, { params })).length).toBeGreaterThan(0);
});

test('health events of eighteen months name eight services and six regions, with all types and states', async () => {
  const events = await everyEvent(demo.admin);
  const all = events.map(({ properties }) => properties);
  const impacts = all.flatMap(({ impact = [] }) => impact);
  expect(new Set(impacts.map(({ impactedService }) => impactedService))).toEqual(new Set(services));
  const affected = impacts.flatMap(({ impactedRegions = [] }) => impactedRegions);
  expect(new Set(affected.map(({ impactedRegion }) => impactedRegion))).toEqual(new Set(regions));
  const count = (type: string, status: string) =>
    all.filter((one) => one.eventType === type && one.status === status).length;
  expect(count('ServiceIssue', 'Resolved')).toBeGreaterThan(50);
  expect(count('ServiceIssue', 'Active')).toBe(2);
  expect(count('RCA', 'Resolved')).toBeGreaterThan(25);
  expect(count('PlannedMaintenance', 'Resolved')).toBeGreaterThan(3);
  expect(count('HealthAdvisory', 'Active')).toBeGreaterThan(0);
  const planned = all.filter((one) => one.eventType === 'PlannedMaintenance' && one.status === 'Active');
  expect(planned.filter(({ impactStartTime = '' }) => Date.parse(impactStartTime) > now)).toHaveLength(2);
  const times = all.map(({ lastUpdateTime }) => Date.parse(lastUpdateTime));
  expect(Math.max(...times)).toBeLessThanOrEqual(now);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(480 * DAY);
  const months = new Set(times.map((time) => new Date(time).toISOString().slice(0, 7)));
  expect(months.size).toBeGreaterThan(15);
});

test("the viewer can read the health events of their organization's subscriptions", async () => {
  const { value } = await demo.viewer(Subscriptions_List, { query });
  expect(value.map(({ displayName }) => displayName)).toEqual(['Saltmarsh production', 'Saltmarsh staging']);
  const params = { subscriptionId: value[0]?.subscriptionId ?? '' };
  const page = await demo.viewer(Events_ListBySubscriptionId, { params, query });
  expect(page.value.length).toBeGreaterThan(20);
});

test('a webhook has delivered issues to the developer, one of them on the second attempt, and there is a feed', async () => {
  const { developer } = demo;
  const subscription = (await developer(Subscriptions_List, { query })).value.find(({ displayName }) =>
    displayName.startsWith('Saltmarsh production'),
  );
  const params = { subscriptionId: subscription?.subscriptionId ?? '' };
  const [webhook] = (await developer(HealthWebhooks_List, { params, query })).value;
  const { value } = await developer(HealthWebhookDeliveries_List, {
    params: { ...params, webhookId: webhook?.id ?? '' },
    query,
  });
  expect(value.length).toBeGreaterThan(5);
  expect(new Set(value.map(({ state }) => state))).toEqual(new Set(['Delivered']));
  expect(new Set(value.map(({ change }) => change))).toEqual(new Set(['test', 'published', 'updated', 'resolved']));
  expect(value.some(({ attempts }) => attempts.length === 2)).toBe(true);
  expect((await developer(HealthFeeds_List, { params, query })).value).toHaveLength(1);
});

test('the audit log covers the whole time, and the outbox has emails', async () => {
  const { app, admin } = demo;
  const events = await selected(app);
  expect(events.length).toBeGreaterThan(1500);
  const times = events.map(({ at }) => at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(Math.max(...times)).toBeLessThanOrEqual(now);
  const months = new Set(times.map((time) => new Date(time).toISOString().slice(0, 7)));
  expect(months.size).toBeGreaterThanOrEqual(18);
  const { values } = await admin(adminMails_list, { query: { limit: 200 } });
  expect(values).toHaveLength(200);
});

test('an app has telemetry: by day, version, country and event', async () => {
  const { viewer } = demo;
  const params = { owner_name: 'saltmarsh', app_name: 'timetable-ios' };
  const day = (ago: number) => new Date(now - ago * DAY).toISOString();
  const query = { start: day(34), end: day(1), $top: 0 };
  const { daily, monthly } = await viewer(Analytics_DeviceCounts, { params, query });
  expect(daily.filter(({ count }) => count > 0).length).toBe(34);
  expect(monthly.at(-1)?.count).toBeGreaterThan(daily.at(-1)?.count ?? 0);
  expect((await viewer(Analytics_Versions, { params, query })).versions.length).toBeGreaterThan(1);
  expect((await viewer(Analytics_PlaceCounts, { params, query })).places.length).toBeGreaterThan(7);
  expect((await viewer(Analytics_Events, { params, query })).events).toHaveLength(12);
  const event = { ...params, event_name: 'Ticket bought' };
  expect((await viewer(Analytics_EventProperties, { params: event })).event_properties).toContain('payment');
});

test("today's logs were ingested", async () => {
  const params = { owner_name: 'saltmarsh', app_name: 'timetable-ios' };
  const { senders, day } = await demo.viewer(ingestion_get, { params });
  expect(senders[0]).toMatchObject({ sdk: 'appcenter.ios' });
  expect(day.logs).toBeGreaterThan(20);
});

test('one issue is a regression, one is ignored, and one lists its missing symbols', async () => {
  const params = { owner_name: 'saltmarsh', app_name: 'timetable-ios' };
  const { values } = await demo.viewer(crashIssues_list, { params, query: {} });
  expect(new Set(values.map(({ method }) => method))).toContain('departureAtIndex:');
  expect(values.some(({ state, regressed_version }) => state === 'open' && regressed_version !== undefined)).toBe(true);
  expect(values.some(({ state, annotation }) => state === 'ignored' && annotation !== '')).toBe(true);
  const { groups } = await demo.viewer(missingSymbolGroups_list, { params, query: { top: 100 } });
  expect(groups[0]?.missing_symbols[0]).toMatchObject({ name: 'Timetable', type: 'Apple', status: 'missing' });
  const [issue] = values.filter(({ regressed_version }) => regressed_version !== undefined);
  const of = { ...params, issue_id: issue?.id ?? '' };
  // A job counts today's logs, and no worker runs here.
  const report = (await demo.viewer(crashIssues_listReports, { params: of, query: {} })).values.at(-1);
  const sessionLogs = await demo.viewer(Errors_ListSessionLogs, {
    params: { ...params, errorId: report?.errorId ?? '' },
    query: {},
  });
  expect([sessionLogs.logs[0]?.type, sessionLogs.logs.at(-1)?.type]).toEqual(['start_session', 'error']);
});

test('an app has distributed releases, over-the-air updates, builds with logs, and tests on phones', async () => {
  const call = demo.developer;
  const timetable = { owner_name: 'saltmarsh', app_name: 'timetable-ios' };
  const releases = await call(releases_list, { params: timetable, query: {} });
  expect(releases).toHaveLength(10);
  expect(releases.filter(({ enabled }) => !enabled)).toHaveLength(1);
  expect(releases[0]).toMatchObject({ destinations: [{ name: 'Beta testers' }] });
  const params = { owner_name: 'saltmarsh', app_name: 'tickets-android' };
  const deployments = await call(codePushDeployments_list, { params });
  expect(deployments.map(({ name, latest_release }) => [name, latest_release?.label, latest_release?.rollout])).toEqual(
    [
      ['Production', 'v5', 50],
      ['Staging', 'v5', 100],
    ],
  );
  const metrics = await call(codePushDeploymentMetrics_get, { params: { ...params, deployment_name: 'Production' } });
  expect(metrics.find(({ label }) => label === 'v3')).toMatchObject({ failed: expect.any(Number) });
  const builds = await call(builds_listByBranch, { params: { ...params, branch: 'main' } });
  expect(builds.map(({ result }) => result)).toEqual(
    Array.from({ length: 8 }, (_, n) => (n === 4 ? 'failed' : 'succeeded')),
  );
  const { value = [] } = await call(builds_getLog, { params: { ...params, build_id: '4' } });
  expect(value.join('\n')).toContain('BUILD FAILED');
  const runs = await call(test_getTestRuns, { params });
  expect(runs).toHaveLength(7);
  expect(runs[0]).toMatchObject({ runStatus: 'finished', stats: { devices: 3 } });
});

test('two runs of the story for the same time are identical', async () => {
  const again = await openDemo([]);
  const snapshot = async ({ app, admin, viewer }: Demo) => ({
    users: await admin(adminUsers_list, { query: { limit: 200 } }),
    // Secrets and addresses of pictures are random.
    apps: (await admin(apps_list, { query: {} })).map(({ app_secret: _, icon_url: _url, ...app }) => app),
    seen: (await viewer(apps_list, { query: {} })).map(({ id }) => id),
    tokens: (await admin(userApiTokens_list))
      .filter(({ description }) => description !== 'demo')
      .map(({ last_four: _, ...token }) => token),
    events: await everyEvent(admin),
    // Telemetry and its consequences are omitted in the second run.
    audit: (await selected(app)).filter(({ action }) => !action.startsWith('crash_')),
  });
  expect(await snapshot(again)).toEqual(await snapshot(demo));
}, 300_000);
