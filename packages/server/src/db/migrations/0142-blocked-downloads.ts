import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Links to the package of a release end when it is disabled. */
export const blockedDownloads: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('file_downloads')
      .addColumn('is_blocked', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
