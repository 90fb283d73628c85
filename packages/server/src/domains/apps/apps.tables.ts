import { appPermissions, impliedRank } from '@mooring/contract';
import { sql } from 'kysely';
import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, defineViews } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';

export interface AppsTable {
  id: string;
  owner_id: string;
  name: string;
  name_key: string;
  display_name: string;
  /** Search key of the display name. */
  display_name_key: string;
  description: string | null;
  os: string;
  platform: string;
  release_type: string | null;
  icon_url: string | null;
  /** The secret that SDKs send. */
  app_secret: string;
  created_at: number;
  updated_at: number;
}

/** Previous secrets, while installed apps may still send them. */
export interface AppFormerSecretsTable {
  secret: string;
  app_id: string;
  ends_at: number;
}

/** Apps that a user marked, which lists show first. */
export interface AppFavoritesTable {
  user_id: string;
  app_id: string;
  created_at: number;
}

export interface AppMembersTable {
  app_id: string;
  user_id: string;
  permission: 'manager' | 'developer' | 'viewer' | 'tester';
}

/** Members of an organization who share permissions on apps. */
export interface TeamsTable {
  id: string;
  org_id: string;
  name: string;
  name_key: string;
  display_name: string;
  description: string | null;
  created_at: number;
}

export interface TeamMembersTable {
  team_id: string;
  user_id: string;
}

export interface TeamAppsTable {
  team_id: string;
  app_id: string;
  permission: 'manager' | 'developer' | 'viewer';
}

/** Provided by higher domains: testers of an app, through its groups. */
export interface AppTestersView {
  app_id: string;
  user_id: string;
}

/** Provided by higher domains: subscriptions that an app is linked to. */
export interface AppLinkedSubscriptionsView {
  app_id: string;
  id: string;
  tenant_id: string;
  display_name: string;
  linked_at: number;
}

export const appsTables = defineTables<{
  apps: AppsTable;
  app_former_secrets: AppFormerSecretsTable;
  app_members: AppMembersTable;
  app_favorites: AppFavoritesTable;
  teams: TeamsTable;
  team_members: TeamMembersTable;
  team_apps: TeamAppsTable;
}>({
  apps: {
    grants: {
      newRows: false,
      except: ['display_name', 'display_name_key', 'description', 'release_type', 'icon_url', 'updated_at'],
    },
    responses: true,
    personal: { by: { owner_id: 'userId' }, secret: ['app_secret'] },
  },
  app_former_secrets: { grants: true },
  app_members: { grants: true, personal: { by: { user_id: 'userId' } } },
  app_favorites: { personal: { by: { user_id: 'userId' } } },
  teams: { grants: { newRows: false, except: ['name', 'name_key', 'display_name', 'description'] } },
  team_members: { grants: true, personal: { by: { user_id: 'userId' } } },
  team_apps: { grants: true },
});

/** Views for the stores of other domains. */
export const appsViews = defineViews<{
  app_names: Pick<
    AppsTable,
    | 'id'
    | 'owner_id'
    | 'name'
    | 'name_key'
    | 'display_name'
    | 'display_name_key'
    | 'description'
    | 'os'
    | 'platform'
    | 'icon_url'
  >;
  /** Members, teams and organization admins of an app, but not its testers; some more than once. */
  app_readers: { user_id: string; app_id: string };
  /** Members with the permission manager. */
  app_managers: Pick<AppMembersTable, 'app_id' | 'user_id'>;
  team_names: Pick<TeamsTable, 'id' | 'org_id' | 'name' | 'name_key'>;
}>();

/** A user who searches all their apps, and an estimate of the share of all apps that they can view. */
export interface AppsReader {
  userId: string;
  sees: 'little' | 'much' | 'nearly all';
}

/** Which of the newest rows to sample. */
export interface Sample {
  reader: AppsReader;
  /** Number of newest rows to sample from. */
  among: number;
  /** Takes rows whose time is divisible by this. */
  every: number;
}

/**
 * Condition that the user may view the app of a row. Users who see much get a scalar subquery, evaluated row by row, which
 * no planner turns into a list of all their apps.
 */
export function isReadable(appId: string, { userId, sees }: AppsReader) {
  const column = sql.ref(appId);
  if (sees === 'little') {
    return sql<boolean>`${column} in (select app_readers.app_id from app_readers where app_readers.user_id = ${userId})`;
  }
  return sql<boolean>`(select looked.owner_id in (
      select mine.org_id from organization_members as mine where mine.user_id = ${userId} and mine.role = 'admin'
    ) or exists (
      select 1 from app_readers where app_readers.app_id = looked.id and app_readers.user_id = ${userId}
    ) from app_names as looked where looked.id = ${column})`;
}

/** Searchable name and display name of a row's app. */
export const selectAppNames = (appId: string) =>
  sql<string>`(select named.display_name_key || ' ' || named.name_key from app_names as named where named.id = ${sql.ref(appId)})`;

/** Views used here and defined by higher domains in migrations. */
const filledViews = defineViews<{
  app_testers: AppTestersView;
  app_linked_subscriptions: AppLinkedSubscriptionsView;
}>();

const access = accessTo(appsTables, filledViews, appsViews, accountsViews);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;

/** Permissions as comparable numbers; `permissions.ts` converts them back. */
const permissionNames: readonly string[] = appPermissions;
const toRank = (permission: string): number => permissionNames.indexOf(permission) + 1;
const whens = permissionNames.map((permission) => sql`when ${sql.lit(permission)} then ${sql.lit(toRank(permission))}`);

export const toPermissionRank = (column: 'app_members.permission' | 'team_apps.permission') =>
  sql<number>`case ${sql.ref(column)} ${sql.join(whens, sql` `)} else 0 end`;

export const OF_ORG_ADMINS = toRank(impliedRank('org:admin', 'app') ?? '');
export const OF_TESTERS = toRank('tester');
