import type { AppCtx } from '../../../context.ts';
import type { Filter } from '../../../telemetry/index.ts';
import { parseDayRange, type QueryRange, series } from '../query-range.ts';
import { queryTelemetry } from '../telemetry-queries.ts';

/** Crashes by day, counted from logs. */
export async function countCrashes(ctx: AppCtx, params: QueryRange, filter: Filter) {
  const range = parseDayRange(ctx, params);
  const { days, total } = await queryTelemetry(ctx, ctx.app.id, { kind: 'crashes', range, filter });
  const crashFree = ({ devices, activeDevices }: typeof total) =>
    activeDevices === 0 ? 100 : 100 * (1 - devices / activeDevices);
  return {
    count: total.count,
    crashes: series(
      range,
      days.map(({ count }) => count),
    ),
    crashFree: crashFree(total),
    crashFreeDaily: series(range, days.map(crashFree)).map(({ datetime, count }) => ({ datetime, percentage: count })),
  };
}
