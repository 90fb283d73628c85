import type { CiProvider } from '@mooring/contract';
import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

export interface ApiTokensTable {
  hash: string;
  id: string;
  /** Null: a user token, which acts for `created_by`. */
  app_id: string | null;
  created_by: string;
  description: string | null;
  /** `viewer` for a token with limits, whose scope is in `limits`: an earlier version of the server knows no limits. */
  scope: 'all' | 'viewer';
  /** JSON. Null for a token with all rights of its scope. */
  limits: string | null;
  last_four: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  last_used_from: string | null;
}

/** Which CI jobs may exchange their ID token for a token of an app. */
export interface CiRulesTable {
  id: string;
  app_id: string;
  provider: CiProvider;
  issuer: string;
  /** JSON: the patterns of claims, by name. */
  claims: string;
  /** JSON. */
  permissions: string;
  created_by: string;
  created_at: number;
  last_used_at: number | null;
}

/** Tokens of CI jobs. A token ends with its rule. */
export interface CiTokensTable {
  hash: string;
  id: string;
  rule_id: string;
  expires_at: number;
}

/** Hashes of proofs that work once, such as logout tokens, until they expire. */
export interface UsedProofsTable {
  hash: string;
  expires_at: number;
}

export const tokensTables = defineTables<{
  api_tokens: ApiTokensTable;
  ci_rules: CiRulesTable;
  ci_tokens: CiTokensTable;
  used_proofs: UsedProofsTable;
}>({
  api_tokens: {
    grants: { newRows: false, except: ['last_used_at', 'last_used_from'] },
    personal: { by: { created_by: 'userId' }, secret: ['hash'] },
  },
  ci_rules: { grants: { newRows: false, except: ['last_used_at'] }, personal: { by: { created_by: 'userId' } } },
  ci_tokens: { grants: { newRows: false } },
  used_proofs: {},
});

const access = accessTo(tokensTables, accountsViews, appsViews);
export const { insertInto, query, statement } = access;
export type Tables = AccessedTables<typeof access>;
