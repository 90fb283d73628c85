import {
  Analytics_DeviceCounts,
  apps_getOverview,
  apps_listGlances,
  azureSubscription_listForApp,
  azureSubscription_listForOrg,
  crashOverview_get,
  type EndpointOutput,
  HealthWebhooks_List,
  healthVersion,
  organizations_listMembers,
  Subscriptions_List,
  userApps_list,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { APPS, type AppRef, appKey } from './apps.ts';
import { call, useRead } from './client.ts';
import { eventsSince, fetchActiveEvents } from './health/health.ts';
import { orgKey } from './organizations/orgs.ts';

export type AppOverview = EndpointOutput<typeof apps_getOverview>;

const DAY = 86_400_000;
const DAYS = 28;
/** Cards load one after another, and share what the first of them read. */
const FRESH = 5_000;

/** Problems of an app, and the latest of everything that the user may see: one request for most cards. */
export const useAppOverview = (params: AppRef) =>
  useQuery({
    queryKey: [...appKey(params), 'overview'],
    queryFn: () => call(apps_getOverview, { params }),
    staleTime: FRESH,
  });

/** Daily devices, sessions and crashes of the last four weeks, up to and including today. */
export const useTelemetry = (params: AppRef, enabled: boolean) =>
  useQuery({
    queryKey: [...appKey(params), 'telemetry'],
    queryFn: async () => {
      const query = { start: new Date(Date.now() - (DAYS - 1) * DAY).toISOString() };
      const [devices, stability] = await Promise.all([
        call(Analytics_DeviceCounts, { params, query }),
        call(crashOverview_get, { params, query }),
      ]);
      return {
        devices: devices.daily.map(({ count }) => count),
        monthlyDevices: devices.monthly.at(-1)?.count ?? 0,
        sessions: stability.days.map(({ sessions }) => sessions),
        crashes: stability.days.map(({ crashes }) => crashes),
        crashFreeSessions: stability.crash_free_sessions,
      };
    },
    enabled,
    staleTime: FRESH,
  });

/** Skips linked subscriptions that the user may not read. */
async function readable(linked: { subscription_id: string }[]): Promise<string[]> {
  if (linked.length === 0) return [];
  const { value } = await call(Subscriptions_List, { query: healthVersion });
  const mine = new Set(value.map(({ subscriptionId }) => subscriptionId));
  return linked.map(({ subscription_id }) => subscription_id).filter((id) => mine.has(id));
}

/** Health events of an app's linked subscriptions since a time, and active ones, newest first. */
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
