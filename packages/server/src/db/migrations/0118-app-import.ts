import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** What an app brings along from another server: what was said of groups of crashes there, and logs of the past. */
export const whatWasElsewhere: Migration = {
  async up(db: Kysely<unknown>) {
    const awaited = db.schema
      .createTable('crash_awaited_groups')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('annotation', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('crash_awaited_groups_key', ['app_id', 'key']);
    await clustered(getDialect(db), awaited).execute();
    const history = db.schema
      .createTable('ingest_history')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('taken_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('ingest_history_key', ['app_id', 'hash']);
    await clustered(getDialect(db), history).execute();
    await db.schema
      .alterTable('ingest_batches')
      .addColumn('is_history', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
