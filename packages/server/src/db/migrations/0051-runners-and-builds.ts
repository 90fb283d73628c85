import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Machines that do jobs, and builds, which are such jobs. */
export const runnersAndBuilds: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('runners')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('org_id', 'text', (c) => c.references('owners.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.references('apps.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('labels', 'text', (c) => c.notNull())
      .addColumn('tools', 'text', (c) => c.notNull())
      .addColumn('version', 'text')
      .addColumn('slots', 'integer', (c) => c.notNull())
      .addColumn('trouble', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_seen_at', 'bigint')
      .execute();
    await db.schema.createIndex('runners_of_org').on('runners').columns(['org_id']).execute();
    await db.schema.createIndex('runners_of_app').on('runners').columns(['app_id']).execute();
    await db.schema
      .createTable('runner_codes')
      .addColumn('code_hash', 'text', (c) => c.primaryKey())
      .addColumn('org_id', 'text', (c) => c.references('owners.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.references('apps.id').onDelete('cascade'))
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('runner_jobs')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('needs', 'text', (c) => c.notNull())
      .addColumn('work', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('runner_id', 'text', (c) => c.references('runners.id').onDelete('set null'))
      .addColumn('token_hash', 'text', (c) => c.unique())
      .addColumn('lease_until', 'bigint')
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('is_cancelled', 'integer', (c) => c.notNull())
      .addColumn('log_size', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('ended_at', 'bigint')
      .execute();
    await db.schema.createIndex('runner_jobs_by_state').on('runner_jobs').columns(['state', 'id']).execute();
    await db.schema.createIndex('runner_jobs_of_app').on('runner_jobs').columns(['app_id', 'id']).execute();
    await db.schema.createIndex('runner_jobs_of_runner').on('runner_jobs').columns(['runner_id']).execute();
    await db.schema
      .createTable('runner_job_logs')
      .addColumn('job_id', 'text', (c) => c.notNull().references('runner_jobs.id').onDelete('cascade'))
      .addColumn('start', 'bigint', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('runner_job_logs_key', ['job_id', 'start'])
      .execute();
    // Its blob outlives the job until it is swept, so it refers to nothing.
    await db.schema
      .createTable('runner_job_files')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('job_id', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('blob_key', 'text', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('sha256', 'text', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('runner_job_files_of_job').on('runner_job_files').columns(['job_id']).execute();
    await db.schema
      .createTable('build_repositories')
      .addColumn('app_id', 'text', (c) => c.primaryKey().references('apps.id').onDelete('cascade'))
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('kept', 'text', (c) => c.notNull())
      .addColumn('username', 'text')
      .addColumn('password', 'text')
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('trouble', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema
      .createTable('build_branches')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('branch', 'text', (c) => c.notNull())
      .addColumn('id', 'integer', (c) => c.notNull())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('secrets', 'text', (c) => c.notNull())
      .addColumn('changed_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('build_branches_key', ['app_id', 'branch'])
      .execute();
    // Numbers are never used again, so they outlive what they counted.
    await db.schema
      .createTable('build_counters')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('last_id', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('build_counters_key', ['app_id', 'name'])
      .execute();
    await db.schema
      .createTable('builds')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('id', 'integer', (c) => c.notNull())
      .addColumn('branch', 'text', (c) => c.notNull())
      .addColumn('commit_sha', 'text', (c) => c.notNull())
      .addColumn('reason', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('result', 'text', (c) => c.notNull())
      .addColumn('failure', 'text')
      .addColumn('found', 'text')
      .addColumn('job_id', 'text', (c) => c.notNull().unique())
      .addColumn('queued_at', 'bigint', (c) => c.notNull())
      .addColumn('started_at', 'bigint')
      .addColumn('finished_at', 'bigint')
      .addColumn('changed_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('builds_key', ['app_id', 'id'])
      .execute();
    await db.schema.createIndex('builds_of_branch').on('builds').columns(['app_id', 'branch', 'id']).execute();
    await db.schema
      .createTable('build_commits')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('sha', 'text', (c) => c.notNull())
      .addColumn('message', 'text', (c) => c.notNull())
      .addColumn('author_name', 'text', (c) => c.notNull())
      .addColumn('author_email', 'text', (c) => c.notNull())
      .addColumn('authored_at', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('build_commits_key', ['app_id', 'sha'])
      .execute();
  },
};
