import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Large files on their way in, piece by piece. Whose they are is not known here, so nothing refers to it. */
export const uploads: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .createTable('uploads')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('purpose', 'text', (c) => c.notNull())
      .addColumn('owner_id', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('file_name', 'text')
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('size', 'bigint')
      .addColumn('max_bytes', 'bigint', (c) => c.notNull())
      .addColumn('blob_key', 'text')
      .addColumn('sha256', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('uploads_by_owner').on('uploads').columns(['owner_id', 'purpose', 'state']).execute();
    await schema.createIndex('uploads_by_end').on('uploads').column('expires_at').execute();

    await clustered(getDialect(db), schema.createTable('upload_pieces'))
      .addColumn('upload_id', 'text', (c) => c.notNull().references('uploads.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('attempt', 'text', (c) => c.notNull())
      .addColumn('start', 'bigint')
      .addColumn('size', 'bigint')
      .addColumn('sha256', 'text')
      .addPrimaryKeyConstraint('upload_pieces_key', ['upload_id', 'name', 'attempt'])
      .execute();
  },
};
