import type { OrgRole } from '@mooring/contract';
import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';
import { groupsViews } from '../groups/groups.tables.ts';

/** Identity providers that administrators added; the one of the settings has no row. */
export interface IdentityProvidersTable {
  id: string;
  name: string;
  display_name: string;
  issuer: string;
  client_id: string;
  /** Null for a client without a secret. */
  sealed_secret: string | null;
  /** JSON. */
  scopes: string;
  /** JSON, in lower case. */
  allowed_domains: string;
  creates_accounts: Flag;
  trusts_email: Flag;
  is_enabled: Flag;
  groups_claim: string;
  signs_out: Flag;
  created_at: number;
}

/** A group of a provider, and the membership that it stands for here. */
export interface GroupMappingsTable {
  id: string;
  /** The name of the provider, which may come from the settings. */
  provider: string;
  provider_group: string;
  org_id: string;
  role: OrgRole;
  team_id: string | null;
  /** A distribution group that the organization shares. */
  group_id: string | null;
  created_at: number;
}

/** Memberships that a mapping created; others are never removed by one. */
export interface MappedMembershipsTable {
  user_id: string;
  provider: string;
  kind: 'org' | 'team' | 'group';
  target_id: string;
  org_id: string;
  /** For an organization. */
  role: OrgRole | null;
}

/** Since when people of the server or of an organization need a second factor. */
export interface FactorRulesTable {
  /** The ID of the organization, or `server`. */
  id: string;
  /** Null: all people of the server. */
  org_id: string | null;
  required_from: number;
}

export interface PasskeysTable {
  /** The ID of the credential, in base64url. */
  id: string;
  user_id: string;
  /** The ID of the user in the authenticator, in base64url. */
  handle: string;
  name: string;
  /** In base64url. */
  public_key: string;
  sign_count: number;
  /** JSON. */
  transports: string;
  /** Whether it is backed up to other devices. */
  is_synced: Flag;
  created_at: number;
  last_used_at: number | null;
}

/** Links a user of an identity provider to an account. */
export interface SignInLinksTable {
  issuer: string;
  subject: string;
  user_id: string;
  linked_at: number;
}

/** The identity provider that replaces passwords of people in its domains. */
export interface SignInRulesTable {
  /** The ID of the organization, or `server`. */
  id: string;
  /** Null: all people of the server. */
  org_id: string | null;
  /** The name of the provider, which may come from the settings. */
  provider: string;
  created_at: number;
}

/** The authenticator app of an account. */
export interface SecondFactorsTable {
  user_id: string;
  sealed_secret: string;
  /** The step of the last code that was used; earlier ones are refused. */
  last_step: number;
  /** Null until a code was confirmed. */
  enabled_at: number | null;
}

export interface RecoveryCodesTable {
  user_id: string;
  hash: string;
}

export const signInTables = defineTables<{
  identity_providers: IdentityProvidersTable;
  group_mappings: GroupMappingsTable;
  mapped_memberships: MappedMembershipsTable;
  factor_rules: FactorRulesTable;
  passkeys: PasskeysTable;
  sign_in_links: SignInLinksTable;
  sign_in_rules: SignInRulesTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
}>({
  identity_providers: {},
  group_mappings: {},
  mapped_memberships: { personal: { by: { user_id: 'userId' } } },
  factor_rules: {},
  passkeys: { personal: { by: { user_id: 'userId' } } },
  sign_in_links: { personal: { by: { user_id: 'userId' } } },
  sign_in_rules: {},
  second_factors: { personal: { by: { user_id: 'userId' }, secret: ['sealed_secret'] } },
  recovery_codes: { personal: { by: { user_id: 'userId' }, secret: ['hash'] } },
});

/** The tables of this domain and the published views that its stores may use. */
const access = accessTo(signInTables, accountsViews, appsViews, groupsViews);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;
