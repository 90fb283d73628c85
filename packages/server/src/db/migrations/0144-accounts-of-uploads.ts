import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An upload ends when the account that began it loses the right to. */
export const accountsOfUploads: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('uploads').addColumn('begun_by', 'text').execute();
    await db.schema.createIndex('uploads_by_account').on('uploads').column('begun_by').execute();
  },
};
