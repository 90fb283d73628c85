import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';

/** Every mail that was written, sent or not. */
export interface MailsTable {
  id: string;
  to: string;
  subject: string;
  text: string;
  created_at: number;
  sent_at: number | null;
  error: string | null;
  /** Where its reader can end such mails. */
  unsubscribe_url: string | null;
}

export const mailTables = defineTables<{
  mails: MailsTable;
}>({
  mails: {},
});

/** What stores of this domain can name. */
const access = accessTo(mailTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = TablesOf<typeof access>;
