import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** CI rules of apps, and the tokens that CI jobs obtain by them. */
export const ciRules: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    const dialect = getDialect(db);
    await clustered(dialect, schema.createTable('ci_rules'))
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('issuer', 'text', (c) => c.notNull())
      .addColumn('claims', 'text', (c) => c.notNull())
      .addColumn('permissions', 'text', (c) => c.notNull())
      .addColumn('created_by', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
    await schema.createIndex('ci_rules_by_app').on('ci_rules').column('app_id').execute();
    await schema.createIndex('ci_rules_by_creator').on('ci_rules').column('created_by').execute();
    await schema.createIndex('ci_rules_by_issuer').on('ci_rules').column('issuer').execute();

    await clustered(dialect, schema.createTable('ci_tokens'))
      .addColumn('hash', 'text', (c) => c.primaryKey())
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('rule_id', 'text', (c) => c.notNull().references('ci_rules.id').onDelete('cascade'))
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('ci_tokens_by_rule').on('ci_tokens').column('rule_id').execute();
    await schema.createIndex('ci_tokens_by_expiry').on('ci_tokens').column('expires_at').execute();
  },
};
