import {
  Analytics_CrashGroupCounts,
  Analytics_CrashGroupModelCounts,
  Analytics_CrashGroupOperatingSystemCounts,
  Analytics_CrashGroupsTotals,
  Analytics_CrashGroupTotals,
} from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import type { Facet } from './crashes.tables.ts';
import { findGroupsById, type Group, getGroup } from './issues/groups.ts';
import { parseDayRange } from './range.ts';
import { countBy, countReportsByDay } from './statistics/statistics.ts';

const getTotals = (group: Group | undefined, version: string | undefined) => {
  const isCounted = group !== undefined && (version === undefined || version === '' || group.version === version);
  return { crash_count: isCounted ? group.count : 0, device_count: isCounted ? group.device_count : 0 };
};

async function countFacet(ctx: AppCtx, id: string, version: string, facet: Facet, top = 30) {
  const group = await getGroup(ctx, id);
  const { crash_count } = getTotals(group, version);
  return { crash_count, values: crash_count === 0 ? [] : await countBy(ctx, [group.id], facet, top) };
}

export const crashAnalyticsRoutes = [
  route(Analytics_CrashGroupsTotals, async (ctx, { body }) => {
    const found = await findGroupsById(
      ctx,
      body.crash_groups.map(({ crash_group_id }) => crash_group_id),
    );
    return body.crash_groups.map(({ crash_group_id, app_version }) => {
      const group = found.get(crash_group_id);
      return {
        crash_group_id,
        app_version: app_version ?? group?.version ?? '',
        overall: getTotals(group, app_version),
      };
    });
  }),
  route(Analytics_CrashGroupCounts, async (ctx, { params, query }) => {
    const group = await getGroup(ctx, params.crash_group_id);
    const { count, days } = await countReportsByDay(ctx, parseDayRange(ctx, query), {
      groupIds: [group.id],
      versions: query.version === '' ? undefined : [query.version],
    });
    return { count, crashes: days };
  }),
  route(Analytics_CrashGroupModelCounts, async (ctx, { params, query }) => {
    const { crash_count, values } = await countFacet(ctx, params.crash_group_id, query.version, 'model', query.$top);
    return { crash_count, models: values.map(({ value, count }) => ({ model_name: value, crash_count: count })) };
  }),
  route(Analytics_CrashGroupOperatingSystemCounts, async (ctx, { params, query }) => {
    const { crash_count, values } = await countFacet(ctx, params.crash_group_id, query.version, 'os', query.$top);
    return {
      crash_count,
      operating_systems: values.map(({ value, count }) => ({ operating_system_name: value, crash_count: count })),
    };
  }),
  route(Analytics_CrashGroupTotals, async (ctx, { params, query }) =>
    getTotals(await getGroup(ctx, params.crash_group_id), query.version),
  ),
];
