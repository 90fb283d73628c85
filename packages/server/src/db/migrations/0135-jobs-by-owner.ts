import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Owners take turns in each lane. Rows of earlier versions have no lane; a worker adds it. */
export const jobsByOwner: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of ['lane', 'owner']) {
      await db.schema
        .alterTable('jobs')
        .addColumn(column, 'text', (add) => add.notNull().defaultTo(''))
        .execute();
    }
    await db.schema.createIndex('jobs_by_owner').on('jobs').columns(['lane', 'owner', 'due_at', 'id']).execute();
  },
};
