import { sql } from 'kysely';
import { insertInto, statement } from './rate-counts.tables.ts';

/** Adds to a key's count, which restarts with each window. Returns the new count. */
export const addToCount = insertInto('rate_counts', (insert) =>
  insert
    .onConflict((c) =>
      c.column('key').doUpdateSet({
        used: sql<number>`case when rate_counts."window" = excluded."window" then rate_counts.used + excluded.used else excluded.used end`,
        window: sql<number>`excluded."window"`,
      }),
    )
    .returning('used'),
);

export const deleteOldCounts = statement((q, p: { before: number }) =>
  q.deleteFrom('rate_counts').where('window', '<', p.before),
);
