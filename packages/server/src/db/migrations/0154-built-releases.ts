import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The build that made the package of each release. Files of builds expire, and their checksums with them. */
export const builtReleases: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('package_releases')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('release_id', 'bigint', (c) => c.notNull())
      .addColumn('build_id', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('package_releases_pk', ['app_id', 'release_id'])
      .execute();
    await db.schema
      .createIndex('package_releases_by_build')
      .on('package_releases')
      .columns(['app_id', 'build_id'])
      .execute();
    await db.schema
      .createIndex('releases_by_version')
      .on('releases')
      .columns(['app_id', 'short_version', 'version'])
      .execute();
    await sql`insert into package_releases (app_id, release_id, build_id)
      select releases.app_id, releases.id, max(builds.id)
      from releases
        join runner_job_files on runner_job_files.sha256 = releases.sha256
        join builds on builds.job_id = runner_job_files.job_id and builds.app_id = releases.app_id
      group by releases.app_id, releases.id`.execute(db);
  },
};
