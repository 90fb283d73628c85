import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, defineViews, type Flag } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

/** Testers of one app, or of several apps of an organization. */
export interface DistributionGroupsTable {
  id: string;
  /** Exactly one is set: the app of the group, or the organization that shares it. */
  app_id: string | null;
  org_id: string | null;
  name: string;
  name_key: string;
  display_name: string | null;
  is_public: Flag;
  created_at: number;
}

/** Apps whose testers the members are; a single one for a group of an app. */
export interface DistributionGroupAppsTable {
  group_id: string;
  app_id: string;
  /** Copy of the group's key, so that no two groups of an app share a name. */
  name_key: string;
}

export interface DistributionGroupMembersTable {
  group_id: string;
  user_id: string;
}

/** Pending invitations to groups. */
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
  // Access to the releases of a group depends on its name.
  distribution_groups: { grants: { newRows: false, except: ['display_name'] } },
  distribution_group_apps: { grants: true },
  distribution_group_members: { grants: true, personal: { by: { user_id: 'userId' } } },
  distribution_group_invitations: {
    personal: { by: { email_key: { holds: 'email', erase: 'row' } }, secret: ['token_hash'] },
  },
});

/** Views for the stores of other domains. */
export const groupsViews = defineViews<{
  /** Apps of each group, with its names. */
  group_apps: DistributionGroupAppsTable & Pick<DistributionGroupsTable, 'name' | 'display_name' | 'is_public'>;
  /**
   * Testers of each group. The collaborators group, with the ID of its app, has the readers of the app, some more than once.
   */
  group_members: DistributionGroupMembersTable & { is_collaborator: Flag };
  /** Groups that organizations share. */
  shared_groups: Pick<DistributionGroupsTable, 'id' | 'name' | 'name_key'> & { org_id: string };
}>();

const access = accessTo(groupsTables, accountsViews, appsViews);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;
