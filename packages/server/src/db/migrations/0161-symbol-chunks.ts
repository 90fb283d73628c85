import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Chunks of symbol files, and files that are assembled from them. */
export const symbolChunks: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .createTable('symbol_chunks')
      .addColumn('owner_id', 'text', (c) => c.notNull())
      .addColumn('holder_id', 'text', (c) => c.notNull())
      .addColumn('sha1', 'text', (c) => c.notNull())
      .addColumn('size', 'bigint')
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('symbol_chunks_key', ['owner_id', 'holder_id', 'sha1'])
      .execute();
    await schema.createIndex('symbol_chunks_by_expiry').on('symbol_chunks').column('expires_at').execute();
    // Of files that tools identify by their checksum. Null for all others.
    await schema.alterTable('symbol_uploads').addColumn('sha1', 'text').execute();
    // Any format is accepted, and each file gets the type of its format.
    await schema
      .alterTable('symbol_uploads')
      .addColumn('is_mixed', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await schema.alterTable('symbol_uploads').addColumn('failed_at', 'bigint').execute();
    await schema.createIndex('symbol_uploads_by_sha1').on('symbol_uploads').columns(['app_id', 'sha1']).execute();
  },
};
