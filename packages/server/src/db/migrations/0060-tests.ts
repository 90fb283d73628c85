import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Runs of tests on devices: their files, their devices, series of runs, and sets of devices. */
export const tests: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('test_files')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('owner_id', 'text', (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .addColumn('sha1', 'text', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('blob_key', 'text', (c) => c.notNull())
      .addColumn('used_at', 'bigint', (c) => c.notNull())
      .addColumn('is_dropped', 'integer', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('test_files_by_sha256').on('test_files').columns(['owner_id', 'sha256']).execute();
    await db.schema.createIndex('test_files_by_sha1').on('test_files').columns(['owner_id', 'sha1']).execute();
    await db.schema.createIndex('test_files_by_use').on('test_files').columns(['used_at']).execute();
    await db.schema
      .createTable('test_series')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('active_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('test_series_key', ['app_id', 'slug'])
      .execute();
    await db.schema
      .createTable('test_runs')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('series', 'text')
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('rerun_of', 'text')
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('result', 'text', (c) => c.notNull())
      .addColumn('failure', 'text')
      .addColumn('framework', 'text')
      .addColumn('platform', 'text')
      .addColumn('app_version', 'text')
      .addColumn('locale', 'text')
      .addColumn('parameters', 'text', (c) => c.notNull())
      .addColumn('only_tests', 'text')
      .addColumn('stats', 'text', (c) => c.notNull())
      .addColumn('is_stopped', 'integer', (c) => c.notNull())
      .addColumn('is_archived', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('started_at', 'bigint')
      .addColumn('finished_at', 'bigint')
      .addColumn('version', 'integer', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('test_runs_of_app').on('test_runs').columns(['app_id', 'id']).execute();
    await db.schema.createIndex('test_runs_of_series').on('test_runs').columns(['app_id', 'series', 'id']).execute();
    await db.schema.createIndex('test_runs_by_status').on('test_runs').columns(['status', 'id']).execute();
    await db.schema
      .createTable('test_run_files')
      .addColumn('run_id', 'text', (c) => c.notNull().references('test_runs.id').onDelete('cascade'))
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('path', 'text', (c) => c.notNull())
      .addColumn('checksum', 'text', (c) => c.notNull())
      .addColumn('file_id', 'text')
      .addPrimaryKeyConstraint('test_run_files_key', ['run_id', 'type', 'path'])
      .execute();
    await db.schema.createIndex('test_run_files_of_file').on('test_run_files').columns(['file_id']).execute();
    await db.schema
      .createTable('test_run_devices')
      .addColumn('run_id', 'text', (c) => c.notNull().references('test_runs.id').onDelete('cascade'))
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('device', 'text', (c) => c.notNull())
      .addColumn('job_id', 'text', (c) => c.unique())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('failure', 'text')
      .addColumn('events', 'text')
      .addColumn('started_at', 'bigint')
      .addColumn('finished_at', 'bigint')
      .addPrimaryKeyConstraint('test_run_devices_key', ['run_id', 'position'])
      .execute();
    await db.schema
      .createTable('test_device_sets')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('owner_id', 'text', (c) => c.notNull().references('owners.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('devices', 'text', (c) => c.notNull())
      .addUniqueConstraint('test_device_sets_slug', ['owner_id', 'slug'])
      .execute();
    await db.schema
      .createTable('test_device_selections')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('short_id', 'text', (c) => c.notNull())
      .addColumn('devices', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('test_device_selections_key', ['app_id', 'short_id'])
      .execute();
  },
};
