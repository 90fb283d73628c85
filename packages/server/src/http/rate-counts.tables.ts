import { accessTo, type TablesOf } from '../db/statement.ts';
import { defineTables } from '../db/tables.ts';

/** How many requests all processes have let through for a credential or address, in the minute that began at `window`. */
export interface RateCountsTable {
  key: string;
  window: number;
  used: number;
}

export const rateCountsTables = defineTables<{
  rate_counts: RateCountsTable;
}>({
  // Counts of the running minute.
  rate_counts: { backup: false },
});

/** What stores of this room can name. */
const access = accessTo(rateCountsTables);
export const { insertInto, query, statement } = access;
export type Tables = TablesOf<typeof access>;
