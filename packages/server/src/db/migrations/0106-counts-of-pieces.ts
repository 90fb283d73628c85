import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What an upload has of its file, counted as its pieces come: nobody reads all of them for each one more. */
export const countsOfPieces: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .alterTable('uploads')
      .addColumn('piece_count', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await schema
      .alterTable('uploads')
      .addColumn('piece_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await schema.alterTable('uploads').addColumn('received', 'bigint').execute();
    await schema.createIndex('upload_pieces_by_start').on('upload_pieces').columns(['upload_id', 'start']).execute();
    await sql`
      UPDATE uploads SET
        piece_count = (SELECT count(*) FROM upload_pieces WHERE upload_id = uploads.id),
        piece_bytes = (SELECT coalesce(sum(size), 0) FROM upload_pieces WHERE upload_id = uploads.id)
      WHERE state = 'open'`.execute(db);
  },
};
