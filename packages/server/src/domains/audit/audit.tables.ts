import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';

export interface AuditEventsTable {
  id: string;
  at: number;
  action: string;
  actor_kind: 'user' | 'app' | 'directory' | 'anonymous' | 'system';
  actor_user_id: string | null;
  actor_name: string | null;
  actor_token_id: string | null;
  actor_credential: 'token' | 'session' | 'oauth' | 'password' | null;
  /** OAuth client that acted for the user. */
  actor_client_id: string | null;
  subject_kind: string;
  subject_id: string;
  subject_name: string | null;
  /** Organization and app of the change, whose admins and managers may read the event. */
  org_id: string | null;
  app_id: string | null;
  address: string | null;
  request_id: string | null;
  before: string | null;
  after: string | null;
}

export const auditTables = defineTables<{
  audit_events: AuditEventsTable;
}>({
  // An erased user's events remain, still attributed to one person, under an alias.
  audit_events: {
    personal: {
      by: {
        actor_user_id: { holds: 'userId', erase: { actor_name: 'alias', address: 'null' } },
        subject_id: { holds: 'userId', erase: { subject_name: 'alias', before: 'null', after: 'null' } },
        subject_name: { holds: 'email', erase: { subject_name: 'alias', before: 'null', after: 'null' } },
      },
    },
  },
});

const access = accessTo(auditTables);
export const { insertInto, query, statement } = access;
export type Tables = AccessedTables<typeof access>;
