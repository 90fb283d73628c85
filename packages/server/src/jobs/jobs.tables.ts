import { type AccessedTables, accessTo } from '../db/statement.ts';
import { defineTables } from '../db/tables.ts';

/** Work to do after the transaction that enqueued it. Finished jobs are deleted. */
export interface JobsTable {
  id: string;
  name: string;
  /** Empty in rows that earlier versions wrote, until a worker adds it. */
  lane: string;
  /** Owner whose share of the lane it uses; empty for the server itself. */
  owner: string;
  payload: string;
  attempts: number;
  /** When a worker may claim it; while it runs, the end of its lease. Null for a dead letter. */
  due_at: number | null;
  /** The worker that runs it. */
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

const access = accessTo(jobsTables);
export const { insertInto, query, statement } = access;
export type Tables = AccessedTables<typeof access>;
