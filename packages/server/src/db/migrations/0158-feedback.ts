import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/**
 * Feedback of an app, with pictures and replies. Without a foreign key to the app, because its pictures are deleted before
 * its rows.
 */
export const feedback: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .createTable('feedback')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('sent_id', 'text', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('name', 'text')
      .addColumn('email', 'text')
      .addColumn('sender_id', 'text')
      .addColumn('assignee_id', 'text')
      .addColumn('install_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('session_id', 'text')
      .addColumn('event_id', 'text')
      .addColumn('release_id', 'integer')
      .addColumn('version', 'text', (c) => c.notNull())
      .addColumn('build', 'text', (c) => c.notNull())
      .addColumn('model', 'text', (c) => c.notNull())
      .addColumn('os', 'text', (c) => c.notNull())
      .addColumn('locale', 'text', (c) => c.notNull())
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('feedback_by_sent_id', ['app_id', 'sent_id'])
      .execute();
    await schema.createIndex('feedback_by_time').on('feedback').columns(['app_id', 'received_at', 'id']).execute();
    await schema
      .createIndex('feedback_by_state')
      .on('feedback')
      .columns(['app_id', 'state', 'received_at', 'id'])
      .execute();
    await schema.createIndex('feedback_by_install').on('feedback').columns(['app_id', 'install_id']).execute();
    await schema.createIndex('feedback_by_user').on('feedback').columns(['app_id', 'user_id']).execute();
    await schema.createIndex('feedback_by_sender').on('feedback').column('sender_id').execute();
    await schema.createIndex('feedback_by_assignee').on('feedback').column('assignee_id').execute();

    await schema
      .createTable('feedback_pictures')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('feedback_id', 'text', (c) => c.notNull().references('feedback.id').onDelete('cascade'))
      .addColumn('sent_id', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('note', 'text', (c) => c.notNull())
      .addColumn('blob_key', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('width', 'integer', (c) => c.notNull())
      .addColumn('height', 'integer', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('feedback_pictures_by_sent_id', ['feedback_id', 'sent_id'])
      .execute();
    await schema.createIndex('feedback_pictures_by_app').on('feedback_pictures').column('app_id').execute();

    await schema
      .createTable('feedback_replies')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('feedback_id', 'text', (c) => c.notNull().references('feedback.id').onDelete('cascade'))
      .addColumn('author_id', 'text')
      .addColumn('to', 'text', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('sent_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('feedback_replies_by_feedback').on('feedback_replies').column('feedback_id').execute();
    await schema.createIndex('feedback_replies_by_author').on('feedback_replies').column('author_id').execute();

    await clustered(getDialect(db), schema.createTable('feedback_counts'))
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('hour', 'bigint', (c) => c.notNull())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('feedback_counts_key', ['subject', 'hour'])
      .execute();
    await schema.createIndex('feedback_counts_by_hour').on('feedback_counts').column('hour').execute();
  },
};
