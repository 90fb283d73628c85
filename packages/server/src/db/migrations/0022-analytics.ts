import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Which files hold the telemetry of an app. Every key begins with the app, so that a sharded database can spread them. */
export const analytics: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;

    // Without a foreign key: the files must be deleted before their rows are, so those of an app that is gone are swept.
    await schema
      .createTable('analytics_parts')
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('is_sealed', 'integer', (c) => c.notNull())
      .addColumn('log_count', 'bigint', (c) => c.notNull())
      .addColumn('files', 'text', (c) => c.notNull())
      .addColumn('forgotten', 'text', (c) => c.notNull())
      .addColumn('changed_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('analytics_parts_key', ['app_id', 'id'])
      .execute();
    await schema
      .createIndex('analytics_parts_by_day')
      .on('analytics_parts')
      .columns(['app_id', 'state', 'day'])
      .execute();
    await schema
      .createIndex('analytics_parts_by_state')
      .on('analytics_parts')
      .columns(['state', 'changed_at'])
      .execute();

    const ofApp = (table: string) =>
      clustered(
        getDialect(db),
        schema
          .createTable(table)
          .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade')),
      );
    await ofApp('analytics_leases')
      .addColumn('holder', 'text', (c) => c.notNull())
      .addColumn('until', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('analytics_leases_key', ['app_id'])
      .execute();
    await ofApp('analytics_forgotten_events')
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('up_to', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('analytics_forgotten_events_key', ['app_id', 'name'])
      .execute();
  },
};
