import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { bytesColumn, clustered, getDialect } from '../portable.ts';

/**
 * Every key begins with the app, so that a sharded database can spread them. What grows with reports has no foreign key: it is
 * too much to go with its app in one transaction, and files must be deleted before their rows. It is swept.
 */
export const crashes: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    const { schema } = db;
    type Table = CreateTableBuilder<string, string>;
    const texts = (table: Table, ...names: string[]): Table =>
      names.reduce((built, name) => built.addColumn(name, 'text', (c) => c.notNull()), table);
    const numbers = (table: Table, ...names: string[]): Table =>
      names.reduce((built, name) => built.addColumn(name, 'bigint', (c) => c.notNull().defaultTo(sql.lit(0))), table);
    const ofApp = (name: string): Table =>
      schema
        .createTable(name)
        .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'));
    const swept = (name: string): Table => schema.createTable(name).addColumn('app_id', 'text', (c) => c.notNull());
    const index = (table: string, name: string, columns: string[]) =>
      schema.createIndex(`${table}_${name}`).on(table).columns(columns).execute();

    await numbers(texts(ofApp('crash_apps'), 'rules'), 'retention_days', 'last_number', 'grouping_version')
      .addPrimaryKeyConstraint('crash_apps_key', ['app_id'])
      .execute();

    await numbers(
      texts(ofApp('crash_issues'), 'id', 'kind', 'state', 'annotation', 'group_id', 'first_version', 'last_version'),
      'number',
      'count',
      'device_count',
      'first_at',
      'last_at',
    )
      .addColumn('closed_version', 'text')
      .addColumn('regressed_version', 'text')
      .addColumn('regressed_at', 'bigint')
      .addPrimaryKeyConstraint('crash_issues_key', ['app_id', 'id'])
      .execute();
    await index('crash_issues', 'by_count', ['app_id', 'count', 'id']);
    await index('crash_issues', 'by_devices', ['app_id', 'device_count', 'id']);
    await index('crash_issues', 'by_time', ['app_id', 'last_at', 'id']);

    await clustered(dialect, texts(ofApp('crash_keys'), 'key', 'issue_id'))
      .addPrimaryKeyConstraint('crash_keys_key', ['app_id', 'key'])
      .execute();
    await index('crash_keys', 'by_issue', ['app_id', 'issue_id']);

    await numbers(
      texts(
        ofApp('crash_groups'),
        'id',
        'issue_id',
        'key',
        'kind',
        'version',
        'build',
        'state',
        'annotation',
        'exception_type',
        'message',
        'class_name',
        'method',
        'file',
        'frame',
        'search_key',
      ),
      'number',
      'line',
      'count',
      'device_count',
      'first_at',
      'last_at',
    )
      .addColumn('last_report_id', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('crash_groups_key', ['app_id', 'id'])
      .execute();
    await schema
      .createIndex('crash_groups_by_key')
      .unique()
      .on('crash_groups')
      .columns(['app_id', 'key', 'version', 'build'])
      .execute();
    await index('crash_groups', 'by_issue', ['app_id', 'issue_id']);
    await index('crash_groups', 'by_time', ['app_id', 'last_at', 'id']);
    await index('crash_groups', 'by_count', ['app_id', 'count', 'id']);

    await clustered(dialect, texts(ofApp('crash_aliases'), 'id', 'group_id'))
      .addPrimaryKeyConstraint('crash_aliases_key', ['app_id', 'id'])
      .execute();

    await numbers(
      texts(
        swept('crash_reports'),
        'id',
        'sent_id',
        'install_id',
        'kind',
        'type',
        'state',
        'note',
        'version',
        'build',
        'model',
        'oem',
        'os',
        'os_name',
        'os_version',
        'country',
        'language',
        'properties',
      ),
      'at',
      'received_at',
      'has_attachments',
      'is_symbolicated',
    )
      .addColumn('group_id', 'text')
      .addColumn('user_id', 'text')
      .addColumn('session_id', 'text')
      .addPrimaryKeyConstraint('crash_reports_key', ['app_id', 'id'])
      .execute();
    await index('crash_reports', 'by_sent', ['app_id', 'sent_id']);
    await index('crash_reports', 'by_group', ['app_id', 'group_id', 'at', 'id']);
    await index('crash_reports', 'by_time', ['app_id', 'at', 'id']);
    await index('crash_reports', 'by_user', ['app_id', 'user_id', 'at']);
    await index('crash_reports', 'by_install', ['app_id', 'install_id', 'at']);
    await index('crash_reports', 'by_state', ['app_id', 'state', 'at']);

    await clustered(dialect, texts(swept('crash_bodies'), 'report_id'))
      .addColumn('log', bytesColumn(dialect), (c) => c.notNull())
      .addColumn('stack', bytesColumn(dialect), (c) => c.notNull())
      .addPrimaryKeyConstraint('crash_bodies_key', ['app_id', 'report_id'])
      .execute();

    await clustered(dialect, texts(swept('crash_properties'), 'name', 'value', 'report_id'))
      .addPrimaryKeyConstraint('crash_properties_key', ['app_id', 'name', 'value', 'report_id'])
      .execute();
    await index('crash_properties', 'by_report', ['app_id', 'report_id']);

    await numbers(
      texts(
        swept('crash_attachments'),
        'id',
        'sent_id',
        'install_id',
        'error_id',
        'content_type',
        'file_name',
        'blob_key',
      ),
      'size',
      'created_at',
    )
      .addPrimaryKeyConstraint('crash_attachments_key', ['app_id', 'id'])
      .execute();
    await index('crash_attachments', 'by_error', ['app_id', 'error_id', 'install_id']);

    const counted = (name: string, ...columns: string[]) => texts(swept(name), ...columns);
    await clustered(
      dialect,
      numbers(
        counted('crash_days', 'group_id').addColumn('day', 'integer', (c) => c.notNull()),
        'count',
        'devices',
      ),
    )
      .addPrimaryKeyConstraint('crash_days_key', ['app_id', 'group_id', 'day'])
      .execute();
    await index('crash_days', 'by_day', ['app_id', 'day', 'group_id', 'count']);
    await clustered(
      dialect,
      counted('crash_group_devices', 'group_id', 'install_id').addColumn('day', 'integer', (c) => c.notNull()),
    )
      .addPrimaryKeyConstraint('crash_group_devices_key', ['app_id', 'group_id', 'install_id', 'day'])
      .execute();
    await clustered(dialect, counted('crash_issue_devices', 'issue_id', 'install_id'))
      .addPrimaryKeyConstraint('crash_issue_devices_key', ['app_id', 'issue_id', 'install_id'])
      .execute();
    await clustered(
      dialect,
      texts(
        counted('crash_app_devices', 'kind').addColumn('day', 'integer', (c) => c.notNull()),
        'install_id',
        'version',
        'build',
      ),
    )
      .addPrimaryKeyConstraint('crash_app_devices_key', ['app_id', 'kind', 'day', 'install_id', 'version', 'build'])
      .execute();
    await clustered(dialect, numbers(counted('crash_facets', 'group_id', 'facet', 'value'), 'count'))
      .addPrimaryKeyConstraint('crash_facets_key', ['app_id', 'group_id', 'facet', 'value'])
      .execute();
  },
};
