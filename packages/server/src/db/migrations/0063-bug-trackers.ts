import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where tickets of problems are made, and which there are. */
export const bugTrackers: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('bug_trackers')
      .addColumn('app_id', 'text', (c) => c.primaryKey().references('apps.id').onDelete('cascade'))
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('base_url', 'text', (c) => c.notNull())
      .addColumn('project', 'text', (c) => c.notNull())
      .addColumn('user_name', 'text')
      .addColumn('token', 'text', (c) => c.notNull())
      .addColumn('label', 'text')
      .addColumn('item_type', 'text')
      .addColumn('is_automatic', 'integer', (c) => c.notNull())
      .addColumn('follows_state', 'integer', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('trouble', 'text')
      .addColumn('found', 'text', (c) => c.notNull())
      .addColumn('checked_at', 'bigint')
      .addColumn('connected_by', 'text', (c) => c.references('users.id').onDelete('set null'))
      .execute();
    await db.schema.createIndex('bug_trackers_by_person').on('bug_trackers').columns(['connected_by']).execute();
    await db.schema
      .createTable('tickets')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull().references('bug_trackers.app_id').onDelete('cascade'))
      .addColumn('issue_id', 'text', (c) => c.notNull())
      .addColumn('group_id', 'text', (c) => c.notNull())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('remote_id', 'text')
      .addColumn('url', 'text')
      .addColumn('trouble', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('tried_at', 'bigint')
      .addColumn('held_until', 'bigint', (c) => c.notNull())
      .addColumn('checked_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('tickets_of_issue').on('tickets').columns(['app_id', 'issue_id']).unique().execute();
    await db.schema.createIndex('tickets_of_group').on('tickets').columns(['app_id', 'group_id']).execute();
    await db.schema
      .createIndex('tickets_by_check')
      .on('tickets')
      .columns(['app_id', 'state', 'checked_at', 'id'])
      .execute();
  },
};
