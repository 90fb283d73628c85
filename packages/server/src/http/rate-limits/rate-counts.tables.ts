import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';

/**
 * Number of requests that all processes have admitted for a credential or IP address, in the minute that started at
 * `window`.
 */
export interface RateCountsTable {
  key: string;
  window: number;
  used: number;
}

export const rateCountsTables = defineTables<{
  rate_counts: RateCountsTable;
}>({
  // Counts of the current minute.
  rate_counts: { backup: false },
});

const access = accessTo(rateCountsTables);
export const { insertInto, query, statement } = access;
export type Tables = AccessedTables<typeof access>;
