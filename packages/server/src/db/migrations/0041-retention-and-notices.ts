import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Which releases stay, what testers are yet to be told of, and who wants no such mails. */
export const retentionAndNotices: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    const { schema } = db;
    // Of an app, or of whoever owns it; ids of both never meet.
    await schema
      .createTable('release_retention')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('keep_last', 'integer')
      .addColumn('keep_days', 'integer')
      .addColumn('keep_latest', 'integer', (c) => c.notNull())
      .execute();
    await clustered(dialect, schema.createTable('release_notices'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('release_id', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('release_notices_key', ['user_id', 'app_id', 'release_id'])
      .addForeignKeyConstraint('release_notices_release', ['app_id', 'release_id'], 'releases', ['app_id', 'id'], (c) =>
        c.onDelete('cascade'),
      )
      .execute();
    await schema
      .createTable('release_mail_refusals')
      .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('refused_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.alterTable('mails').addColumn('unsubscribe_url', 'text').execute();
  },
};
