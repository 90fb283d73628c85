import { Analytics_CrashFreeDevicePercentages } from '@mooring/contract';
import type { AppSummary } from '../../extensions/app-summaries.ts';
import { DAY } from '../../kernel/clock.ts';
import { queryEachApp } from './telemetry-queries.ts';

const DAYS = 28;

/** Active and crash-free devices of the last four weeks. */
export const telemetrySummary: AppSummary = {
  needs: Analytics_CrashFreeDevicePercentages,
  isSlow: true,
  async read(ctx, appIds) {
    const to = Math.floor(ctx.clock.now() / DAY);
    const range = { from: to - DAYS + 1, to };
    const byApp = await queryEachApp(ctx, appIds, { kind: 'crashes', range, filter: {} });
    return new Map(
      [...byApp].map(
        ([
          appId,
          {
            total: { devices, activeDevices },
          },
        ]) => {
          const crashFree = 100 * (1 - Math.min(devices, activeDevices) / Math.max(1, activeDevices));
          const percentage = activeDevices > 0 ? { crash_free_devices: Math.round(crashFree * 100) / 100 } : {};
          return [appId, { active_devices: activeDevices, ...percentage }];
        },
      ),
    );
  },
};
