import { accessTo } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

/** Maximum usage of an account, by measure. */
export interface QuotasTable {
  owner_id: string;
  measure: string;
  most: number;
}

export const usageTables = defineTables<{ quotas: QuotasTable }>({
  quotas: { personal: { by: { owner_id: 'userId' } } },
});

export const { insertInto, query, statement } = accessTo(usageTables, accountsViews, appsViews);
