import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An authorization code that is sent a second time ends the token that it was exchanged for. */
export const reusedOauthCodes: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('oauth_codes').addColumn('reused_at', 'bigint').execute();
  },
};
