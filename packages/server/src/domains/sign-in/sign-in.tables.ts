import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';

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
  created_at: number;
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
  sign_in_links: SignInLinksTable;
  sign_in_rules: SignInRulesTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
}>({
  identity_providers: {},
  sign_in_links: { personal: { by: { user_id: 'userId' } } },
  sign_in_rules: {},
  second_factors: { personal: { by: { user_id: 'userId' }, secret: ['sealed_secret'] } },
  recovery_codes: { personal: { by: { user_id: 'userId' }, secret: ['hash'] } },
});

/** The tables of this domain and the published views that its stores may use. */
const access = accessTo(signInTables, accountsViews);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;
