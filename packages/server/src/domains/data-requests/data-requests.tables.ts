import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';

/** A user's request for a copy of their data, or for its deletion. */
export interface DataRequestsTable {
  /** The receipt; too long to guess. */
  id: string;
  kind: 'export' | 'delete';
  /** Null once the account is deleted. */
  user_id: string | null;
  /** Keyed hash of the email, to verify an address without storing it. */
  email_proof: string;
  status: 'Created' | 'InProgress' | 'Completed' | 'Failed' | 'Cancelled';
  message: string;
  created_at: number;
  /** When the account is deleted, or when the archive expires. */
  due_at: number;
  ended_at: number | null;
}

/** A request about a data subject of an app. */
export interface SubjectRequestsTable {
  id: string;
  app_id: string;
  kind: 'export' | 'delete';
  sender_kind: 'install' | 'user';
  /** Empty once the subject is erased or the file has expired. */
  sender_value: string;
  status: 'Created' | 'InProgress' | 'Completed' | 'Failed';
  message: string;
  /** Records in the file; -1 once it was deleted. */
  record_count: number;
  left_count: number;
  created_at: number;
  /** When the file expires. */
  due_at: number;
  ended_at: number | null;
}

export const dataRequestsTables = defineTables<{
  data_requests: DataRequestsTable;
  sender_requests: SubjectRequestsTable;
}>({
  sender_requests: {},
  data_requests: { personal: { by: { user_id: 'userId' }, secret: ['email_proof'] } },
});

const access = accessTo(dataRequestsTables, accountsViews);
export const { insertInto, query, statement } = access;
export type Tables = AccessedTables<typeof access>;
