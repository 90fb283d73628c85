import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs/index.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { cutText } from '../../kernel/text/cut-text.ts';
import { formatCount } from '../../kernel/text/format-count.ts';
import { OutboundError } from '../../outbound/fetch.ts';
import { type FoundIssue, findIssueByGroup } from '../crashes/index.ts';
import { findFeedbackRow } from '../feedback/index.ts';
import { type AnnouncedApp, findAnnouncedApp } from '../webhooks/index.ts';
import { findTracker } from './bug-trackers.store.ts';
import { connectionTo, saveTrackerError, toTrackerError } from './bug-trackers.ts';
import { createFeedbackDraft } from './feedback-tickets.ts';
import { type Draft, TrackerRefusal } from './providers/index.ts';
import { claimTicket, findTicket, updateTicket } from './tickets.store.ts';
import { ticketJobs } from './tickets.ts';
import type { BugTrackersTable } from './trackers.tables.ts';

/** Longer than all calls for creating a ticket may take together. */
const CLAIM_MS = 10 * MINUTE;
/** Tolerance for clocks of trackers. */
const LATE = 15 * MINUTE;
const TITLE = 200;

/** Converts to a single line, for titles. */
const toLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();

const toMark = (ticketId: string): string => `mooring-${ticketId}`;

const kindNames = { crash: 'Crash', error: 'Error', hang: 'App hang' } as const;

export function createDraft(ticketId: string, issue: FoundIssue, app: AnnouncedApp): Draft {
  const { kind, reason, version, build, count, deviceCount, number, id, frames } = issue;
  const seen = `${formatCount(count, 'time')} on ${formatCount(deviceCount, 'device')}`;
  // Text outside of the code comes from this server; versions come from devices, so they are converted to one line.
  return {
    mark: toMark(ticketId),
    title: cutText(`${kindNames[kind]}: ${toLine(reason)}`, TITLE),
    lead: `Issue ${number}, seen ${seen} so far.`,
    code: [
      reason,
      `Version ${build ? `${version} (${build})` : version}`,
      '',
      ...frames.map((frame) => `at ${toLine(frame)}`),
    ]
      .join('\n')
      .replace(/\r/g, ''),
    link: app.page(`crashes/${id}`),
  };
}

interface ClaimedTicket {
  id: string;
  app_id: string;
  subject: 'issue' | 'feedback';
  group_id: string;
  tried_at: number | null;
}

/** Undefined if the subject or the app was deleted. */
async function findDraft(ctx: Ctx, { id, app_id: appId, subject, group_id: subjectId }: ClaimedTicket) {
  const app = await findAnnouncedApp(ctx, appId);
  if (!app) return undefined;
  if (subject === 'feedback') {
    const feedback = await findFeedbackRow(ctx, appId, subjectId);
    return feedback && createFeedbackDraft(toMark(id), feedback, app);
  }
  const issue = await findIssueByGroup(ctx, appId, subjectId);
  return issue && createDraft(id, issue, app);
}

const subjectLabels = { issue: 'crash group', feedback: 'feedback' } as const;

async function make(ctx: Ctx, row: BugTrackersTable, ticket: ClaimedTicket) {
  const { provider, tracker, api } = connectionTo(ctx, row);
  if (ticket.tried_at !== null) {
    // The ticket may exist, if an earlier response was lost.
    const found = await provider.find(api, tracker, toMark(ticket.id), ticket.tried_at - LATE);
    if (found) return found;
  }
  const draft = await findDraft(ctx, ticket);
  if (!draft) throw new TrackerRefusal(`The ${subjectLabels[ticket.subject]} no longer exists.`);
  // Text of a sender is not stored here, because it must be deleted with their feedback.
  const title = ticket.subject === 'feedback' ? 'Feedback' : draft.title;
  await tx(ctx, ({ db, clock }) =>
    updateTicket.run(db, { id: ticket.id, title, tried_at: ticket.tried_at ?? clock.now() }),
  );
  const made = await provider.create(api, tracker, draft);
  if (made.id === '') throw new TrackerRefusal('The bug tracker did not return the ID of the new ticket.');
  return made;
}

/** Another worker is creating it; if that one was interrupted, a later run creates it. */
const waitForOther = (ctx: Ctx, ticketId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const ticket = await findTicket.first(ctx.db, { id: ticketId });
    if (ticket?.state === 'waiting')
      await enqueue(ctx, ticketJobs[ticket.subject], { ticketId }, { runAt: ticket.held_until });
  });

/** Creates a ticket in the tracker of its app, exactly once. */
export async function makeTicket(ctx: Ctx, { ticketId }: { ticketId: string }): Promise<void> {
  const now = ctx.clock.now();
  const ticket = await tx(ctx, ({ db }) => claimTicket.first(db, { id: ticketId, now, until: now + CLAIM_MS }));
  if (!ticket) return waitForOther(ctx, ticketId);
  const row = await findTracker.first(ctx.db, { appId: ticket.app_id });
  if (!row) return;
  const save = (change: object) =>
    tx(ctx, ({ db }) => updateTicket.run(db, { id: ticketId, held_until: 0, ...change }));
  try {
    const { id, url } = await make(ctx, row, ticket);
    await save({ state: 'open', remote_id: id, url: url ?? null, trouble: null, checked_at: ctx.clock.now() });
    await saveTrackerError(ctx, row, undefined);
  } catch (error) {
    const trackerError = toTrackerError(error);
    await save({ trouble: trackerError.message, ...(trackerError.isFinal ? { state: 'failed' } : {}) });
    await saveTrackerError(ctx, row, trackerError);
    if (!trackerError.isFinal && error instanceof OutboundError) throw error;
  }
}
