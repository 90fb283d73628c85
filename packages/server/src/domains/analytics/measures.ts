import type { Measure } from '../../context.ts';
import { DAY } from '../../kernel/clock.ts';
import type { Answer, DayRange, Question } from '../../telemetry/index.ts';
import { askEach } from './questions.ts';

type Time = Parameters<Measure['count']>[2];

/** Days of what has been of a time; none if it is yet to come. */
function daysOf(now: number, { from, until }: Time): DayRange | undefined {
  const range = { from: Math.floor(from / DAY), to: Math.floor(Math.min(until - 1, now) / DAY) };
  return range.to >= range.from ? range : undefined;
}

/** Logs of each app are in files of its own: one query tells which, and only those are asked. */
const asked = <Q extends Question>(
  name: Measure['name'],
  toQuestion: (range: DayRange, time: Time) => Q,
  toCount: (answer: Answer<Q['ask']>) => number,
): Measure => ({
  name,
  count: async (ctx, appIds, time) => {
    const range = daysOf(ctx.clock.now(), time);
    if (!range) return new Map();
    const answers = await askEach(ctx, appIds, toQuestion(range, time));
    return new Map([...answers].map(([appId, answer]) => [appId, toCount(answer)]));
  },
});

export const analyticsMeasures: Measure[] = [
  asked(
    'devices',
    (range) => ({ ask: 'activeDevices', range, filter: {} }) as const,
    ({ monthly }) => monthly.at(-1) ?? 0,
  ),
  asked(
    'sessions',
    (range) => ({ ask: 'usage', range, filter: {}, bucketDays: range.to - range.from + 1 }) as const,
    ({ sessions }) => sessions.reduce((sum, count) => sum + count, 0),
  ),
  asked(
    'events',
    (range, { from, until }) =>
      ({
        ...{ ask: 'breakdown', range, filter: {}, times: { from, to: until }, bucketMs: until - from, limit: 1 },
        ...{ measure: 'events', event: undefined, by: [] },
      }) as const,
    ({ total }) => total,
  ),
];
