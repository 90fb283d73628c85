import { type BugTrackersTable, insertInto, statement } from './trackers.tables.ts';

export const findTracker = statement((q, p: { appId: string }) =>
  q.selectFrom('bug_trackers').selectAll().where('app_id', '=', p.appId),
);

export const saveTracker = insertInto('bug_trackers', (insert, p) =>
  insert.onConflict((c) =>
    c.column('app_id').doUpdateSet({
      id: p.id,
      type: p.type,
      base_url: p.base_url,
      project: p.project,
      user_name: p.user_name,
      token: p.token,
      label: p.label,
      item_type: p.item_type,
      is_automatic: p.is_automatic,
      follows_state: p.follows_state,
      closes_tickets: p.closes_tickets,
      state: p.state,
      trouble: p.trouble,
      found: p.found,
      checked_at: p.checked_at,
      connected_by: p.connected_by,
    }),
  ),
);

/** Saves the result only if the tracker was not replaced meanwhile. */
export const saveCheck = statement(
  (q, p: { id: string } & Pick<BugTrackersTable, 'state' | 'trouble' | 'checked_at' | 'found'>) =>
    q
      .updateTable('bug_trackers')
      .set({ state: p.state, trouble: p.trouble, checked_at: p.checked_at, found: p.found })
      .where('id', '=', p.id),
);

export const deleteTracker = statement((q, p: { appId: string }) =>
  q.deleteFrom('bug_trackers').where('app_id', '=', p.appId),
);

export const listTrackersByConnector = statement((q, p: { userId: string }) =>
  q
    .selectFrom('bug_trackers')
    .select(['id', 'type', 'project', 'state'])
    .where('connected_by', '=', p.userId)
    .where('type', 'in', ['jira', 'gitlab'])
    .orderBy('id'),
);

/** Trackers with tickets whose state can change. */
export const pageTrackersWithTickets = statement((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('bug_trackers')
    .select('app_id')
    .where('state', '=', 'enabled')
    .where('app_id', '>', p.after)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('tickets')
          .select('tickets.id')
          .whereRef('tickets.app_id', '=', 'bug_trackers.app_id')
          .where('tickets.state', 'in', ['open', 'closed']),
      ),
    )
    .orderBy('app_id')
    .limit(p.limit),
);
