import type { Db } from '../../db/open.ts';
import { type AuditEventsTable, insertInto, query, statement } from './audit.tables.ts';

export type AuditRow = AuditEventsTable;

export const insertAuditEvent = insertInto('audit_events');

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
