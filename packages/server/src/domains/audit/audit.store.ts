import type { Db } from '../../db/open.ts';
import { type AuditEventsTable, query, statement } from './audit.tables.ts';

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
    actor_credential: p.actor_credential,
    actor_client_id: p.actor_client_id,
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

/** The oldest, a few at a time. */
export const deleteOldAuditEvents = statement((q, p: { before: number; limit: number }) =>
  q
    .deleteFrom('audit_events')
    .where(
      'id',
      'in',
      q.selectFrom('audit_events').select('id').where('at', '<', p.before).orderBy('at').orderBy('id').limit(p.limit),
    ),
);

/** Whose changes are asked for, and which of them. */
export interface AuditFilter {
  orgId?: string;
  appId?: string;
  actor?: string;
  /** A whole action such as `app.update`, or its first word for all of a kind. */
  action?: string;
  since?: number;
  until?: number;
}

/**
 * Newest first, from just before a position on. Built for each call: the filters that are there decide its shape,
 * and an index by organization, by app or by time carries each of them.
 */
export const pageAuditEvents = (db: Db, filter: AuditFilter, after: { at: number; id: string }, limit: number) =>
  query<AuditRow>(db, (q) => {
    const { orgId, appId, actor, action, since, until } = filter;
    let query = q
      .selectFrom('audit_events')
      .selectAll()
      .where(({ eb, refTuple, tuple }) => eb(refTuple('at', 'id'), '<', tuple(after.at, after.id)))
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (orgId !== undefined) query = query.where('org_id', '=', orgId);
    if (appId !== undefined) query = query.where('app_id', '=', appId);
    if (actor !== undefined) query = query.where('actor_name', '=', actor);
    if (action?.includes('.')) query = query.where('action', '=', action);
    // From "app." up to, but not including, what follows every "app.…" in the alphabet: "/" is the sign after ".".
    else if (action) query = query.where('action', '>=', `${action}.`).where('action', '<', `${action}/`);
    if (since !== undefined) query = query.where('at', '>=', since);
    if (until !== undefined) query = query.where('at', '<', until);
    return query;
  });
