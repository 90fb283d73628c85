import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const WEEK = 7 * 86_400_000;

/** Links to groups end; what was made with an OAuth token knows by which client, so that it ends with the consent. */
export const endsOfLinks: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .alterTable('distribution_group_invitations')
      .addColumn('expires_at', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
    await sql`update distribution_group_invitations set expires_at = ${Date.now() + WEEK}`.execute(db);
    await schema.alterTable('webhooks').addColumn('oauth_client_id', 'text').execute();
    await schema.alterTable('feeds').addColumn('oauth_client_id', 'text').execute();
  },
};
