import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

export const organizationsAndApps: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    const { schema } = db;

    await schema
      .alterTable('owners')
      .addColumn('updated_at', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`update owners set updated_at = created_at`.execute(db);

    await schema
      .createTable('former_names')
      .addColumn('name_key', 'text', (c) => c.primaryKey())
      .addColumn('owner_id', 'text', (c) => c.notNull().references('owners.id').onDelete('cascade'))
      .execute();
    await schema.createIndex('former_names_by_owner').on('former_names').column('owner_id').execute();

    await clustered(dialect, schema.createTable('org_members'))
      .addColumn('org_id', 'text', (c) => c.notNull().references('owners.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('joined_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('org_members_key', ['org_id', 'user_id'])
      .execute();
    await schema.createIndex('org_members_by_user').on('org_members').columns(['user_id', 'role']).execute();

    const text = (name: string) =>
      schema
        .alterTable('apps')
        .addColumn(name, 'text', (c) => c.notNull().defaultTo(''))
        .execute();
    for (const name of ['display_name', 'os', 'platform', 'app_secret']) await text(name);
    for (const name of ['description', 'release_type', 'icon_url']) {
      await schema.alterTable('apps').addColumn(name, 'text').execute();
    }
    await schema
      .alterTable('apps')
      .addColumn('updated_at', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    // Before this there was no way to create an app, so there is no secret that would be needed twice.
    await schema.createIndex('apps_by_secret').on('apps').column('app_secret').unique().execute();

    await schema
      .createTable('teams')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('org_id', 'text', (c) => c.notNull().references('owners.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_key', 'text', (c) => c.notNull())
      .addColumn('display_name', 'text', (c) => c.notNull())
      .addColumn('description', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('teams_by_org_and_name', ['org_id', 'name_key'])
      .execute();

    await clustered(dialect, schema.createTable('team_members'))
      .addColumn('team_id', 'text', (c) => c.notNull().references('teams.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('team_members_key', ['team_id', 'user_id'])
      .execute();
    await schema.createIndex('team_members_by_user').on('team_members').column('user_id').execute();

    await clustered(dialect, schema.createTable('team_apps'))
      .addColumn('team_id', 'text', (c) => c.notNull().references('teams.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('permission', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('team_apps_key', ['team_id', 'app_id'])
      .execute();
    await schema.createIndex('team_apps_by_app').on('team_apps').column('app_id').execute();

    for (const name of ['org_id', 'app_id']) {
      await schema.alterTable('audit_events').addColumn(name, 'text').execute();
      await schema.createIndex(`audit_events_by_${name}`).on('audit_events').columns([name, 'at', 'id']).execute();
    }
  },
};
