import type { AppCtx } from '../../../context.ts';
import type { Filter } from '../../../telemetry/index.ts';
import { type Asked, rangeOf, series } from '../asked.ts';
import { ask } from '../questions.ts';

/** Crashes by day, as the logs tell of them. */
export async function countCrashes(ctx: AppCtx, asked: Asked, filter: Filter) {
  const range = rangeOf(ctx, asked);
  const { days, total } = await ask(ctx, ctx.app.id, { ask: 'crashes', range, filter });
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
