import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';
import { appReaders, appsTables } from '../apps/apps.tables.ts';

/** Testers of one app, or of several apps of an organization. */
export interface DistributionGroupsTable {
  id: string;
  /** One of these two: the app whose own it is, or the organization that shares it among its apps. */
  app_id: string | null;
  org_id: string | null;
  name: string;
  name_key: string;
  display_name: string | null;
  is_public: Flag;
  created_at: number;
}

/** Every app whose testers the members are: for a group of one app that app. */
export interface DistributionGroupAppsTable {
  group_id: string;
  app_id: string;
  /** The group's, kept here so that no two groups of an app have the same. */
  name_key: string;
}

export interface DistributionGroupMembersTable {
  group_id: string;
  user_id: string;
}

/** Who was asked to join a group and has not accepted yet. */
export interface DistributionGroupInvitationsTable {
  group_id: string;
  email: string;
  email_key: string;
  token_hash: string;
  expires_at: number;
}

export const groupsTables = defineTables<{
  distribution_groups: DistributionGroupsTable;
  distribution_group_apps: DistributionGroupAppsTable;
  distribution_group_members: DistributionGroupMembersTable;
  distribution_group_invitations: DistributionGroupInvitationsTable;
}>({
  // Who may see the releases of a group is found by its name.
  distribution_groups: { grants: { newRows: false, except: ['display_name'] } },
  distribution_group_apps: { grants: true },
  distribution_group_members: { grants: true, personal: { by: { user_id: 'userId' } } },
  distribution_group_invitations: {
    personal: { by: { email_key: { holds: 'email', erase: 'row' } }, secret: ['token_hash'] },
  },
});

/** What stores of this domain can name. */
const access = accessTo(groupsTables, accountsTables, appsTables, appReaders);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = TablesOf<typeof access>;
