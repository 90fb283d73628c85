import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Apps that a user marked as favorites. */
export const appFavorites: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('app_favorites')
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('app_favorites_pk', ['user_id', 'app_id'])
      .execute();
    await db.schema.createIndex('app_favorites_by_app').on('app_favorites').column('app_id').execute();
  },
};
