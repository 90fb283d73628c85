import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An alert rule without a value says why. */
export const reasonsOfUnknownAlerts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('alert_rules').addColumn('unknown_reason', 'text').execute();
  },
};
