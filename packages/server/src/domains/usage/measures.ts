import type { MeasureName } from '@mooring/contract';
import type { Measure } from '../../context.ts';
import type { Db } from '../../db/open.ts';

/** A statement that sums something for each of some apps, whose ids are a JSON array. */
interface Sums {
  all(
    db: Db,
    asked: { appIds: string; from: number; until: number; now: number },
  ): Promise<{ app_id: string; sum: number | string | null }[]>;
}

/** What one statement tells of all apps that are asked for; each begun `unit` counts. */
export const summed = (name: MeasureName, sums: Sums, unit = 1): Measure => ({
  name,
  count: async ({ db, clock }, appIds, { from, until }) => {
    const rows = await sums.all(db, { appIds: JSON.stringify(appIds), from, until, now: clock.now() });
    return new Map(rows.map(({ app_id, sum }) => [app_id, Math.ceil(Number(sum ?? 0) / unit)]));
  },
});
