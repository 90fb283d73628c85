import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Addresses of webhooks often hold a secret; those that earlier versions stored are sealed by the daily sweep. */
export const sealedAddresses: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('delivery_endpoints').addColumn('sealed_url', 'text').execute();
  },
};
