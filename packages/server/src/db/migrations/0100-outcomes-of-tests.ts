import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How each test went on a device that is done, so that nobody reads all its events again for the history of a test. */
export const outcomesOfTests: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('test_run_devices').addColumn('outcomes', 'text').execute();
  },
};
