import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Pushes that wait for room in the queue, which jobs come first, how many run at a time, and what all builds of an app share. */
export const queuesOfBuilds: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['runner_jobs', 'builds']) {
      await db.schema
        .alterTable(table)
        .addColumn('priority', 'integer', (c) => c.notNull().defaultTo(0))
        .execute();
    }
    await db.schema.alterTable('builds').addColumn('retry_of', 'integer').execute();
    await db.schema.alterTable('builds').addColumn('variables', 'text').execute();
    await db.schema
      .createTable('runner_limits')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('most', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('runner_limits_key', ['app_id', 'kind'])
      .execute();
    await db.schema
      .createTable('build_settings')
      .addColumn('app_id', 'text', (c) => c.primaryKey().references('apps.id').onDelete('cascade'))
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('secrets', 'text', (c) => c.notNull())
      .addColumn('changed_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('build_pushes')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('branch', 'text', (c) => c.notNull())
      .addColumn('commit_sha', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('build_pushes_key', ['app_id', 'branch', 'commit_sha'])
      .execute();
    await db.schema.createIndex('build_pushes_in_order').on('build_pushes').columns(['app_id', 'id']).execute();
  },
};
