import type { Ctx } from '../../context.ts';
import { eachRow } from '../../db/each-row.ts';
import { tx } from '../../db/tx.ts';
import { defineSchedule, enqueue } from '../../jobs/index.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { appSubject, findWorkOwner, getAppRef } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { findTracker, pageTrackersWithTickets } from './bug-trackers.store.ts';
import { type Connection, connectionTo, noteTrouble, troubleOf } from './bug-trackers.ts';
import { findTicket, findTicketOf, listToCheck, updateTicket } from './tickets.store.ts';
import { ticketsRead } from './tickets.ts';
import type { BugTrackersTable, TicketsTable } from './trackers.tables.ts';

/** At once, and in one run: what is left has its turn in the next. */
const AT_ONCE = 50;

export const ticketsFollow = defineSchedule('ticket.follow', 5 * MINUTE);

/** Asks for the states of tickets of each app, so that a tracker that does not answer holds up no other. */
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

/** Says how the ticket is to become, if it is to be like its issue. */
async function follow(ctx: Ctx, tracker: BugTrackersTable, known: TicketsTable, isClosed: boolean | undefined) {
  return tx(ctx, async (ctx): Promise<'open' | 'closed' | undefined> => {
    // Somebody may have forgotten it meanwhile.
    const ticket = await findTicket.first(ctx.db, { id: known.id });
    if (!ticket || ticket.remote_id !== known.remote_id) return undefined;
    const checked_at = ctx.clock.now();
    if (isClosed === undefined) {
      const trouble = 'It is gone from the bug tracker.';
      await updateTicket.run(ctx.db, { id: ticket.id, state: 'failed', trouble, checked_at });
      return undefined;
    }
    const state = isClosed ? 'closed' : 'open';
    await updateTicket.run(ctx.db, { id: ticket.id, state, trouble: null, checked_at });
    const isFollowed = state !== ticket.state && tracker.follows_state === 1;
    if (!isFollowed && tracker.closes_tickets !== 1) return undefined;
    const issue = await ctx.issues.find(ctx, ticket.app_id, ticket.group_id);
    if (!issue || issue.state === state) return undefined;
    // What changed there is followed; what was changed here since goes there, unless it is ignored here.
    if (!isFollowed) return issue.state === 'ignored' ? undefined : issue.state;
    if (!(await ctx.issues.setState(ctx, ticket.app_id, issue.id, state))) return undefined;
    await record(ctx, 'ticket.follow', appSubject(await getAppRef(ctx, ticket.app_id)), {
      before: { issue: issue.id, state: issue.state },
      after: { issue: issue.id, state, ticket: ticket.url },
    });
    return undefined;
  });
}

/** Makes a ticket as its issue is; if that is refused, the ticket says why. */
async function bring(ctx: Ctx, { provider, api, tracker }: Connection, ticket: TicketsTable, state: 'open' | 'closed') {
  const save = (change: object) => tx(ctx, ({ db }) => updateTicket.run(db, { id: ticket.id, ...change }));
  try {
    await provider.setClosed(api, tracker, ticket.remote_id ?? '', state === 'closed');
    await save({ state, trouble: null });
  } catch (error) {
    const trouble = troubleOf(error);
    await save({ trouble: trouble.message });
    if (trouble.isUnauthorized || !trouble.isFinal) throw error;
  }
}

/** The ticket of the issue of a group, if there is one to be read. */
async function listTicketOf(ctx: Ctx, appId: string, groupId: string): Promise<TicketsTable[]> {
  const issue = await ctx.issues.find(ctx, appId, groupId);
  const ticket = issue && (await findTicketOf(ctx.db, appId, issue.id, issue.groupIds));
  return ticket?.state === 'open' || ticket?.state === 'closed' ? [ticket] : [];
}

/** Reads which tickets of an app are closed, or only that of one issue; their issues follow. */
export async function readTickets(ctx: Ctx, { appId, groupId }: { appId: string; groupId?: string }): Promise<void> {
  const row = await findTracker.first(ctx.db, { appId });
  const before = ctx.clock.now();
  const list = () =>
    groupId === undefined
      ? listToCheck.all(ctx.db, { appId, before, limit: AT_ONCE })
      : listTicketOf(ctx, appId, groupId);
  const tickets = row ? await list() : [];
  if (!row || tickets.length === 0) return;
  try {
    const connection = connectionTo(ctx, row);
    const { provider, tracker, api } = connection;
    const ids = tickets.flatMap(({ remote_id }) => remote_id ?? []);
    const closed = await provider.readClosed(api, tracker, ids);
    for (const ticket of tickets) {
      const wanted = await follow(ctx, row, ticket, closed.get(ticket.remote_id ?? ''));
      if (wanted) await bring(ctx, connection, ticket, wanted);
    }
    await noteTrouble(ctx, row, undefined);
  } catch (error) {
    await noteTrouble(ctx, row, troubleOf(error));
  }
}
