import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const formerDeploymentKeys: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('codepush_former_keys')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('deployment_id', 'text', (c) => c.notNull().references('codepush_deployments.id').onDelete('cascade'))
      .addColumn('ends_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createIndex('codepush_former_keys_by_deployment')
      .on('codepush_former_keys')
      .column('deployment_id')
      .execute();
  },
};
