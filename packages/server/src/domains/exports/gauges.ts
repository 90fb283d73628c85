import type { AlertGauge } from '../../extensions/alert-gauges.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { findReading } from '../ingest/index.ts';
import { listConfigurationRows } from './configurations.store.ts';
import { createBatchReader } from './configurations.ts';

export const exportGauges: AlertGauge[] = [
  {
    name: 'export_lag_minutes',
    read: async (ctx, appId) => {
      const rows = await listConfigurationRows.all(ctx.db, { appId });
      const running = rows.filter(({ state }) => state === 'Pending' || state === 'Enabled');
      let lag: { value: number; subject?: string } | undefined;
      for (const { id, type } of running) {
        const since = (await findReading(ctx, createBatchReader(id), appId))?.waitingSince;
        const value = since === undefined ? 0 : Math.max(0, Math.floor((ctx.clock.now() - since) / MINUTE));
        if (!lag || value > lag.value) lag = { value, subject: type };
      }
      return lag ?? { unknown: 'This app has no enabled export.' };
    },
  },
];
