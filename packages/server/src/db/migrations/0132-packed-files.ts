import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { bytesColumn, getDialect } from '../portable.ts';

/** Files that are too small to be one each on a disk, in the database. */
export const packedFiles: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('packed_files')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('body', bytesColumn(getDialect(db)), (c) => c.notNull())
      .execute();
  },
};
