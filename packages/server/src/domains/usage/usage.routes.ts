import {
  adminQuotas_get,
  adminQuotas_set,
  billingAggregatedInformation_getAll,
  billingAggregatedInformation_getByApp,
  billingAggregatedInformation_getForOrg,
  type InputOf,
  Users_getUserMetadata,
} from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { getQuotas, setQuotas } from './quotas.ts';
import { type Usage, usageOfAll, usageOfApp, usageOfOrg } from './usage.ts';

type Query = InputOf<typeof billingAggregatedInformation_getAll>['query'];

/** Builds and tests are counted in minutes once there are any. */
function toWire({ clock }: Ctx, { accountId, month, all, apps }: Usage, { service }: Query) {
  const period = { startTime: toIso(month.from), endTime: toIso(month.until) };
  const none = { currentUsagePeriod: { ...period, byAccount: {}, byApp: {} } };
  const counted = { currentUsagePeriod: { ...period, byAccount: all, byApp: apps } };
  return {
    version: '1',
    timestamp: toIso(clock.now()),
    id: accountId,
    usage: {
      ...(service === 'Test' ? {} : { buildService: none }),
      ...(service === 'Build' ? {} : { testService: none }),
      ...(service === undefined ? { allServices: counted } : {}),
    },
    azureSubscriptionState: 'NotSet' as const,
  };
}

export const usageRoutes = [
  route(billingAggregatedInformation_getByApp, async (ctx, { query }) =>
    toWire(ctx, await usageOfApp(ctx, query.period), query),
  ),
  route(billingAggregatedInformation_getForOrg, async (ctx, { query }) =>
    toWire(ctx, await usageOfOrg(ctx, query.period), query),
  ),
  route(billingAggregatedInformation_getAll, async (ctx, { query }) => ({
    aggregatedBillings: toWire(ctx, await usageOfAll(ctx, query.period), query),
  })),
  route(Users_getUserMetadata, async () => ({})),
  route(adminQuotas_get, (ctx, { params }) => getQuotas(ctx, params.name)),
  route(adminQuotas_set, (ctx, { params, body }) => setQuotas(ctx, params.name, body)),
];
