import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where the data of apps is exported to. */
export const exports: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('export_configurations')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('secret', 'text', (c) => c.notNull())
      .addColumn('entities', 'text', (c) => c.notNull())
      .addColumn('resource_name', 'text')
      .addColumn('resource_group', 'text')
      .addColumn('backfill', 'integer', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('state_info', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_run_at', 'bigint')
      .addColumn('last_error', 'text')
      .addColumn('last_error_at', 'bigint')
      .addColumn('failing_since', 'bigint')
      .addColumn('failures', 'integer', (c) => c.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('last_window', 'bigint', (c) => c.notNull())
      .addColumn('plan', 'text')
      .execute();
    await db.schema
      .createIndex('export_configurations_of_app')
      .on('export_configurations')
      .columns(['app_id', 'id'])
      .execute();
    await db.schema.createIndex('export_configurations_due').on('export_configurations').column('due_at').execute();
  },
};
