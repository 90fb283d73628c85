import type { UsageMeasure } from '../../extensions/usage-measures.ts';
import { HOUR } from '../../kernel/clock.ts';
import { sumBytesByApp } from './counts.store.ts';

/** Bytes that devices sent within the last hour, the period of the limit. Past months have no figures. */
export const ingestMeasures: UsageMeasure[] = [
  {
    name: 'ingested_bytes_hour',
    count: async ({ db, clock }, appIds, { from, until }) => {
      const now = clock.now();
      if (now < from || now >= until) return new Map();
      const rows = await sumBytesByApp.all(db, { appIds: JSON.stringify(appIds), since: now - HOUR });
      return new Map(rows.map(({ app_id, sum }) => [app_id, Number(sum ?? 0)]));
    },
  },
];
