import type { AlertGauge } from '../../extensions/alert-gauges.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { findLastReceived } from './counts.store.ts';

export const ingestGauges: AlertGauge[] = [
  {
    name: 'minutes_without_data',
    read: async ({ db, clock }, appId) => {
      const last = await findLastReceived.first(db, { appId });
      // An app that has never sent data does not count as silent.
      return last
        ? { value: Math.max(0, Math.floor((clock.now() - last.last_received_at) / MINUTE)) }
        : { unknown: 'No device has sent data yet.' };
    },
  },
];
