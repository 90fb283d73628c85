import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Packages of apps, and to whom they were given. Every key begins with the app. */
export const releases: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    const { schema } = db;

    await schema
      .createTable('file_downloads')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('count', 'bigint', (c) => c.notNull())
      .execute();

    // Without a foreign key to the app: files must be deleted before their rows are, so those of an app that is gone are swept.
    await schema
      .createTable('releases')
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('id', 'integer', (c) => c.notNull())
      .addColumn('version', 'text', (c) => c.notNull())
      .addColumn('short_version', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('file_name', 'text', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .addColumn('blob_key', 'text', (c) => c.notNull())
      .addColumn('icon_path', 'text')
      .addColumn('bundle_identifier', 'text')
      .addColumn('min_os', 'text')
      .addColumn('min_api_level', 'text')
      .addColumn('device_family', 'text')
      .addColumn('hashes', 'text', (c) => c.notNull())
      .addColumn('facts', 'text', (c) => c.notNull())
      .addColumn('notes', 'text')
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('build', 'text')
      .addColumn('signatures', 'text')
      .addColumn('uploaded_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('releases_key', ['app_id', 'id'])
      .execute();

    await schema
      .createTable('release_counters')
      .addColumn('app_id', 'text', (c) => c.primaryKey())
      .addColumn('last_id', 'integer', (c) => c.notNull())
      .execute();

    await schema
      .createTable('release_uploads')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('build_version', 'text')
      .addColumn('build_number', 'text')
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('error_details', 'text')
      .addColumn('file', 'text')
      .addColumn('release_id', 'integer')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('release_uploads_by_time').on('release_uploads').column('created_at').execute();

    const ofRelease = (table: string) =>
      clustered(dialect, schema.createTable(table))
        .addColumn('app_id', 'text', (c) => c.notNull())
        .addColumn('release_id', 'integer', (c) => c.notNull())
        .addForeignKeyConstraint(`${table}_release`, ['app_id', 'release_id'], 'releases', ['app_id', 'id'], (c) =>
          c.onDelete('cascade'),
        );
    await ofRelease('release_hashes')
      .addColumn('hash', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('release_hashes_key', ['app_id', 'hash', 'release_id'])
      .execute();
    await ofRelease('release_groups')
      .addColumn('group_id', 'text', (c) => c.notNull().references('distribution_groups.id').onDelete('cascade'))
      .addColumn('is_mandatory', 'integer', (c) => c.notNull())
      .addColumn('added_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('release_groups_key', ['app_id', 'release_id', 'group_id'])
      .execute();
    await schema.createIndex('release_groups_by_group').on('release_groups').columns(['group_id', 'app_id']).execute();
    await ofRelease('release_testers')
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('is_mandatory', 'integer', (c) => c.notNull())
      .addColumn('added_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('release_testers_key', ['app_id', 'release_id', 'user_id'])
      .execute();
    await schema.createIndex('release_testers_by_user').on('release_testers').columns(['user_id', 'app_id']).execute();

    // A device on which a tester was signed in; only a hash of its token is kept.
    await schema
      .createTable('update_tokens')
      .addColumn('hash', 'text', (c) => c.primaryKey())
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('platform', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('update_tokens_by_user').on('update_tokens').columns(['user_id', 'app_id']).execute();

    await ofRelease('release_installs')
      .addColumn('group_id', 'text', (c) => c.notNull())
      .addColumn('installer', 'text', (c) => c.notNull())
      .addColumn('count', 'bigint', (c) => c.notNull().defaultTo(sql.lit(1)))
      .addPrimaryKeyConstraint('release_installs_key', ['app_id', 'release_id', 'group_id', 'installer'])
      .execute();
  },
};
