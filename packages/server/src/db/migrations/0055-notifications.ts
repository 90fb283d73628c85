import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Of what people get mails, and what waits for the next one of a day. */
export const notifications: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('email_settings')
      .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('choices', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('app_email_settings')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('choices', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('app_email_settings_key', ['app_id', 'user_id'])
      .execute();
    await db.schema.createIndex('app_email_settings_of_user').on('app_email_settings').column('user_id').execute();
    await db.schema
      .createTable('digest_items')
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('announcement_id', 'text', (c) => c.notNull().references('announcements.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('due_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('digest_items_key', ['user_id', 'announcement_id'])
      .execute();
    await db.schema.createIndex('digest_items_due').on('digest_items').columns(['due_at', 'user_id']).execute();
    await db.schema.createIndex('digest_items_of_announcement').on('digest_items').column('announcement_id').execute();
    await db.schema.createIndex('digest_items_of_app').on('digest_items').column('app_id').execute();
    await db.schema
      .createTable('mailed')
      .addColumn('what', 'text', (c) => c.primaryKey())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('mailed_by_time').on('mailed').column('at').execute();
  },
};
