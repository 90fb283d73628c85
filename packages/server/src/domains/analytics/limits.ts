import type { analyticsLimits } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../context.ts';
import { toDay } from '../../telemetry/index.ts';
import { retentionDays } from './deletion/retention.ts';
import { addCuts, deleteCuts, listCuts } from './limits.store.ts';

type LimitName = (typeof analyticsLimits)[number];

/** Days for which cut data is reported. */
const VISIBLE_DAYS = 28;

const limitByKind = {
  nameLength: 'event_name_length',
  properties: 'properties_per_event',
  propertyLength: 'property_length',
  others: 'event_names_per_day',
} as const satisfies Record<string, LimitName>;

/** Call in the transaction that publishes segments: counts the data that exceeded limits. */
export async function countCuts(ctx: Ctx, appId: string, cuts: Readonly<Record<keyof typeof limitByKind, number>>) {
  const day = toDay(ctx.clock.now());
  for (const [cut, name] of Object.entries(limitByKind)) {
    const count = cuts[cut as keyof typeof limitByKind];
    if (count > 0) await addCuts.run(ctx.db, { appId, day, name, count });
  }
}

export const deleteOldCuts = (ctx: Ctx): Promise<unknown> =>
  deleteCuts.run(ctx.db, { before: toDay(ctx.clock.now()) - VISIBLE_DAYS + 1 });

/** Limits, their settings, and how often they were exceeded. */
export async function listLimits(ctx: AppCtx) {
  const { config } = ctx;
  const since = toDay(ctx.clock.now()) - VISIBLE_DAYS + 1;
  const cuts = await listCuts.all(ctx.db, { appId: ctx.app.id, since });
  const limit = (name: LimitName, value: number, setting: string) => ({ name, value, setting });
  const passed = (name: (typeof limitByKind)[keyof typeof limitByKind], value: number, setting: string) => ({
    ...limit(name, value, setting),
    exceeded_count: Number(cuts.find((row) => row.limit_name === name)?.count ?? 0),
  });
  return [
    limit('retention_days', await retentionDays(ctx, ctx.app.id), 'MOORING_ANALYTICS_RETENTION_DAYS'),
    passed('event_name_length', config.analyticsNameLength, 'MOORING_ANALYTICS_NAME_LENGTH'),
    passed('event_names_per_day', config.analyticsEventNames, 'MOORING_ANALYTICS_EVENT_NAMES'),
    passed('properties_per_event', config.analyticsProperties, 'MOORING_ANALYTICS_PROPERTIES'),
    passed('property_length', config.analyticsPropertyLength, 'MOORING_ANALYTICS_PROPERTY_LENGTH'),
    limit('audiences', config.analyticsAudiences, 'MOORING_ANALYTICS_AUDIENCES'),
    limit('charts', config.analyticsCharts, 'MOORING_ANALYTICS_CHARTS'),
  ];
}
