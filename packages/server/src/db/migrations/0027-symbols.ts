import type { CreateTableBuilder, Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** What refers to files has no foreign key: files must be deleted before their rows, so both are swept. */
export const symbols: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    const { schema } = db;
    type Table = CreateTableBuilder<string, string>;
    const texts = (table: Table, ...names: string[]): Table =>
      names.reduce((built, name) => built.addColumn(name, 'text', (c) => c.notNull()), table);
    const numbers = (table: Table, ...names: string[]): Table =>
      names.reduce((built, name) => built.addColumn(name, 'bigint', (c) => c.notNull()), table);
    const index = (table: string, name: string, columns: string[]) =>
      schema.createIndex(`${table}_${name}`).on(table).columns(columns).execute();

    await numbers(
      texts(
        schema.createTable('symbol_uploads').addColumn('id', 'text', (c) => c.primaryKey()),
        'app_id',
        'type',
        'status',
        'file_name',
        'version',
        'build',
        'note',
        'blob_key',
      ),
      'size',
      'created_at',
    )
      .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('set null'))
      .execute();
    await index('symbol_uploads', 'by_app', ['app_id', 'created_at', 'id']);

    await numbers(
      texts(
        schema.createTable('symbols'),
        'app_id',
        'symbol_id',
        'upload_id',
        'type',
        'format',
        'name',
        'arch',
        'text_address',
        'version',
        'build',
        'blob_key',
      ),
      'size',
      'has_lines',
      'created_at',
      'used_at',
    )
      .addPrimaryKeyConstraint('symbols_key', ['app_id', 'symbol_id'])
      .execute();
    await index('symbols', 'by_name', ['app_id', 'name']);
    await index('symbols', 'by_version', ['app_id', 'version', 'build']);
    await index('symbols', 'by_upload', ['upload_id']);
    await index('symbols', 'by_blob', ['blob_key']);
    await index('symbols', 'by_use', ['used_at']);

    await clustered(dialect, texts(schema.createTable('symbol_aliases'), 'app_id', 'alias', 'symbol_id'))
      .addPrimaryKeyConstraint('symbol_aliases_key', ['app_id', 'alias', 'symbol_id'])
      .execute();
    await index('symbol_aliases', 'by_symbol', ['app_id', 'symbol_id']);

    await numbers(
      clustered(dialect, texts(schema.createTable('symbol_groups'), 'app_id', 'version', 'build', 'id')),
      'crash_count',
      'error_count',
      'modified_at',
    )
      .addPrimaryKeyConstraint('symbol_groups_key', ['app_id', 'version', 'build'])
      .execute();

    await numbers(
      clustered(
        dialect,
        texts(schema.createTable('missing_symbols'), 'app_id', 'version', 'build', 'symbol_id', 'name', 'type', 'arch'),
      ),
      'last_at',
    )
      .addPrimaryKeyConstraint('missing_symbols_key', ['app_id', 'version', 'build', 'symbol_id'])
      .execute();
    await index('missing_symbols', 'by_symbol', ['app_id', 'symbol_id']);

    await numbers(
      clustered(
        dialect,
        texts(schema.createTable('symbol_needs'), 'app_id', 'report_id', 'symbol_id', 'version', 'build'),
      ),
      'is_error',
    )
      .addPrimaryKeyConstraint('symbol_needs_key', ['app_id', 'report_id', 'symbol_id'])
      .execute();
    await index('symbol_needs', 'by_symbol', ['app_id', 'symbol_id', 'report_id']);

    await numbers(clustered(dialect, texts(schema.createTable('ignored_symbols'), 'app_id', 'symbol_id')), 'at')
      .addPrimaryKeyConstraint('ignored_symbols_key', ['app_id', 'symbol_id'])
      .execute();
  },
};
