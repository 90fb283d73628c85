import type { AlertGauge } from '../../../extensions/alert-gauges.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { findBusiestGroup } from './statistics.store.ts';

export const crashGauges: AlertGauge[] = [
  {
    name: 'group_crashes_per_hour',
    read: async ({ db, clock }, appId) => {
      const busiest = await findBusiestGroup.first(db, { appId, since: clock.now() - HOUR });
      if (!busiest) return { value: 0 };
      const { count, exception_type, message, version } = busiest;
      return {
        value: Number(count),
        subject: `${exception_type} ${message} in ${version}`.slice(0, 500).toWellFormed(),
      };
    },
  },
];
