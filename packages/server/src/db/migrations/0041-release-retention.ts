import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which releases stay: of an app, or of whoever owns it; ids of both never meet. */
export const releaseRetention: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('release_retention')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('keep_last', 'integer')
      .addColumn('keep_days', 'integer')
      .addColumn('keep_latest', 'integer', (c) => c.notNull())
      .execute();
  },
};
