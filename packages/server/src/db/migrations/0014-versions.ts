import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const versions: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('versions')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('value', 'bigint', (c) => c.notNull())
      .execute();
    await schema.dropTable('authority').execute();
  },
};
