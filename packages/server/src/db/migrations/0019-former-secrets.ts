import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const formerSecrets: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('app_former_secrets')
      .addColumn('secret', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('ends_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('app_former_secrets_by_app').on('app_former_secrets').column('app_id').execute();
  },
};
