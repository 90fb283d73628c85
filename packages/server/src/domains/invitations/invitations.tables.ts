import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

/** Open invitations: deleted when answered or withdrawn. */
export interface InvitationsTable {
  id: string;
  token_hash: string;
  kind: 'org' | 'app';
  /** One of these two, depending on `kind`. */
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

const access = accessTo(invitationsTables, accountsViews, appsViews);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;
