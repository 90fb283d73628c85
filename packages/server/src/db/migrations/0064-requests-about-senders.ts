import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What was asked for about users of apps. Without a reference to the app: files of a request outlive it until they are swept. */
export const requestsAboutSenders: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('sender_requests')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('sender_kind', 'text', (c) => c.notNull())
      .addColumn('sender_value', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('message', 'text', (c) => c.notNull())
      .addColumn('record_count', 'bigint', (c) => c.notNull())
      .addColumn('left_count', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('due_at', 'bigint', (c) => c.notNull())
      .addColumn('ended_at', 'bigint')
      .execute();
    await db.schema.createIndex('sender_requests_of_app').on('sender_requests').columns(['app_id', 'id']).execute();
    await db.schema.createIndex('sender_requests_by_end').on('sender_requests').columns(['ended_at', 'id']).execute();
  },
};
