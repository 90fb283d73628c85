import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Users and teams that the directory of an organization manages by SCIM, and the domains of organizations. */
export const provisioning: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .createTable('org_domains')
      .addColumn('domain', 'text', (c) => c.primaryKey())
      .addColumn('org_id', 'text', (c) => c.notNull().references('owners.id').onDelete('cascade'))
      .execute();
    await schema.createIndex('org_domains_by_org').on('org_domains').column('org_id').execute();
    await schema
      .createTable('scim_tokens')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('hash', 'text', (c) => c.notNull().unique())
      .addColumn('org_id', 'text', (c) => c.notNull().references('owners.id').onDelete('cascade'))
      .addColumn('description', 'text')
      .addColumn('last_four', 'text', (c) => c.notNull())
      .addColumn('created_by', 'text', (c) => c.references('users.id').onDelete('set null'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
    await schema.createIndex('scim_tokens_by_org').on('scim_tokens').column('org_id').execute();
    await schema.createIndex('scim_tokens_by_creator').on('scim_tokens').column('created_by').execute();
    await schema
      .createTable('scim_users')
      .addColumn('org_id', 'text', (c) => c.notNull().references('owners.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('user_name', 'text', (c) => c.notNull())
      .addColumn('user_name_key', 'text')
      .addColumn('external_id', 'text')
      .addColumn('attributes', 'text', (c) => c.notNull())
      .addColumn('has_disabled', 'integer', (c) => c.notNull())
      .addColumn('removed_role', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('scim_users_key', ['org_id', 'user_id'])
      .execute();
    await schema
      .createIndex('scim_users_by_name')
      .on('scim_users')
      .columns(['org_id', 'user_name_key'])
      .unique()
      .execute();
    await schema.createIndex('scim_users_by_external_id').on('scim_users').columns(['org_id', 'external_id']).execute();
    await schema.createIndex('scim_users_by_user').on('scim_users').column('user_id').execute();
    await schema
      .createTable('scim_groups')
      .addColumn('team_id', 'text', (c) => c.primaryKey().references('teams.id').onDelete('cascade'))
      .addColumn('org_id', 'text', (c) => c.notNull().references('owners.id').onDelete('cascade'))
      .addColumn('external_id', 'text')
      .addColumn('display_name', 'text', (c) => c.notNull())
      .addColumn('display_name_key', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createIndex('scim_groups_by_name')
      .on('scim_groups')
      .columns(['org_id', 'display_name_key'])
      .unique()
      .execute();
  },
};
