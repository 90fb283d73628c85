import type { Measure } from '../../context.ts';
import { DAY } from '../../kernel/clock.ts';
import { ask } from './questions.ts';

/** Days of what has been of a time; none if it is yet to come. */
const daysOf = (now: number, { from, until }: { from: number; until: number }) => {
  const range = { from: Math.floor(from / DAY), to: Math.floor(Math.min(until - 1, now) / DAY) };
  return range.to >= range.from ? range : undefined;
};

export const analyticsMeasures: Measure[] = [
  {
    name: 'devices',
    count: async (ctx, appId, time) => {
      const range = daysOf(ctx.clock.now(), time);
      return range ? ((await ask(ctx, appId, { ask: 'activeDevices', range, filter: {} })).monthly.at(-1) ?? 0) : 0;
    },
  },
  {
    name: 'sessions',
    count: async (ctx, appId, time) => {
      const range = daysOf(ctx.clock.now(), time);
      if (!range) return 0;
      const { sessions } = await ask(ctx, appId, {
        ask: 'usage',
        range,
        filter: {},
        bucketDays: range.to - range.from + 1,
      });
      return sessions.reduce((sum, count) => sum + count, 0);
    },
  },
  {
    name: 'events',
    count: async (ctx, appId, { from, until }) => {
      const range = daysOf(ctx.clock.now(), { from, until });
      if (!range) return 0;
      const asked = { range, filter: {}, times: { from, to: until }, bucketMs: until - from, limit: 1 };
      return (await ask(ctx, appId, { ask: 'breakdown', ...asked, measure: 'events', event: undefined, by: [] })).total;
    },
  },
];
