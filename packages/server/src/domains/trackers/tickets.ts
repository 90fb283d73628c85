import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { type FoundIssue, findIssueByGroup } from '../crashes/index.ts';
import { findAnnouncement } from '../webhooks/index.ts';
import { findTracker } from './bug-trackers.store.ts';
import { deleteTicket, findIssueTicket, insertTicket } from './tickets.store.ts';
import type { BugTrackersTable, TicketsTable } from './trackers.tables.ts';

export const ticketMake = defineJob<{ ticketId: string }>('ticket.make', { lane: 'remote' });

/** Another name, so that an earlier version of the server does not claim it. */
export const feedbackTicketMake = defineJob<{ ticketId: string }>('feedback_ticket.make', { lane: 'remote' });

/** For an app, or for the issue of one group. */
export const ticketsRead = defineJob<{ appId: string; groupId?: string }>('ticket.read', {
  maxAttempts: 3,
  lane: 'remote',
});

export const ticketJobs = { issue: ticketMake, feedback: feedbackTicketMake } as const;

export interface Ticket {
  row: TicketsTable;
  tracker: BugTrackersTable;
  groupId: string;
}

async function getIssue(ctx: AppCtx, groupId: string): Promise<FoundIssue> {
  const issue = await findIssueByGroup(ctx, ctx.app.id, groupId);
  if (!issue) throw notFound('crash group', groupId);
  return issue;
}

export async function getTicket(ctx: AppCtx, groupId: string): Promise<Ticket> {
  const { id, groupIds, groupId: now } = await getIssue(ctx, groupId);
  const tracker = await findTracker.first(ctx.db, { appId: ctx.app.id });
  const row = await findIssueTicket(ctx.db, ctx.app.id, id, groupIds);
  if (!row || !tracker) throw notFound('ticket of that crash group');
  return { row, tracker, groupId: now };
}

/** Adds a ticket to create, in the caller's transaction; undefined if one exists. */
export async function addTicket(
  ctx: Ctx,
  appId: string,
  issue: { id: string; groupId: string },
  subject: TicketsTable['subject'] = 'issue',
) {
  const made = await insertTicket.first(ctx.db, {
    id: ctx.newId(),
    app_id: appId,
    subject,
    issue_id: issue.id,
    group_id: issue.groupId,
    title: '',
    state: 'waiting',
    remote_id: null,
    url: null,
    trouble: null,
    created_at: ctx.clock.now(),
    tried_at: null,
    held_until: 0,
    checked_at: 0,
  });
  if (made) await enqueue(ctx, ticketJobs[subject], { ticketId: made.id });
  return made;
}

/** Returns the existing ticket, or adds one to create; a failed one is retried. */
export const createTicket = (ctx: AppCtx, groupId: string): Promise<Ticket> =>
  tx(ctx, async (ctx) => {
    const appId = ctx.app.id;
    const tracker = await findTracker.first(ctx.db, { appId });
    if (!tracker) throw conflict('The app has no bug tracker. Connect one first.');
    const issue = await getIssue(ctx, groupId);
    const found = await findIssueTicket(ctx.db, appId, issue.id, issue.groupIds);
    if (found?.state === 'failed') {
      // A ticket that was deleted in the tracker is created again, with another mark.
      await deleteTicket.run(ctx.db, { id: found.id });
    }
    if (!found || found.state === 'failed') await addTicket(ctx, appId, issue);
    await record(ctx, 'ticket.create', appSubject(ctx.app), { after: { issue: issue.id } });
    return getTicket(ctx, groupId);
  });

export const unlinkTicket = (ctx: AppCtx, groupId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { row } = await getTicket(ctx, groupId);
    await deleteTicket.run(ctx.db, { id: row.id });
    await record(ctx, 'ticket.unlink', appSubject(ctx.app), { before: { issue: row.issue_id, url: row.url } });
  });

/** Creates a ticket for the first crash of an issue, in the same transaction, if the app is configured so. */
export async function ticketForNewIssue(ctx: Ctx, { id, appId }: { id: string; appId?: string }): Promise<void> {
  const tracker = appId === undefined ? undefined : await findTracker.first(ctx.db, { appId });
  if (tracker?.is_automatic !== 1) return;
  const announcement = await findAnnouncement(ctx, id);
  if (announcement?.type !== 'newCrashGroupCreated' || !announcement.data.is_new_issue) return;
  const { issue_id, id: groupId } = announcement.data;
  await addTicket(ctx, tracker.app_id, { id: issue_id, groupId });
}

/** Updates the ticket when a user closes or reopens its issue, in the same transaction, if the app is configured so. */
export async function ticketForChangedIssue(ctx: Ctx, { appId, groupId }: { appId: string; groupId: string }) {
  const tracker = await findTracker.first(ctx.db, { appId });
  if (tracker?.closes_tickets === 1) await enqueue(ctx, ticketsRead, { appId, groupId });
}

/** Updates the ticket when its issue regresses. */
export async function ticketForRegressedIssue(ctx: Ctx, { id, type }: { id: string; type: string }): Promise<void> {
  if (type !== 'crashGroupRegressed') return;
  const announcement = await findAnnouncement(ctx, id);
  if (announcement?.type !== 'crashGroupRegressed') return;
  await ticketForChangedIssue(ctx, { appId: announcement.data.app_id, groupId: announcement.data.id });
}
