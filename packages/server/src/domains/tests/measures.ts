import type { Measure } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { sumDeviceTimes } from './test-runs.store.ts';

export const testMeasures: Measure[] = [
  {
    name: 'test_minutes',
    count: async ({ db, clock }, appId, { from, until }) => {
      const sum = await sumDeviceTimes.first(db, { appId, from, until, now: clock.now() });
      return Math.ceil(Number(sum?.ms ?? 0) / MINUTE);
    },
  },
];
