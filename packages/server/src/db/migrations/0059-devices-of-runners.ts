import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Devices that runners have, jobs that need one, and what is told while such a job runs. */
export const devicesOfRunners: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('runners')
      .addColumn('devices', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute();
    await db.schema.alterTable('runner_jobs').addColumn('device', 'text').execute();
    await db.schema.alterTable('runner_jobs').addColumn('device_key', 'text').execute();
    await db.schema
      .alterTable('runner_jobs')
      .addColumn('sources', 'text', (c) => c.notNull().defaultTo('{}'))
      .execute();
    await db.schema
      .alterTable('runner_jobs')
      .addColumn('event_count', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable('runner_jobs')
      .addColumn('event_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable('runner_job_files')
      .addColumn('attempt', 'integer', (c) => c.notNull().defaultTo(1))
      .execute();
    await db.schema
      .createTable('runner_job_events')
      .addColumn('job_id', 'text', (c) => c.notNull().references('runner_jobs.id').onDelete('cascade'))
      .addColumn('attempt', 'integer', (c) => c.notNull())
      .addColumn('start', 'integer', (c) => c.notNull())
      .addColumn('events', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('runner_job_events_key', ['job_id', 'attempt', 'start'])
      .execute();
    await db.schema
      .createTable('runner_device_failures')
      .addColumn('runner_id', 'text', (c) => c.notNull().references('runners.id').onDelete('cascade'))
      .addColumn('device_key', 'text', (c) => c.notNull())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addColumn('last_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('runner_device_failures_key', ['runner_id', 'device_key'])
      .execute();
  },
};
