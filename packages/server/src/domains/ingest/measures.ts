import type { Measure } from '../../context.ts';
import { HOUR } from '../../kernel/clock.ts';
import { sumBytesOfApps } from './counts.store.ts';

/** Bytes that devices sent within the last hour, which has a limit; there are no figures for other months. */
export const ingestMeasures: Measure[] = [
  {
    name: 'ingested_bytes_hour',
    count: async ({ db, clock }, appIds, { from, until }) => {
      const now = clock.now();
      if (now < from || now >= until) return new Map();
      const rows = await sumBytesOfApps.all(db, { appIds: JSON.stringify(appIds), since: now - HOUR });
      return new Map(rows.map(({ app_id, sum }) => [app_id, Number(sum ?? 0)]));
    },
  },
];
