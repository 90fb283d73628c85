import { appPermissions, impliedRank } from '@mooring/contract';
import { sql } from 'kysely';
import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, defineViews } from '../../db/tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';

export interface AppsTable {
  id: string;
  owner_id: string;
  name: string;
  name_key: string;
  display_name: string;
  /** Its search key. */
  display_name_key: string;
  description: string | null;
  os: string;
  platform: string;
  release_type: string | null;
  icon_url: string | null;
  /** The key that SDKs send. */
  app_secret: string;
  created_at: number;
  updated_at: number;
}

/** A secret that was replaced, as long as installed apps may still send it. */
export interface AppFormerSecretsTable {
  secret: string;
  app_id: string;
  ends_at: number;
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

/** What `apps` asks of the domains above it: who tests an app by being in one of its groups. */
export interface AppTestersView {
  app_id: string;
  user_id: string;
}

/** Who may look into an app: its members, teams and the admins of its organization, but not its testers; some more than once. */
export interface AppReadersView {
  user_id: string;
  app_id: string;
}

/** And the subscriptions that an app is linked to. */
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
  teams: { grants: { newRows: false, except: ['name', 'name_key', 'display_name', 'description'] } },
  team_members: { grants: true, personal: { by: { user_id: 'userId' } } },
  team_apps: { grants: true },
});

/** For the searches of domains above, whose stores know no verbs of this one. */
export const appReaders = defineViews<{ app_readers: AppReadersView }>();

/** Somebody who searches in all the apps that they may look into, and how much of all there is they see by that. */
export interface AppsReader {
  userId: string;
  sees: 'little' | 'much' | 'nearly all';
}

/** Which of the newest things it is asked of. */
export interface Sample {
  reader: AppsReader;
  /** Among so many of the newest. */
  among: number;
  /** By its time, which is divisible by this. */
  every: number;
}

/**
 * Whether the app of a row is one of those that somebody may look into: those of `app_readers`. Who sees much gets a scalar,
 * which is asked of one row after the other, and which no planner turns into a list of all their apps.
 */
export function isReadable(appId: string, { userId, sees }: AppsReader) {
  const column = sql.ref(appId);
  if (sees === 'little') {
    return sql<boolean>`${column} in (select app_readers.app_id from app_readers where app_readers.user_id = ${userId})`;
  }
  return sql<boolean>`(select looked.owner_id in (
      select org_members.org_id from org_members where org_members.user_id = ${userId} and org_members.role = 'admin'
    ) or exists (
      select 1 from app_readers where app_readers.app_id = looked.id and app_readers.user_id = ${userId}
    ) from apps as looked where looked.id = ${column})`;
}

/** Both names of the app of a row, as they are searched by. */
export const namesOfApp = (appId: string) =>
  sql<string>`(select named.display_name_key || ' ' || named.name_key from apps as named where named.id = ${sql.ref(appId)})`;

/** What apps ask of the domains above them, which fill these views by migrations. */
const appsViews = defineViews<{
  app_testers: AppTestersView;
  app_linked_subscriptions: AppLinkedSubscriptionsView;
}>();

/** What stores of this domain can name. */
const access = accessTo(appsTables, appsViews, appReaders, accountsTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = TablesOf<typeof access>;

/** What somebody may do to an app, as a number that can be compared; `permissions.ts` turns it back into a word. */
const words: readonly string[] = appPermissions;
const rankOfWord = (word: string): number => words.indexOf(word) + 1;
const whens = words.map((word) => sql`when ${sql.lit(word)} then ${sql.lit(rankOfWord(word))}`);

export const rankOfPermission = (column: 'app_members.permission' | 'team_apps.permission') =>
  sql<number>`case ${sql.ref(column)} ${sql.join(whens, sql` `)} else 0 end`;

export const OF_ORG_ADMINS = rankOfWord(impliedRank('org:admin', 'app') ?? '');
export const OF_TESTERS = rankOfWord('tester');
