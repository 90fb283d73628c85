import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Identity providers that people sign in with, and the accounts of their users. */
export const identityProviders: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    const { schema } = db;

    await schema
      .createTable('identity_providers')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('name', 'text', (c) => c.notNull().unique())
      .addColumn('display_name', 'text', (c) => c.notNull())
      .addColumn('issuer', 'text', (c) => c.notNull().unique())
      .addColumn('client_id', 'text', (c) => c.notNull())
      .addColumn('sealed_secret', 'text')
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('allowed_domains', 'text', (c) => c.notNull())
      .addColumn('creates_accounts', 'integer', (c) => c.notNull())
      .addColumn('trusts_email', 'integer', (c) => c.notNull())
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();

    await clustered(dialect, schema.createTable('sign_in_links'))
      .addColumn('issuer', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('linked_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('sign_in_links_key', ['issuer', 'subject'])
      .addUniqueConstraint('sign_in_links_by_user', ['user_id', 'issuer'])
      .execute();
  },
};
