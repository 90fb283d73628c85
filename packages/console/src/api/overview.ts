import {
  Analytics_CrashCounts,
  Analytics_DeviceCounts,
  Analytics_SessionCounts,
  apps_listGlances,
  azureSubscription_listForApp,
  azureSubscription_listForOrg,
  HealthWebhooks_List,
  healthVersion,
  organizations_listMembers,
  Subscriptions_List,
  userApps_list,
} from '@mooring/contract';
import { APPS, type AppRef, appKey } from './apps.ts';
import { call, useRead } from './client.ts';
import { eventsSince, fetchActiveEvents } from './health/health.ts';
import { orgKey } from './organizations/orgs.ts';

const DAY = 86_400_000;
const DAYS = 28;

/** Daily devices, sessions and crashes of the last four weeks. */
export const useTelemetry = (params: AppRef, enabled: boolean) =>
  useRead(
    [...appKey(params), 'telemetry'],
    async () => {
      const query = { start: new Date(Date.now() - (DAYS - 1) * DAY).toISOString() };
      const [devices, sessions, crashes] = await Promise.all([
        call(Analytics_DeviceCounts, { params, query }),
        call(Analytics_SessionCounts, { params, query: { ...query, interval: 'P1D' } }),
        call(Analytics_CrashCounts, { params, query }),
      ]);
      const counts = (days: { count: number }[]) => days.map(({ count }) => count);
      return {
        devices: counts(devices.daily),
        monthlyDevices: devices.monthly.at(-1)?.count ?? 0,
        sessions: counts(sessions),
        crashes: counts(crashes.crashes),
      };
    },
    enabled,
  );

/** Skips linked subscriptions that the user may not read. */
async function readable(linked: { subscription_id: string }[]): Promise<string[]> {
  if (linked.length === 0) return [];
  const { value } = await call(Subscriptions_List, { query: healthVersion });
  const mine = new Set(value.map(({ subscriptionId }) => subscriptionId));
  return linked.map(({ subscription_id }) => subscription_id).filter((id) => mine.has(id));
}

/** Active health events of an app's linked subscriptions. */
export const useAppHealth = (params: AppRef, enabled: boolean) =>
  useRead(
    [...appKey(params), 'health'],
    async () => fetchActiveEvents(await readable(await call(azureSubscription_listForApp, { params }))),
    enabled,
  );

/** Health events of those subscriptions since a time, and active ones, newest first. */
export const useHealthSince = (params: AppRef, since: string) =>
  useRead([...appKey(params), 'health', since], async () =>
    eventsSince(await readable(await call(azureSubscription_listForApp, { params })), since),
  );

/** Active health events of an organization's subscriptions, and its failing webhooks. */
export const useOrgHealth = (org_name: string) =>
  useRead([...orgKey(org_name), 'health'], async () => {
    const subscriptions = await readable(await call(azureSubscription_listForOrg, { params: { org_name } }));
    const [events, webhooks] = await Promise.all([
      fetchActiveEvents(subscriptions),
      Promise.all(
        subscriptions.map(async (subscription) => {
          const params = { subscriptionId: subscription };
          const { value } = await call(HealthWebhooks_List, { params, query: healthVersion });
          return value.map((webhook) => ({ subscription, webhook }));
        }),
      ),
    ]);
    return {
      events,
      failing: webhooks.flat().filter(({ webhook }) => webhook.failingSince ?? webhook.disabledReason),
    };
  });

/** Recently updated apps of an organization, with the total number. */
export const useLatestApps = (owner: string) =>
  useRead([...APPS, 'latest', owner], () =>
    call(userApps_list, { query: { owner, sort: 'updated_at', order: 'desc', limit: 6 } }),
  );

/** The same apps with their summaries. */
export const useAppSummaries = (org_name: string) =>
  useRead(
    [...orgKey(org_name), 'glances'],
    async () => (await call(apps_listGlances, { params: { org_name } })).values,
  );

export const useMemberCount = (org_name: string) =>
  useRead([...orgKey(org_name), 'members', 'count'], async () => {
    const { total } = await call(organizations_listMembers, { params: { org_name }, query: { limit: 1 } });
    return total;
  });
