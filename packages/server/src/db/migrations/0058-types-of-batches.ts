import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const typesOfBatches: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('ingest_batches').addColumn('types', 'text').execute();
  },
};
