import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const rateCounts: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('rate_counts')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('window', 'bigint', (c) => c.notNull())
      .addColumn('used', 'integer', (c) => c.notNull())
      .execute();
  },
};
