import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Each fact gets the name of whoever owns it in front. */
const names = {
  setup_token_hash: 'accounts.setup_token_hash',
  tenant_id: 'identity.tenant_id',
  health_page_key: 'health.page_key',
  health_watch: 'health.watch',
};

export const tablesOfDomains: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('server_facts').renameTo('key_values').execute();
    for (const [before, after] of Object.entries(names)) {
      await sql`update key_values set name = ${after} where name = ${before}`.execute(db);
    }
    // What apps ask of domains above them: who tests an app, and which subscriptions it is linked to.
    await sql`create view app_testers as
      select distribution_group_apps.app_id, distribution_group_members.user_id
      from distribution_group_members
      join distribution_group_apps on distribution_group_apps.group_id = distribution_group_members.group_id`.execute(
      db,
    );
    await sql`create view app_linked_subscriptions as
      select app_subscriptions.app_id, subscriptions.id, subscriptions.tenant_id, subscriptions.display_name,
        app_subscriptions.linked_at
      from app_subscriptions
      join subscriptions on subscriptions.id = app_subscriptions.subscription_id`.execute(db);
  },
};
