import type { AppCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { toIso } from '../../kernel/clock.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { cutText } from '../../kernel/text/cut-text.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { type FeedbackTable, findFeedbackRow } from '../feedback/index.ts';
import type { AnnouncedApp } from '../webhooks/index.ts';
import { findTracker } from './bug-trackers.store.ts';
import type { Draft } from './providers/index.ts';
import { deleteTicket, findFeedbackTicket } from './tickets.store.ts';
import { addTicket } from './tickets.ts';
import type { BugTrackersTable, TicketsTable } from './trackers.tables.ts';

export interface FeedbackTicket {
  row: TicketsTable;
  tracker: BugTrackersTable;
}

const TITLE = 120;

/** Without name and address of the sender: a tracker may be public. */
export function createFeedbackDraft(mark: string, feedback: FeedbackTable, app: AnnouncedApp): Draft {
  const { text, version, build, model, os, locale, received_at } = feedback;
  const [first = ''] = text.split('\n');
  const device = [model, os, locale].filter(Boolean).join(', ');
  return {
    mark,
    title: cutText(`Feedback: ${first.replace(/[\p{Cc}\s]+/gu, ' ').trim()}`, TITLE),
    lead: `A user wrote feedback on ${toIso(received_at).slice(0, 10)}.`,
    code: [
      text,
      '',
      ...(version ? [`Version ${build ? `${version} (${build})` : version}`] : []),
      ...(device ? [device] : []),
    ].join('\n'),
    link: app.page(`feedback/${feedback.id}`),
  };
}

async function getRow(ctx: AppCtx, feedbackId: string): Promise<FeedbackTable> {
  const row = await findFeedbackRow(ctx, ctx.app.id, feedbackId);
  if (!row) throw notFound('feedback', feedbackId);
  return row;
}

export async function getFeedbackTicket(ctx: AppCtx, feedbackId: string): Promise<FeedbackTicket> {
  await getRow(ctx, feedbackId);
  const tracker = await findTracker.first(ctx.db, { appId: ctx.app.id });
  const row = await findFeedbackTicket.first(ctx.db, { appId: ctx.app.id, feedbackId });
  if (!row || !tracker) throw notFound('ticket of that feedback');
  return { row, tracker };
}

/** Returns the existing ticket, or adds one to create; a failed one is retried. */
export const createFeedbackTicket = (ctx: AppCtx, feedbackId: string): Promise<FeedbackTicket> =>
  tx(ctx, async (ctx) => {
    const appId = ctx.app.id;
    if (!(await findTracker.first(ctx.db, { appId }))) {
      throw conflict('The app has no bug tracker. Connect one first.');
    }
    const { id } = await getRow(ctx, feedbackId);
    const found = await findFeedbackTicket.first(ctx.db, { appId, feedbackId: id });
    if (found?.state === 'failed') await deleteTicket.run(ctx.db, { id: found.id });
    if (!found || found.state === 'failed') await addTicket(ctx, appId, { id, groupId: id }, 'feedback');
    await record(ctx, 'ticket.create', appSubject(ctx.app), { after: { feedback: id } });
    return getFeedbackTicket(ctx, id);
  });

export const unlinkFeedbackTicket = (ctx: AppCtx, feedbackId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { row } = await getFeedbackTicket(ctx, feedbackId);
    await deleteTicket.run(ctx.db, { id: row.id });
    await record(ctx, 'ticket.unlink', appSubject(ctx.app), { before: { feedback: feedbackId, url: row.url } });
  });
