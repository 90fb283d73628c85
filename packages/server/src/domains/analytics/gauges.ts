import type { AlertGauge } from '../../extensions/alert-gauges.ts';
import { DAY } from '../../kernel/clock.ts';
import { queryTelemetry } from './telemetry-queries.ts';

/** With fewer devices, a single crash would change the percentage too much. */
const MIN_DEVICES = 10;

export const analyticsGauges: AlertGauge[] = [
  {
    name: 'crash_free_percent',
    read: async (ctx, appId) => {
      const today = Math.floor(ctx.clock.now() / DAY);
      const range = { from: today, to: today };
      const { total } = await queryTelemetry(ctx, appId, { kind: 'crashes', range, filter: {} });
      if (total.activeDevices < MIN_DEVICES)
        return {
          unknown: `Too few devices are active today (UTC): ${total.activeDevices}. This rule requires at least ${MIN_DEVICES}.`,
        };
      const percent = 100 * (1 - total.devices / total.activeDevices);
      return { value: Math.round(percent * 1000) / 1000 };
    },
  },
];
