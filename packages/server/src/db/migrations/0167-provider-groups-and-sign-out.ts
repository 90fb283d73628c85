import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Groups of identity providers as memberships here, and signing out at providers. */
export const providerGroupsAndSignOut: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    const { schema } = db;

    await schema
      .alterTable('identity_providers')
      .addColumn('groups_claim', 'text', (c) => c.notNull().defaultTo('groups'))
      .execute();
    await schema
      .alterTable('identity_providers')
      .addColumn('signs_out', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();

    await schema
      .createTable('group_mappings')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('provider_group', 'text', (c) => c.notNull())
      .addColumn('org_id', 'text', (c) => c.notNull().references('owners.id').onDelete('cascade'))
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('team_id', 'text', (c) => c.references('teams.id').onDelete('cascade'))
      .addColumn('group_id', 'text', (c) => c.references('distribution_groups.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    for (const column of ['provider', 'org_id', 'team_id', 'group_id']) {
      await schema.createIndex(`group_mappings_by_${column}`).on('group_mappings').column(column).execute();
    }

    await clustered(dialect, schema.createTable('mapped_memberships'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('target_id', 'text', (c) => c.notNull())
      .addColumn('org_id', 'text', (c) => c.notNull().references('owners.id').onDelete('cascade'))
      .addColumn('role', 'text')
      .addPrimaryKeyConstraint('mapped_memberships_key', ['user_id', 'provider', 'kind', 'target_id'])
      .execute();
    await schema.createIndex('mapped_memberships_by_org').on('mapped_memberships').column('org_id').execute();

    for (const column of ['provider', 'provider_subject', 'provider_sid', 'sealed_id_token']) {
      await schema.alterTable('sessions').addColumn(column, 'text').execute();
    }
    await schema.createIndex('sessions_by_provider_subject').on('sessions').column('provider_subject').execute();
    await schema.createIndex('sessions_by_provider_sid').on('sessions').column('provider_sid').execute();

    await sql`create view team_names as select id, org_id, name, name_key from teams`.execute(db);
    await sql`create view shared_groups as
      select id, org_id, name, name_key from distribution_groups where org_id is not null`.execute(db);

    await clustered(dialect, schema.createTable('used_proofs'))
      .addColumn('hash', 'text', (c) => c.primaryKey())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('used_proofs_by_expiry').on('used_proofs').column('expires_at').execute();
  },
};
