import type { Ctx } from '../../context.ts';
import { eachRow } from '../../db/rows/each-row.ts';
import { tx } from '../../db/tx.ts';
import { defineSchedule, enqueue } from '../../jobs/index.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { appSubject, findWorkOwner, getAppRef } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { changeIssueState, findIssueByGroup } from '../crashes/index.ts';
import { setFeedbackState } from '../feedback/index.ts';
import { findTracker, pageTrackersWithTickets } from './bug-trackers.store.ts';
import { type Connection, connectionTo, saveTrackerError, toTrackerError } from './bug-trackers.ts';
import { findIssueTicket, findTicket, listToCheck, updateTicket } from './tickets.store.ts';
import { ticketsRead } from './tickets.ts';
import type { BugTrackersTable, TicketsTable } from './trackers.tables.ts';

/** Tickets per request and run; the next run continues. */
const BATCH_SIZE = 50;

export const ticketsFollow = defineSchedule('ticket.follow', 5 * MINUTE);

/** Enqueues a job for each app, so that an unresponsive tracker delays no other. */
export async function followTickets(ctx: Ctx): Promise<void> {
  const trackers = eachRow(
    (page) => pageTrackersWithTickets.all(ctx.db, page),
    ({ app_id }) => app_id,
  );
  for await (const { app_id: appId } of trackers) {
    const owner = await findWorkOwner(ctx, appId);
    await tx(ctx, (ctx) => enqueue(ctx, ticketsRead, { appId }, { owner }));
  }
}

/** Updates an issue from its ticket; returns the state that the ticket should have, if it should follow the issue. */
async function follow(ctx: Ctx, tracker: BugTrackersTable, known: TicketsTable, isClosed: boolean | undefined) {
  return tx(ctx, async (ctx): Promise<'open' | 'closed' | undefined> => {
    // The ticket may have been deleted meanwhile.
    const ticket = await findTicket.first(ctx.db, { id: known.id });
    if (!ticket || ticket.remote_id !== known.remote_id) return undefined;
    const checked_at = ctx.clock.now();
    if (isClosed === undefined) {
      const lastError = 'The ticket no longer exists in the bug tracker.';
      await updateTicket.run(ctx.db, { id: ticket.id, state: 'failed', trouble: lastError, checked_at });
      return undefined;
    }
    const state = isClosed ? 'closed' : 'open';
    await updateTicket.run(ctx.db, { id: ticket.id, state, trouble: null, checked_at });
    const isFollowed = state !== ticket.state && tracker.follows_state === 1;
    if (!isFollowed && tracker.closes_tickets !== 1) return undefined;
    if (ticket.subject === 'feedback') {
      if (isFollowed) await setFeedbackState(ctx, ticket.app_id, ticket.issue_id, state);
      return undefined;
    }
    const issue = await findIssueByGroup(ctx, ticket.app_id, ticket.group_id);
    if (!issue || issue.state === state) return undefined;
    // Changes in the tracker win; changes here are sent to the tracker, except ignored issues.
    if (!isFollowed) return issue.state === 'ignored' ? undefined : issue.state;
    if (!(await changeIssueState(ctx, ticket.app_id, issue.id, state))) return undefined;
    await record(ctx, 'ticket.follow', appSubject(await getAppRef(ctx, ticket.app_id)), {
      before: { issue: issue.id, state: issue.state },
      after: { issue: issue.id, state, ticket: ticket.url },
    });
    return undefined;
  });
}

/** Sets the state of a ticket; records a rejection in the ticket. */
async function bring(ctx: Ctx, { provider, api, tracker }: Connection, ticket: TicketsTable, state: 'open' | 'closed') {
  const save = (change: object) => tx(ctx, ({ db }) => updateTicket.run(db, { id: ticket.id, ...change }));
  try {
    await provider.setClosed(api, tracker, ticket.remote_id ?? '', state === 'closed');
    await save({ state, trouble: null });
  } catch (error) {
    const trackerError = toTrackerError(error);
    await save({ trouble: trackerError.message });
    if (trackerError.isUnauthorized || !trackerError.isFinal) throw error;
  }
}

/** Finds the ticket of a group's issue, if its state can be read. */
async function listGroupTickets(ctx: Ctx, appId: string, groupId: string): Promise<TicketsTable[]> {
  const issue = await findIssueByGroup(ctx, appId, groupId);
  const ticket = issue && (await findIssueTicket(ctx.db, appId, issue.id, issue.groupIds));
  return ticket?.state === 'open' || ticket?.state === 'closed' ? [ticket] : [];
}

/** Reads which tickets of an app, or of one issue, are closed, and updates their issues. */
export async function readTickets(ctx: Ctx, { appId, groupId }: { appId: string; groupId?: string }): Promise<void> {
  const row = await findTracker.first(ctx.db, { appId });
  const before = ctx.clock.now();
  const list = () =>
    groupId === undefined
      ? listToCheck.all(ctx.db, { appId, before, limit: BATCH_SIZE })
      : listGroupTickets(ctx, appId, groupId);
  const tickets = row ? await list() : [];
  if (!row || tickets.length === 0) return;
  try {
    const connection = connectionTo(ctx, row);
    const { provider, tracker, api } = connection;
    const ids = tickets.flatMap(({ remote_id }) => remote_id ?? []);
    const closed = await provider.readClosed(api, tracker, ids);
    for (const ticket of tickets) {
      const targetState = await follow(ctx, row, ticket, closed.get(ticket.remote_id ?? ''));
      if (targetState) await bring(ctx, connection, ticket, targetState);
    }
    await saveTrackerError(ctx, row, undefined);
  } catch (error) {
    await saveTrackerError(ctx, row, toTrackerError(error));
  }
}
