import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';

/** All emails, sent or not. */
export interface MailsTable {
  id: string;
  to: string;
  subject: string;
  /** Sealed until it was sent, like the URL and the HTML below. */
  text: string;
  created_at: number;
  sent_at: number | null;
  error: string | null;
  /** URL for unsubscribing from emails of this kind. */
  unsubscribe_url: string | null;
  /** Shown by email programs instead of the text; removed once sent. */
  html: string | null;
}

export const mailTables = defineTables<{
  mails: MailsTable;
}>({
  // Links in these texts can grant access to an account or an organization.
  mails: { personal: { by: { to: { holds: 'email', erase: 'row' } }, secret: ['text', 'html', 'unsubscribe_url'] } },
});

const access = accessTo(mailTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;
