import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Items in envelopes of Sentry SDKs, counted by hour and outcome. */
export const sentryItems: Migration = {
  async up(db: Kysely<unknown>) {
    await clustered(getDialect(db), db.schema.createTable('ingest_items'))
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('hour', 'bigint', (c) => c.notNull())
      .addColumn('item', 'text', (c) => c.notNull())
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('count', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('ingest_items_key', ['app_id', 'hour', 'item', 'outcome', 'reason'])
      .execute();
    await db.schema.createIndex('ingest_items_by_hour').on('ingest_items').column('hour').execute();
  },
};
