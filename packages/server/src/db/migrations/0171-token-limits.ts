import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Permissions and other limits of API tokens, and the address that last used them. */
export const tokenLimits: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('api_tokens').addColumn('limits', 'text').execute();
    await db.schema.alterTable('api_tokens').addColumn('last_used_from', 'text').execute();
  },
};
