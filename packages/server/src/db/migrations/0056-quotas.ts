import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How much accounts may use. */
export const quotas: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('quotas')
      .addColumn('owner_id', 'text', (c) => c.notNull().references('owners.id').onDelete('cascade'))
      .addColumn('measure', 'text', (c) => c.notNull())
      .addColumn('most', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('quotas_key', ['owner_id', 'measure'])
      .execute();
  },
};
