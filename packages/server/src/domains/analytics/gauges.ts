import type { Gauge } from '../../context.ts';
import { DAY } from '../../kernel/clock.ts';
import { ask } from './questions.ts';

/** Of one device that crashed nothing follows for all. */
const LEAST_DEVICES = 10;

export const analyticsGauges: Gauge[] = [
  {
    name: 'crash_free_percent',
    read: async (ctx, appId) => {
      const today = Math.floor(ctx.clock.now() / DAY);
      const range = { from: today, to: today };
      const { total } = await ask(ctx, appId, { ask: 'crashes', range, filter: {} });
      if (total.activeDevices < LEAST_DEVICES)
        return { unknown: `Devices active today (UTC): ${total.activeDevices}. At least ${LEAST_DEVICES} are needed.` };
      const percent = 100 * (1 - total.devices / total.activeDevices);
      return { value: Math.round(percent * 1000) / 1000 };
    },
  },
];
