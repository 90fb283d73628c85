import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Pieces of uploads that are written into the file itself; those that were under way are blobs of their own. */
export const piecesInPlace: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('upload_pieces').addColumn('placed', 'bigint').execute();
  },
};
