import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect, plainText } from '../portable.ts';

export const codepush: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    const { schema } = db;

    await schema
      .createTable('codepush_deployments')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('name', plainText(dialect), (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull().unique())
      .addColumn('last_number', 'integer', (c) => c.notNull())
      .addColumn('version', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('codepush_deployments_name', ['app_id', 'name'])
      .execute();

    // Without a foreign key: a blob must be deleted before its row is, so those that no release has are swept.
    await schema
      .createTable('codepush_packages')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('blob_key', 'text', (c) => c.notNull())
      .addColumn('package_hash', 'text', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('is_zip', 'integer', (c) => c.notNull())
      .addColumn('unused_since', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('codepush_packages_by_use').on('codepush_packages').columns(['unused_since']).execute();

    const ofDeployment = (table: string) =>
      clustered(
        dialect,
        schema
          .createTable(table)
          .addColumn('deployment_id', 'text', (c) =>
            c.notNull().references('codepush_deployments.id').onDelete('cascade'),
          ),
      );

    await ofDeployment('codepush_releases')
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('package_id', 'text', (c) => c.notNull().references('codepush_packages.id'))
      .addColumn('range', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('is_disabled', 'integer', (c) => c.notNull())
      .addColumn('is_mandatory', 'integer', (c) => c.notNull())
      .addColumn('rollout', 'integer')
      .addColumn('method', 'text', (c) => c.notNull())
      .addColumn('original_label', 'text')
      .addColumn('original_deployment', 'text')
      .addColumn('released_by', 'text', (c) => c.notNull())
      .addColumn('released_at', 'bigint', (c) => c.notNull())
      .addColumn('upload_id', 'text', (c) => c.unique())
      .addPrimaryKeyConstraint('codepush_releases_key', ['deployment_id', 'number'])
      .execute();
    await schema.createIndex('codepush_releases_by_package').on('codepush_releases').columns(['package_id']).execute();

    await clustered(
      dialect,
      schema
        .createTable('codepush_diffs')
        .addColumn('package_id', 'text', (c) => c.notNull().references('codepush_packages.id')),
    )
      .addColumn('from_hash', 'text', (c) => c.notNull())
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('codepush_diffs_key', ['package_id', 'from_hash'])
      .execute();

    await ofDeployment('codepush_counts')
      .addColumn('label', 'text', (c) => c.notNull())
      .addColumn('active', 'bigint', (c) => c.notNull())
      .addColumn('downloaded', 'bigint', (c) => c.notNull())
      .addColumn('installed', 'bigint', (c) => c.notNull())
      .addColumn('failed', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('codepush_counts_key', ['deployment_id', 'label'])
      .execute();
    await ofDeployment('codepush_hours')
      .addColumn('hour', 'bigint', (c) => c.notNull())
      .addColumn('label', 'text', (c) => c.notNull())
      .addColumn('active', 'bigint', (c) => c.notNull())
      .addColumn('downloaded', 'bigint', (c) => c.notNull())
      .addColumn('installed', 'bigint', (c) => c.notNull())
      .addColumn('failed', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('codepush_hours_key', ['deployment_id', 'hour', 'label'])
      .execute();

    // Reports that came already, by what is in them; for as long as a device may send one again.
    await ofDeployment('codepush_reports')
      .addColumn('mark', 'text', (c) => c.notNull())
      .addColumn('reported_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('codepush_reports_key', ['deployment_id', 'mark'])
      .execute();
    await schema.createIndex('codepush_reports_by_time').on('codepush_reports').columns(['reported_at']).execute();
  },
};
