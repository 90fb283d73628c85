import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The first device that sent data to each app. Test logs of the console and the command line do not count. */
export const firstDevices: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('ingest_first_devices')
      .addColumn('app_id', 'text', (c) => c.primaryKey().references('apps.id').onDelete('cascade'))
      .addColumn('model', 'text', (c) => c.notNull())
      .addColumn('os', 'text', (c) => c.notNull())
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .execute();
    await sql`insert into ingest_first_devices (app_id, model, os, received_at)
      select app_id, '', '', min(last_at) from ingest_senders where sdk not like 'mooring.%' group by app_id`.execute(
      db,
    );
  },
};
