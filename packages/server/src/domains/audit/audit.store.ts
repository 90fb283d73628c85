import { statement } from '../../db/statement.ts';
import type { AuditEventsTable } from '../../db/tables.ts';

export type AuditRow = AuditEventsTable;

export const insertAuditEvent = statement((q, p: AuditRow) =>
  q.insertInto('audit_events').values({
    id: p.id,
    at: p.at,
    action: p.action,
    actor_kind: p.actor_kind,
    actor_user_id: p.actor_user_id,
    actor_name: p.actor_name,
    actor_token_id: p.actor_token_id,
    subject_kind: p.subject_kind,
    subject_id: p.subject_id,
    subject_name: p.subject_name,
    org_id: p.org_id,
    app_id: p.app_id,
    address: p.address,
    request_id: p.request_id,
    before: p.before,
    after: p.after,
  }),
);

/** Newest first, from just before a position on. */
export const pageAuditEvents = statement((q, p: { at: number; id: string; limit: number }) =>
  q
    .selectFrom('audit_events')
    .selectAll()
    .where(({ eb, refTuple, tuple }) => eb(refTuple('at', 'id'), '<', tuple(p.at, p.id)))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);
