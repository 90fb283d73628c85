import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Up to which batch what was deleted is taken out of them. */
export const deletedFromBatches: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('analytics_forgotten')
      .addColumn('cleaned_to', sql`bigint`, (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
