import type { UsageMeasure } from '../../extensions/usage-measures.ts';
import { DAY } from '../../kernel/clock.ts';
import type { DayRange, QueryResult, TelemetryQuery } from '../../telemetry/index.ts';
import { queryEachApp } from './telemetry-queries.ts';

type Time = Parameters<UsageMeasure['count']>[2];

/** The past days of a period; undefined if it is in the future. */
function toDayRange(now: number, { from, until }: Time): DayRange | undefined {
  const range = { from: Math.floor(from / DAY), to: Math.floor(Math.min(until - 1, now) / DAY) };
  return range.to >= range.from ? range : undefined;
}

/** Creates a measure over all apps. Files belong to one app each, so only apps with files are queried. */
const createMeasure = <Q extends TelemetryQuery>(
  name: UsageMeasure['name'],
  toQuery: (range: DayRange, time: Time) => Q,
  toCount: (result: QueryResult<Q['kind']>) => number,
): UsageMeasure => ({
  name,
  count: async (ctx, appIds, time) => {
    const range = toDayRange(ctx.clock.now(), time);
    if (!range) return new Map();
    const results = await queryEachApp(ctx, appIds, toQuery(range, time));
    return new Map([...results].map(([appId, result]) => [appId, toCount(result)]));
  },
});

export const analyticsMeasures: UsageMeasure[] = [
  createMeasure(
    'devices',
    (range) => ({ kind: 'activeDevices', range, filter: {} }) as const,
    ({ monthly }) => monthly.at(-1) ?? 0,
  ),
  createMeasure(
    'sessions',
    (range) => ({ kind: 'usage', range, filter: {}, bucketDays: range.to - range.from + 1 }) as const,
    ({ sessions }) => sessions.reduce((sum, count) => sum + count, 0),
  ),
  createMeasure(
    'events',
    (range, { from, until }) =>
      ({
        ...{ kind: 'breakdown', range, filter: {}, times: { from, to: until }, bucketMs: until - from, limit: 1 },
        ...{ measure: 'events', event: undefined, by: [] },
      }) as const,
    ({ total }) => total,
  ),
];
