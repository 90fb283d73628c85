import type { MeasureName } from '@mooring/contract';
import type { Db } from '../../db/open.ts';
import type { UsageMeasure } from '../../extensions/usage-measures.ts';

/** A statement with a sum for each app; the app IDs are a JSON array. */
interface Sums {
  all(
    db: Db,
    params: { appIds: string; from: number; until: number; now: number },
  ): Promise<{ app_id: string; sum: number | string | null }[]>;
}

/** A measure of one statement for all requested apps; each started `unit` counts. */
export const summed = (name: MeasureName, sums: Sums, unit = 1): UsageMeasure => ({
  name,
  count: async ({ db, clock }, appIds, { from, until }) => {
    const rows = await sums.all(db, { appIds: JSON.stringify(appIds), from, until, now: clock.now() });
    return new Map(rows.map(({ app_id, sum }) => [app_id, Math.ceil(Number(sum ?? 0) / unit)]));
  },
});
