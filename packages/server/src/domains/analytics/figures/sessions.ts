import type { AppCtx } from '../../../context.ts';
import { type DayRange, getPreviousRange } from '../../../telemetry/index.ts';
import {
  filterFrom,
  intervalDays,
  isoDuration,
  parseDayRange,
  type QueryRange,
  ratio,
  series,
} from '../query-range.ts';
import { queryTelemetry } from '../telemetry-queries.ts';

type Interval = keyof typeof intervalDays;

export async function countSessions(ctx: AppCtx, params: QueryRange, interval: Interval) {
  const range = parseDayRange(ctx, params);
  const bucketDays = intervalDays[interval];
  const filter = filterFrom(params);
  const { sessions } = await queryTelemetry(ctx, ctx.app.id, { kind: 'usage', range, filter, bucketDays });
  return series(range, sessions, bucketDays);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Sessions per active device, by bucket; the average is over days. */
export async function countSessionsPerDevice(ctx: AppCtx, params: QueryRange, interval: Interval) {
  const range = parseDayRange(ctx, params);
  const filter = filterFrom(params);
  const bucketDays = intervalDays[interval];
  const daily = async (range: DayRange) => {
    const usage = await queryTelemetry(ctx, ctx.app.id, { kind: 'usage', range, filter, bucketDays: 1 });
    const ratios = usage.sessions.map((count, at) => ratio(count, usage.devices[at] ?? 0));
    return { average: sum(ratios) / ratios.length, total: sum(usage.sessions) };
  };
  const [now, previous, usage] = await Promise.all([
    daily(range),
    daily(getPreviousRange(range)),
    queryTelemetry(ctx, ctx.app.id, { kind: 'usage', range, filter, bucketDays }),
  ]);
  const ratios = usage.sessions.map((count, at) => ratio(count, usage.devices[at] ?? 0));
  return { now, previous, buckets: series(range, ratios, bucketDays) };
}

/** Labels of the duration bands of the query engine. */
const bands = ['0-10s', '10-30s', '30s-1min', '1-30min', '30min-1h', '>1h'];

export async function measureSessions(ctx: AppCtx, params: QueryRange) {
  const range = parseDayRange(ctx, params);
  const durations = (range: DayRange) =>
    queryTelemetry(ctx, ctx.app.id, { kind: 'sessionDurations', range, filter: filterFrom(params) });
  const [now, previous] = await Promise.all([durations(range), durations(getPreviousRange(range))]);
  return {
    distribution: bands.map((bucket, at) => ({ bucket, count: now.bands[at] ?? 0 })),
    average: isoDuration(ratio(now.totalMs, now.sessions)),
    previousAverage: isoDuration(ratio(previous.totalMs, previous.sessions)),
  };
}
