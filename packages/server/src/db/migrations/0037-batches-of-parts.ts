import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which batches a part was made from, so that it can be made again. Of those that there are it is not known. */
export const batchesOfParts: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['first_batch', 'last_batch'])
      await db.schema.alterTable('analytics_parts').addColumn(column, 'bigint').execute();
  },
};
