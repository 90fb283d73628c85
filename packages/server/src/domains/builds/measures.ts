import type { Measure } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { sumBuildTimes } from './builds.store.ts';

export const buildMeasures: Measure[] = [
  {
    name: 'build_minutes',
    count: async ({ db, clock }, appId, { from, until }) => {
      const sum = await sumBuildTimes.first(db, { appId, from, until, now: clock.now() });
      return Math.ceil(Number(sum?.ms ?? 0) / MINUTE);
    },
  },
];
