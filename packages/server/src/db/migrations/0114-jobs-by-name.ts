import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A worker finds what is due of its jobs without looking at thousands of others that are due as well. */
export const jobsByName: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('jobs_by_name').on('jobs').columns(['name', 'due_at']).execute();
  },
};
