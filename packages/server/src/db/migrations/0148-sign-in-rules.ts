import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The identity provider that replaces passwords, for the server or an organization. */
export const signInRules: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('sign_in_rules')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('org_id', 'text', (c) => c.references('owners.id').onDelete('cascade'))
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('sign_in_rules_by_org').on('sign_in_rules').column('org_id').unique().execute();
  },
};
