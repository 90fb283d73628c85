import {
  adminQuotas_get,
  adminQuotas_list,
  adminQuotas_set,
  billingAggregatedInformation_getAll,
  billingAggregatedInformation_getByApp,
  billingAggregatedInformation_getForOrg,
  type EndpointInput,
  Users_getUserMetadata,
} from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { pageToWire } from '../../http/responses/pages.ts';
import { toIso } from '../../kernel/clock.ts';
import { getQuotas, listQuotas, setQuotas } from './quotas.ts';
import { type Figures, getAppUsage, getOrgUsage, getUserUsage, type Usage } from './usage.ts';

type Query = EndpointInput<typeof billingAggregatedInformation_getAll>['query'];

function toWire({ clock }: Ctx, { accountId, month, all, apps }: Usage, { service }: Query) {
  const period = { startTime: toIso(month.from), endTime: toIso(month.until) };
  const only = (measure: 'build_minutes' | 'test_minutes') => {
    const pick = (figures: Figures) => ({ [measure]: figures[measure] ?? 0 });
    const byApp = Object.fromEntries(Object.entries(apps).map(([name, figures]) => [name, pick(figures)]));
    return { currentUsagePeriod: { ...period, byAccount: pick(all), byApp } };
  };
  const counted = { currentUsagePeriod: { ...period, byAccount: all, byApp: apps } };
  return {
    version: '1',
    timestamp: toIso(clock.now()),
    id: accountId,
    usage: {
      ...(service === 'Test' ? {} : { buildService: only('build_minutes') }),
      ...(service === 'Build' ? {} : { testService: only('test_minutes') }),
      ...(service === undefined ? { allServices: counted } : {}),
    },
    azureSubscriptionState: 'NotSet' as const,
  };
}

export const usageRoutes = [
  route(billingAggregatedInformation_getByApp, async (ctx, { query }) =>
    toWire(ctx, await getAppUsage(ctx, query.period), query),
  ),
  route(billingAggregatedInformation_getForOrg, async (ctx, { query }) =>
    toWire(ctx, await getOrgUsage(ctx, query.period), query),
  ),
  route(billingAggregatedInformation_getAll, async (ctx, { query }) => ({
    aggregatedBillings: toWire(ctx, await getUserUsage(ctx, query.period), query),
  })),
  route(Users_getUserMetadata, async () => ({})),
  route(adminQuotas_list, async (ctx, { query }) => pageToWire(await listQuotas(ctx, query), (one) => one)),
  route(adminQuotas_get, (ctx, { params }) => getQuotas(ctx, params.name)),
  route(adminQuotas_set, (ctx, { params, body }) => setQuotas(ctx, params.name, body)),
];
