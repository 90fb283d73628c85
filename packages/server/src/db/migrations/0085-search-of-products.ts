import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who may look into an app, testers not among them, and what is newest in it: for the search over everything. */
export const searchOfProducts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create view app_readers as
      select app_members.user_id, app_members.app_id from app_members
        where app_members.permission in ('manager', 'developer', 'viewer')
      union all
      select team_members.user_id, team_apps.app_id from team_members
        join team_apps on team_apps.team_id = team_members.team_id
      union all
      select org_members.user_id, apps.id as app_id from org_members
        join apps on apps.owner_id = org_members.org_id
        where org_members.role = 'admin'`.execute(db);
    await db.schema.createIndex('releases_by_time').on('releases').columns(['app_id', 'uploaded_at', 'id']).execute();
    await db.schema.createIndex('builds_by_time').on('builds').columns(['app_id', 'queued_at', 'id']).execute();
  },
};
