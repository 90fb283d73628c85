import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { bytesColumn, clustered, getDialect } from '../portable.ts';

/** Every key begins with the app, so that a sharded database can spread them by it. */
export const ingestion: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    const { schema } = db;

    await schema
      .createTable('ingest_apps')
      .addColumn('app_id', 'text', (c) => c.primaryKey().references('apps.id').onDelete('cascade'))
      .addColumn('last_number', 'bigint', (c) => c.notNull())
      .addColumn('last_received_at', 'bigint', (c) => c.notNull())
      .execute();

    // Without a foreign key: a day of batches is too much to go with its app in one transaction. They are swept.
    await schema
      .createTable('ingest_batches')
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('number', 'bigint', (c) => c.notNull())
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .addColumn('install_id', 'text', (c) => c.notNull())
      .addColumn('log_count', 'integer', (c) => c.notNull())
      .addColumn('size', 'integer', (c) => c.notNull())
      .addColumn('encoding', 'text', (c) => c.notNull())
      .addColumn('body', bytesColumn(dialect), (c) => c.notNull())
      .addPrimaryKeyConstraint('ingest_batches_key', ['app_id', 'number'])
      .execute();
    await schema
      .createIndex('ingest_batches_by_time')
      .on('ingest_batches')
      .columns(['app_id', 'received_at'])
      .execute();

    const ofApp = (table: string) =>
      schema
        .createTable(table)
        .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'));

    await clustered(dialect, ofApp('ingest_cursors'))
      .addColumn('consumer', 'text', (c) => c.notNull())
      .addColumn('number', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('ingest_cursors_key', ['app_id', 'consumer'])
      .execute();

    await clustered(dialect, ofApp('ingest_blocks'))
      .addColumn('install_id', 'text', (c) => c.notNull())
      .addColumn('blocked_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('ingest_blocks_key', ['app_id', 'install_id'])
      .execute();

    await ofApp('ingest_odd_logs')
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .addColumn('install_id', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('log', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('ingest_odd_logs_key', ['app_id', 'id'])
      .execute();

    const counts = ['batches', 'logs', 'bytes', 'odd', 'dropped', 'blocked', 'refused'];
    const minutes = clustered(dialect, ofApp('ingest_minutes')).addColumn('minute', 'bigint', (c) => c.notNull());
    await counts
      .reduce((table, name) => table.addColumn(name, 'bigint', (c) => c.notNull().defaultTo(sql.lit(0))), minutes)
      .addPrimaryKeyConstraint('ingest_minutes_key', ['app_id', 'minute'])
      .execute();
    await schema.createIndex('ingest_minutes_by_time').on('ingest_minutes').column('minute').execute();

    await clustered(dialect, ofApp('ingest_senders'))
      .addColumn('sdk', 'text', (c) => c.notNull())
      .addColumn('sdk_version', 'text', (c) => c.notNull())
      .addColumn('app_version', 'text', (c) => c.notNull())
      .addColumn('logs', 'bigint', (c) => c.notNull())
      .addColumn('last_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('ingest_senders_key', ['app_id', 'sdk', 'sdk_version', 'app_version'])
      .execute();
  },
};
