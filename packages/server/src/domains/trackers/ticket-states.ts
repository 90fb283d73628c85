import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, defineSchedule, enqueue } from '../../jobs/index.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { appSubject, getAppRef } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { findTracker, pageTrackersWithTickets } from './bug-trackers.store.ts';
import { connectionTo, noteTrouble, troubleOf } from './bug-trackers.ts';
import { findTicket, listToCheck, updateTicket } from './tickets.store.ts';
import type { BugTrackersTable, TicketsTable } from './trackers.tables.ts';

const BATCH = 100;
/** At once, and in one run: what is left has its turn in the next. */
const AT_ONCE = 50;

export const ticketsFollow = defineSchedule('ticket.follow', 15 * MINUTE);
export const ticketsRead = defineJob<{ appId: string }>('ticket.read', { maxAttempts: 3, isRemote: true });

/** Asks for the states of tickets of each app, so that a tracker that does not answer holds up no other. */
export async function followTickets(ctx: Ctx): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await pageTrackersWithTickets.all(ctx.db, { after, limit: BATCH });
    await tx(ctx, async (ctx) => {
      for (const { app_id: appId } of rows) await enqueue(ctx, ticketsRead, { appId });
    });
    const last = rows.at(-1);
    if (rows.length < BATCH || !last) return;
    after = last.app_id;
  }
}

async function follow(ctx: Ctx, tracker: BugTrackersTable, known: TicketsTable, isClosed: boolean | undefined) {
  await tx(ctx, async (ctx) => {
    // Somebody may have forgotten it meanwhile.
    const ticket = await findTicket.first(ctx.db, { id: known.id });
    if (!ticket || ticket.remote_id !== known.remote_id) return;
    const checked_at = ctx.clock.now();
    if (isClosed === undefined) {
      const trouble = 'It is gone from the bug tracker.';
      await updateTicket.run(ctx.db, { id: ticket.id, state: 'failed', trouble, checked_at });
      return;
    }
    const state = isClosed ? 'closed' : 'open';
    await updateTicket.run(ctx.db, { id: ticket.id, state, trouble: null, checked_at });
    // What changed there is followed; what was changed here since stays.
    if (state === ticket.state || tracker.follows_state !== 1) return;
    const issue = await ctx.issues.find(ctx, ticket.app_id, ticket.group_id);
    if (!issue || !(await ctx.issues.setState(ctx, ticket.app_id, issue.id, state))) return;
    await record(ctx, 'ticket.follow', appSubject(await getAppRef(ctx, ticket.app_id)), {
      before: { issue: issue.id, state: issue.state },
      after: { issue: issue.id, state, ticket: ticket.url },
    });
  });
}

/** Reads which tickets of an app are closed; their issues follow. */
export async function readTickets(ctx: Ctx, { appId }: { appId: string }): Promise<void> {
  const row = await findTracker.first(ctx.db, { appId });
  const before = ctx.clock.now();
  const tickets = row ? await listToCheck.all(ctx.db, { appId, before, limit: AT_ONCE }) : [];
  if (!row || tickets.length === 0) return;
  try {
    const { provider, tracker, api } = connectionTo(ctx, row);
    const ids = tickets.flatMap(({ remote_id }) => remote_id ?? []);
    const closed = await provider.readClosed(api, tracker, ids);
    for (const ticket of tickets) await follow(ctx, row, ticket, closed.get(ticket.remote_id ?? ''));
    await noteTrouble(ctx, row, undefined);
  } catch (error) {
    await noteTrouble(ctx, row, troubleOf(error));
  }
}
