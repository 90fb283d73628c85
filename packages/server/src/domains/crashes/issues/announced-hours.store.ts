import { sql } from 'kysely';
import { statement } from '../crashes.tables.ts';

/** Increases the count and returns it. */
export const addToAnnouncedHour = statement((q, p: { appId: string; hour: number }) =>
  q
    .insertInto('crash_announced_hours')
    .values({ app_id: p.appId, hour: p.hour, count: 1 })
    .onConflict((c) =>
      c.columns(['app_id', 'hour']).doUpdateSet({ count: sql<number>`crash_announced_hours.count + 1` }),
    )
    .returning('count'),
);

export const takeAnnouncedHour = statement((q, p: { appId: string; hour: number }) =>
  q.deleteFrom('crash_announced_hours').where('app_id', '=', p.appId).where('hour', '=', p.hour).returning('count'),
);

export const deleteAnnouncedHours = statement((q, p: { before: number }) =>
  q.deleteFrom('crash_announced_hours').where('hour', '<', p.before),
);
