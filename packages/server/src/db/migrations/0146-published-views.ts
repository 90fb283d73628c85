import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Views that domains publish, so that the stores of others need not name their tables. Joins in them are
 * left joins by a unique key, which both databases skip if a query reads no column of the joined table.
 */
export const publishedViews: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create view owner_names as
      select id, kind, name, name_key, display_name, display_name_key, avatar_url from owners`.execute(db);
    await sql`create view people as
      select users.id, owners.name, owners.name_key, owners.display_name, owners.display_name_key, owners.avatar_url,
        users.email, users.email_key, users.is_admin, users.is_disabled, users.is_email_verified, users.service_org_id
      from users left join owners on owners.id = users.id`.execute(db);
    await sql`create view organization_members as select org_id, user_id, role from org_members`.execute(db);
    await sql`create view user_sessions as select id, user_id, created_at, expires_at from sessions`.execute(db);

    await sql`create view app_names as
      select id, owner_id, name, name_key, display_name, display_name_key, description, os, platform, icon_url
      from apps`.execute(db);
    await sql`create view app_managers as
      select app_id, user_id from app_members where permission = 'manager'`.execute(db);

    await sql`create view group_apps as
      select distribution_group_apps.group_id, distribution_group_apps.app_id, distribution_groups.name,
        distribution_group_apps.name_key, distribution_groups.display_name, distribution_groups.is_public
      from distribution_group_apps
        left join distribution_groups on distribution_groups.id = distribution_group_apps.group_id`.execute(db);
    await sql`create view group_members as
      select group_id, user_id, 0 as is_collaborator from distribution_group_members
      union all
      select distribution_groups.id as group_id, app_readers.user_id, 1 as is_collaborator
      from distribution_groups join app_readers on app_readers.app_id = distribution_groups.id`.execute(db);

    await sql`create view subscription_names as
      select id, tenant_id, owner_id, display_name, updated_at from subscriptions`.execute(db);
    await sql`create view runner_job_states as select id, state from runner_jobs`.execute(db);
    await sql`create view runner_job_outputs as select job_id, sha256 from runner_job_files`.execute(db);
    await sql`create view tested_packages as
      select run_id, app_id, release_id, build_id from package_tests`.execute(db);
    await sql`create view channel_endpoints as
      select id, channel, url, sealed_url, secret, old_secret, old_secret_until, is_enabled, disabled_reason, failing_since,
        created_at, updated_at
      from delivery_endpoints`.execute(db);
    await sql`create view download_counts as select key, count from file_downloads`.execute(db);
  },
};
