import { AUDIT_SEARCHED } from '@mooring/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { mentionsTerms, selectPage } from '../../db/rows/listing.ts';
import type { Listing } from '../../kernel/paging.ts';
import { type AuditEventsTable, insertInto, query, statement } from './audit.tables.ts';

export type AuditRow = AuditEventsTable;

export const insertAuditEvent = insertInto('audit_events');

/** Deletes the oldest events, in small batches. */
export const deleteOldAuditEvents = statement((q, p: { before: number; limit: number }) =>
  q
    .deleteFrom('audit_events')
    .where(
      'id',
      'in',
      q.selectFrom('audit_events').select('id').where('at', '<', p.before).orderBy('at').limit(p.limit),
    ),
);

/** Restricts the events by organization, app and other fields. */
export interface AuditFilter {
  orgId?: string;
  appId?: string;
  actor?: string;
  /** A whole action such as `app.update`, or its first word for all actions of that kind. */
  action?: string;
  since?: number;
  until?: number;
}

const names = ['audit_events.action', 'audit_events.actor_name', 'audit_events.subject_name'];

/**
 * Built for each call, because the filters determine its shape; an index by organization, app or time supports each. A
 * search scans the newest matches only, and no total is counted: there may be millions of events.
 */
export const pageAuditEvents = (db: Db, filter: AuditFilter, listing: Listing) =>
  query(db, (q) => {
    const { orgId, appId, actor, action, since, until } = filter;
    let events = q.selectFrom('audit_events');
    if (orgId !== undefined) events = events.where('org_id', '=', orgId);
    if (appId !== undefined) events = events.where('app_id', '=', appId);
    if (actor !== undefined) events = events.where('actor_name', '=', actor);
    if (action?.includes('.')) events = events.where('action', '=', action);
    // From "app." up to "app/" (exclusive): "/" is the character after ".".
    else if (action) events = events.where('action', '>=', `${action}.`).where('action', '<', `${action}/`);
    if (since !== undefined) events = events.where('at', '>=', since);
    if (until !== undefined) events = events.where('at', '<', until);
    const newest = events.selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(AUDIT_SEARCHED);
    const matching =
      listing.terms.length === 0
        ? events.selectAll()
        : q.selectFrom(newest.as('audit_events')).selectAll().where(mentionsTerms(listing.terms, names));
    return selectPage(
      matching,
      { key: sql.ref<number>('audit_events.at'), id: sql.ref('audit_events.id'), isCounted: false },
      listing,
    );
  });
