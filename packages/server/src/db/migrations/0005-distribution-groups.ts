import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

export const distributionGroups: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    const { schema } = db;

    await schema
      .createTable('distribution_groups')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.references('apps.id').onDelete('cascade'))
      .addColumn('org_id', 'text', (c) => c.references('owners.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_key', 'text', (c) => c.notNull())
      .addColumn('display_name', 'text')
      .addColumn('is_public', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('distribution_groups_by_org_and_name', ['org_id', 'name_key'])
      .execute();
    await schema.createIndex('distribution_groups_by_app').on('distribution_groups').column('app_id').execute();

    await clustered(dialect, schema.createTable('distribution_group_apps'))
      .addColumn('group_id', 'text', (c) => c.notNull().references('distribution_groups.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('name_key', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('distribution_group_apps_key', ['group_id', 'app_id'])
      .addUniqueConstraint('distribution_group_apps_by_name', ['app_id', 'name_key'])
      .execute();

    await clustered(dialect, schema.createTable('distribution_group_members'))
      .addColumn('group_id', 'text', (c) => c.notNull().references('distribution_groups.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('distribution_group_members_key', ['group_id', 'user_id'])
      .execute();
    await schema
      .createIndex('distribution_group_members_by_user')
      .on('distribution_group_members')
      .column('user_id')
      .execute();

    await clustered(dialect, schema.createTable('distribution_group_invitations'))
      .addColumn('group_id', 'text', (c) => c.notNull().references('distribution_groups.id').onDelete('cascade'))
      .addColumn('email_key', 'text', (c) => c.notNull())
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addPrimaryKeyConstraint('distribution_group_invitations_key', ['group_id', 'email_key'])
      .execute();
    await schema
      .createIndex('distribution_group_invitations_by_email')
      .on('distribution_group_invitations')
      .column('email_key')
      .execute();
  },
};
