import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { insertInto, query, statement, updateRow } from './trackers.tables.ts';

/** Inserts nothing if the issue has a ticket. */
export const insertTicket = insertInto('tickets', (insert) =>
  insert.onConflict((c) => c.columns(['app_id', 'issue_id']).doNothing()).returning('id'),
);

export const updateTicket = updateRow('tickets');

export const findTicket = statement((q, p: { id: string }) =>
  q.selectFrom('tickets').selectAll().where('id', '=', p.id),
);

/** Finds the oldest ticket of an issue, including those of merged issues. */
export const findIssueTicket = async (db: Db, appId: string, issueId: string, groupIds: readonly string[]) => {
  const [ticket] = await query(db, (q) =>
    q
      .selectFrom('tickets')
      .selectAll()
      .where('app_id', '=', appId)
      .where((eb) => eb.or([eb('issue_id', '=', issueId), eb('group_id', 'in', groupIds)]))
      .orderBy('id')
      .limit(1),
  );
  return ticket;
};

export const findFeedbackTicket = statement((q, p: { appId: string; feedbackId: string }) =>
  q
    .selectFrom('tickets')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where('subject', '=', 'feedback')
    .where('issue_id', '=', p.feedbackId),
);

/** Claims a ticket for creation; returns nothing to other workers. */
export const claimTicket = statement((q, p: { id: string; now: number; until: number }) =>
  q
    .updateTable('tickets')
    .set({ held_until: p.until })
    .where('id', '=', p.id)
    .where('state', '=', 'waiting')
    .where('held_until', '<=', p.now)
    .returning(['id', 'app_id', 'subject', 'group_id', 'tried_at']),
);

export const deleteTicket = statement((q, p: { id: string }) => q.deleteFrom('tickets').where('id', '=', p.id));

export const deleteAppTickets = statement((q, p: { appId: string }) =>
  q.deleteFrom('tickets').where('app_id', '=', p.appId),
);

/** Tickets that were checked least recently. */
export const listToCheck = statement((q, p: { appId: string; before: number; limit: number }) =>
  q
    .selectFrom('tickets')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where('state', 'in', ['open', 'closed'])
    .where('checked_at', '<', p.before)
    .orderBy('checked_at')
    .orderBy('id')
    .limit(p.limit),
);

export const countWaiting = statement((q, p: { appId: string }) =>
  q
    .selectFrom('tickets')
    .select(sql<number>`count(*)`.as('count'))
    .where('app_id', '=', p.appId)
    .where('state', '=', 'waiting'),
);
