import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which package a test run has tested, with what result, and apps that hold back what failed. */
export const testedPackages: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('package_tests')
      .addColumn('run_id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('sha256', 'text')
      .addColumn('release_id', 'bigint')
      .addColumn('build_id', 'bigint')
      .addColumn('result', 'text', (c) => c.notNull())
      .execute();
    for (const column of ['sha256', 'release_id', 'build_id']) {
      const index = db.schema.createIndex(`package_tests_by_${column}`).on('package_tests');
      await index.columns(['app_id', column]).execute();
    }
    await db.schema.createIndex('runner_job_files_by_sum').on('runner_job_files').columns(['sha256']).execute();
    await db.schema
      .createTable('release_gates')
      .addColumn('app_id', 'text', (c) => c.primaryKey().references('apps.id').onDelete('cascade'))
      .addColumn('holds_failed', 'integer', (c) => c.notNull())
      .execute();
  },
};
