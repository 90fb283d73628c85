import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';

/** What somebody asked for: a copy of everything about them, or that it be deleted. */
export interface DataRequestsTable {
  /** The receipt; nobody guesses it. */
  id: string;
  kind: 'export' | 'delete';
  /** Null once the account is gone. */
  user_id: string | null;
  /** Tells whether an e-mail is that of the account, and not which one that was. */
  email_proof: string;
  status: 'Created' | 'InProgress' | 'Completed' | 'Failed' | 'Cancelled';
  message: string;
  created_at: number;
  /** When the account is deleted; until when the archive is kept. */
  due_at: number;
  ended_at: number | null;
}

/** What was asked for about a user of an app. */
export interface SenderRequestsTable {
  id: string;
  app_id: string;
  kind: 'export' | 'delete';
  sender_kind: 'install' | 'user';
  /** Empty once it is deleted, or the file has expired. */
  sender_value: string;
  status: 'Created' | 'InProgress' | 'Completed' | 'Failed';
  message: string;
  /** In the file; -1 once that is gone. */
  record_count: number;
  left_count: number;
  created_at: number;
  /** Until when the file is kept. */
  due_at: number;
  ended_at: number | null;
}

export const dataRequestsTables = defineTables<{
  data_requests: DataRequestsTable;
  sender_requests: SenderRequestsTable;
}>({
  sender_requests: {},
  data_requests: { personal: { by: { user_id: 'userId' }, secret: ['email_proof'] } },
});

/** What stores of this domain can name. */
const access = accessTo(dataRequestsTables, accountsTables);
export const { insertInto, query, statement } = access;
export type Tables = TablesOf<typeof access>;
