import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Since when people of the server or of an organization need a second factor. */
export const factorRules: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('factor_rules')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('org_id', 'text', (c) => c.references('owners.id').onDelete('cascade'))
      .addColumn('required_from', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('factor_rules_by_org').on('factor_rules').column('org_id').unique().execute();
  },
};
