import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const passwordResets: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('password_resets')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('password_resets_by_user').on('password_resets').column('user_id').execute();
  },
};
