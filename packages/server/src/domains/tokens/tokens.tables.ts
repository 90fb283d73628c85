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

export const tokensTables = defineTables<{
  api_tokens: ApiTokensTable;
}>({
  api_tokens: {
    grants: { newRows: false, except: ['last_used_at', 'last_used_from'] },
    personal: { by: { created_by: 'userId' }, secret: ['hash'] },
  },
});

const access = accessTo(tokensTables, accountsViews, appsViews);
export const { insertInto, query, statement } = access;
export type Tables = AccessedTables<typeof access>;
