import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const serviceAccounts: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('users')
      .addColumn('service_org_id', 'text', (c) => c.references('owners.id').onDelete('set null'))
      .execute();
    await schema.createIndex('users_by_service_org').on('users').column('service_org_id').execute();
  },
};
