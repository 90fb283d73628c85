import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';

/** Email domains that administrators of the server assigned to organizations, in lower case. */
export interface OrgDomainsTable {
  domain: string;
  org_id: string;
}

export interface ScimTokensTable {
  id: string;
  hash: string;
  org_id: string;
  description: string | null;
  last_four: string;
  created_by: string | null;
  created_at: number;
  last_used_at: number | null;
}

/** Accounts that the directory of an organization knows. */
export interface ScimUsersTable {
  org_id: string;
  user_id: string;
  user_name: string;
  /** In lower case. Null once the directory has deleted the user. */
  user_name_key: string | null;
  external_id: string | null;
  /** JSON: names and addresses as the directory sent them. */
  attributes: string;
  /** Set if the directory has disabled the account, so that it may enable it again. */
  has_disabled: Flag;
  /** Set if the directory has ended the membership, so that it may restore it. */
  removed_role: string | null;
  created_at: number;
  updated_at: number;
}

/** Teams that the directory of an organization has created. */
export interface ScimGroupsTable {
  team_id: string;
  org_id: string;
  external_id: string | null;
  display_name: string;
  display_name_key: string;
  created_at: number;
  updated_at: number;
}

export const provisioningTables = defineTables<{
  org_domains: OrgDomainsTable;
  scim_tokens: ScimTokensTable;
  scim_users: ScimUsersTable;
  scim_groups: ScimGroupsTable;
}>({
  org_domains: {},
  scim_tokens: {
    grants: { newRows: false, except: ['last_used_at'] },
    personal: { by: { created_by: { holds: 'userId', erase: { created_by: 'null' } } }, secret: ['hash'] },
  },
  scim_users: { personal: { by: { user_id: 'userId' } } },
  scim_groups: {},
});

const access = accessTo(provisioningTables, accountsViews);
export const { insertInto, query, statement } = access;
export type Tables = AccessedTables<typeof access>;
