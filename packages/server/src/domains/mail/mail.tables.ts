import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';

/** Every mail that was written, sent or not. */
export interface MailsTable {
  id: string;
  to: string;
  subject: string;
  /** Sealed until it was sent, as are the address and the HTML below. */
  text: string;
  created_at: number;
  sent_at: number | null;
  error: string | null;
  /** Where its reader can end such mails. */
  unsubscribe_url: string | null;
  /** What mail programs show instead of the text, until it was sent. */
  html: string | null;
}

export const mailTables = defineTables<{
  mails: MailsTable;
}>({
  // Links in their text are worth an account, or a place in an organization.
  mails: { personal: { by: { to: { holds: 'email', erase: 'row' } }, secret: ['text', 'html', 'unsubscribe_url'] } },
});

/** What stores of this domain can name. */
const access = accessTo(mailTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = TablesOf<typeof access>;
