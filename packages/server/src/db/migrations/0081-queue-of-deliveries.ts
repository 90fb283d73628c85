import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Deliveries are taken from their own table, many at a time, and not by a job for each. */
export const queueOfDeliveries: Migration = {
  async up(db: Kysely<unknown>) {
    // A server of before this one, that still runs beside it, knows no such column: what it adds is due at once.
    await db.schema
      .alterTable('deliveries')
      .addColumn('due_at', 'bigint', (c) => c.defaultTo(0))
      .execute();
    await db.schema.alterTable('deliveries').addColumn('lease', 'text').execute();
    await sql`update deliveries set due_at = null where state <> 'Waiting'`.execute(db);
    await sql`delete from jobs where name = 'webhook.deliver'`.execute(db);
    await db.schema
      .createIndex('deliveries_waiting')
      .on('deliveries')
      .columns(['endpoint_id', 'due_at', 'id'])
      .where(sql.ref('due_at'), 'is not', null)
      .execute();
  },
};
