import { accessTo, type TablesOf } from '../db/statement.ts';
import { defineTables } from '../db/tables.ts';

/** Work to be done after the transaction that asked for it. A finished job is deleted. */
export interface JobsTable {
  id: string;
  name: string;
  /** Empty in rows that earlier versions wrote, until a worker adds it. */
  lane: string;
  /** Owner whose share of the lane it uses; empty for the server itself. */
  owner: string;
  /** JSON. */
  payload: string;
  attempts: number;
  /** From when on anybody may take it: while it runs, the end of its lease. Null: given up, a dead letter. */
  due_at: number | null;
  /** Who runs it. */
  lease: string | null;
  last_error: string | null;
  failed_at: number | null;
  created_at: number;
}

export const jobsTables = defineTables<{
  jobs: JobsTable;
}>({
  jobs: {},
});

/** What stores of this room can name. */
const access = accessTo(jobsTables);
export const { insertInto, query, statement } = access;
export type Tables = TablesOf<typeof access>;
