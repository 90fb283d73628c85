import { accessTo } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';
import { appsTables } from '../apps/apps.tables.ts';

/** How much an account may use of something. */
export interface QuotasTable {
  owner_id: string;
  measure: string;
  most: number;
}

export const usageTables = defineTables<{ quotas: QuotasTable }>({
  quotas: { personal: { by: { owner_id: 'userId' } } },
});

/** What stores of this domain can name. */
export const { insertInto, query, statement } = accessTo(usageTables, accountsTables, appsTables);
