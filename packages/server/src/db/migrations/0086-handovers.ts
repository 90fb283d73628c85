import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What Intune is to be told of a release, and releases that runners sign anew. */
export const handovers: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema.alterTable('distribution_stores').addColumn('details', 'text').execute();
    await schema
      .createTable('release_resignings')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('release_id', 'integer', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('error', 'text')
      .addColumn('device_count', 'integer', (c) => c.notNull())
      .addColumn('udids', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addForeignKeyConstraint(
        'release_resignings_release',
        ['app_id', 'release_id'],
        'releases',
        ['app_id', 'id'],
        (c) => c.onDelete('cascade'),
      )
      .execute();
    const index = schema.createIndex('release_resignings_by_release').on('release_resignings');
    await index.columns(['app_id', 'release_id', 'id']).execute();
  },
};
