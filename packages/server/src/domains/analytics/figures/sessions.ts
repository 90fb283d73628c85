import type { AppCtx } from '../../../context.ts';
import { type DayRange, previousOf } from '../../../telemetry/index.ts';
import { type Asked, filterFrom, intervalDays, isoDuration, rangeOf, ratio, series } from '../asked.ts';
import { ask } from '../questions.ts';

type Interval = keyof typeof intervalDays;

export async function countSessions(ctx: AppCtx, asked: Asked, interval: Interval) {
  const range = rangeOf(ctx, asked);
  const bucketDays = intervalDays[interval];
  const filter = filterFrom(asked);
  const { sessions } = await ask(ctx, ctx.app.id, { ask: 'usage', range, filter, bucketDays });
  return series(range, sessions, bucketDays);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Sessions for each active device, by bucket; the average is that of the days. */
export async function countSessionsPerDevice(ctx: AppCtx, asked: Asked, interval: Interval) {
  const range = rangeOf(ctx, asked);
  const filter = filterFrom(asked);
  const bucketDays = intervalDays[interval];
  const daily = async (range: DayRange) => {
    const usage = await ask(ctx, ctx.app.id, { ask: 'usage', range, filter, bucketDays: 1 });
    const ratios = usage.sessions.map((count, at) => ratio(count, usage.devices[at] ?? 0));
    return { average: sum(ratios) / ratios.length, total: sum(usage.sessions) };
  };
  const [now, previous, usage] = await Promise.all([
    daily(range),
    daily(previousOf(range)),
    ask(ctx, ctx.app.id, { ask: 'usage', range, filter, bucketDays }),
  ]);
  const ratios = usage.sessions.map((count, at) => ratio(count, usage.devices[at] ?? 0));
  return { now, previous, buckets: series(range, ratios, bucketDays) };
}

/** As people read them; the engine has the same bands. */
const bands = ['0-10s', '10-30s', '30s-1min', '1-30min', '30min-1h', '>1h'];

export async function measureSessions(ctx: AppCtx, asked: Asked) {
  const range = rangeOf(ctx, asked);
  const durations = (range: DayRange) =>
    ask(ctx, ctx.app.id, { ask: 'sessionDurations', range, filter: filterFrom(asked) });
  const [now, previous] = await Promise.all([durations(range), durations(previousOf(range))]);
  return {
    distribution: bands.map((bucket, at) => ({ bucket, count: now.bands[at] ?? 0 })),
    average: isoDuration(ratio(now.totalMs, now.sessions)),
    previousAverage: isoDuration(ratio(previous.totalMs, previous.sessions)),
  };
}
