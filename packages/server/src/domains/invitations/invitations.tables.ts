import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';
import { appsTables } from '../apps/apps.tables.ts';

/** Open invitations: whoever answers one, or takes it back, deletes it. */
export interface InvitationsTable {
  id: string;
  token_hash: string;
  kind: 'org' | 'app';
  /** One of these two, as `kind` says. */
  org_id: string | null;
  app_id: string | null;
  email: string;
  email_key: string;
  /** A role in the organization, or a permission on the app. */
  role: string;
  invited_by: string;
  created_at: number;
  expires_at: number;
}

export const invitationsTables = defineTables<{
  invitations: InvitationsTable;
}>({
  invitations: {
    personal: { by: { invited_by: 'userId', email_key: { holds: 'email', erase: 'row' } }, secret: ['token_hash'] },
  },
});

/** What stores of this domain can name. */
const access = accessTo(invitationsTables, accountsTables, appsTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = TablesOf<typeof access>;
