import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Parameters of test runs often hold passwords; what earlier versions stored is sealed by the hourly sweep. */
export const sealedTestParameters: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('test_runs').addColumn('sealed_parameters', 'text').execute();
  },
};
