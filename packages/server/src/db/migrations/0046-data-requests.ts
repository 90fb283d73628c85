import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const dataRequests: Migration = {
  async up(db: Kysely<unknown>) {
    // The receipt of a deletion outlives the account.
    await db.schema
      .createTable('data_requests')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('set null'))
      .addColumn('email_proof', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('message', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('due_at', 'bigint', (c) => c.notNull())
      .addColumn('ended_at', 'bigint')
      .execute();
    await db.schema.createIndex('data_requests_by_user').on('data_requests').columns(['user_id']).execute();
    await db.schema.createIndex('data_requests_by_time').on('data_requests').columns(['due_at']).execute();
    // For whoever asks what they did, and what was done to them.
    await db.schema.createIndex('audit_events_by_actor_id').on('audit_events').columns(['actor_user_id']).execute();
    await db.schema.createIndex('audit_events_by_subject_id').on('audit_events').columns(['subject_id']).execute();
  },
};
