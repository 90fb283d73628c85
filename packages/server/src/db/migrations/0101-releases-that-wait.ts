import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whom a release goes to when its tests have passed. */
export const releasesThatWait: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('held_releases')
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('release_id', 'bigint', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('destination', 'text', (c) => c.notNull())
      .addColumn('is_mandatory', 'integer', (c) => c.notNull())
      .addColumn('is_told', 'integer', (c) => c.notNull())
      .addColumn('held_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('held_releases_key', ['app_id', 'release_id', 'type', 'destination'])
      .addForeignKeyConstraint('held_releases_release', ['app_id', 'release_id'], 'releases', ['app_id', 'id'], (c) =>
        c.onDelete('cascade'),
      )
      .execute();
  },
};
