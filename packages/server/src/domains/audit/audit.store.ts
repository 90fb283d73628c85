import { AUDIT_SEARCHED } from '@mooring/contract';
import { sql } from 'kysely';
import { mentionsWords, selectPage } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import type { Listing } from '../../kernel/paging.ts';
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
      q.selectFrom('audit_events').select('id').where('at', '<', p.before).orderBy('at').limit(p.limit),
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

const names = ['audit_events.action', 'audit_events.actor_name', 'audit_events.subject_name'];

/**
 * Built for each call: the filters that are there decide its shape, and an index by organization, by app or by time
 * carries each of them. A search looks through the newest of what they leave, and nothing is counted: there may be millions.
 */
export const pageAuditEvents = (db: Db, filter: AuditFilter, listing: Listing) =>
  query(db, (q) => {
    const { orgId, appId, actor, action, since, until } = filter;
    let events = q.selectFrom('audit_events');
    if (orgId !== undefined) events = events.where('org_id', '=', orgId);
    if (appId !== undefined) events = events.where('app_id', '=', appId);
    if (actor !== undefined) events = events.where('actor_name', '=', actor);
    if (action?.includes('.')) events = events.where('action', '=', action);
    // From "app." up to, but not including, what follows every "app.…" in the alphabet: "/" is the sign after ".".
    else if (action) events = events.where('action', '>=', `${action}.`).where('action', '<', `${action}/`);
    if (since !== undefined) events = events.where('at', '>=', since);
    if (until !== undefined) events = events.where('at', '<', until);
    const newest = events.selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(AUDIT_SEARCHED);
    const matching =
      listing.words.length === 0
        ? events.selectAll()
        : q.selectFrom(newest.as('audit_events')).selectAll().where(mentionsWords(listing.words, names));
    return selectPage(
      matching,
      { key: sql.ref<number>('audit_events.at'), id: sql.ref('audit_events.id'), isCounted: false },
      listing,
    );
  });
