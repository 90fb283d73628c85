import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';
import { appsTables } from '../apps/apps.tables.ts';

export interface ApiTokensTable {
  hash: string;
  id: string;
  /** Null: a user token, which acts for `created_by`. */
  app_id: string | null;
  created_by: string;
  description: string | null;
  scope: 'all' | 'viewer';
  last_four: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
}

export const tokensTables = defineTables<{
  api_tokens: ApiTokensTable;
}>({
  api_tokens: {
    grants: { newRows: false, except: ['last_used_at'] },
    personal: { by: { created_by: 'userId' }, secret: ['hash'] },
  },
});

/** What stores of this domain can name. */
const access = accessTo(tokensTables, accountsTables, appsTables);
export const { insertInto, query, statement } = access;
export type Tables = TablesOf<typeof access>;
