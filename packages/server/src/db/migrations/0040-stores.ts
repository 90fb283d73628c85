import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Stores that releases are published in, and how far each is. */
export const stores: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .createTable('distribution_stores')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_key', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('track', 'text')
      .addColumn('service_connection_id', 'text')
      .addColumn('sealed_credentials', 'text')
      .addColumn('created_by', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('distribution_stores_name', ['app_id', 'name_key'])
      .execute();
    await clustered(getDialect(db), schema.createTable('release_stores'))
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('release_id', 'integer', (c) => c.notNull())
      .addColumn('store_id', 'text', (c) => c.notNull().references('distribution_stores.id').onDelete('cascade'))
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('attempt', 'text', (c) => c.notNull())
      .addColumn('log', 'text', (c) => c.notNull())
      .addColumn('error', 'text')
      .addColumn('added_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('release_stores_key', ['app_id', 'release_id', 'store_id'])
      .addForeignKeyConstraint('release_stores_release', ['app_id', 'release_id'], 'releases', ['app_id', 'id'], (c) =>
        c.onDelete('cascade'),
      )
      .execute();
    await schema.createIndex('release_stores_by_store').on('release_stores').column('store_id').execute();
  },
};
