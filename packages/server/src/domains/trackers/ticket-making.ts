import type { Ctx, KnownIssue } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { enqueue } from '../../jobs/index.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { cutText } from '../../kernel/cut-text.ts';
import { OutboundError } from '../../outbound/fetch.ts';
import { findTold, type ToldApp } from '../webhooks/index.ts';
import { findTracker } from './bug-trackers.store.ts';
import { connectionTo, noteTrouble, troubleOf } from './bug-trackers.ts';
import { type Draft, TrackerRefusal } from './providers/index.ts';
import { findTicket, holdTicket, updateTicket } from './tickets.store.ts';
import { ticketMake } from './tickets.ts';
import type { BugTrackersTable } from './trackers.tables.ts';

/** Longer than all calls that make a ticket may take together. */
const HELD = 10 * MINUTE;
/** Clocks of others may be late. */
const LATE = 15 * MINUTE;
const TITLE = 200;

/** A single line, as titles are. */
const lineOf = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim();

const markOf = (ticketId: string): string => `mooring-${ticketId}`;

export function draftOf(ticketId: string, issue: KnownIssue, app: ToldApp): Draft {
  const { kind, reason, version, build, count, deviceCount, number, id, frames } = issue;
  const seen = `${count} ${count === 1 ? 'time' : 'times'} on ${deviceCount} ${deviceCount === 1 ? 'device' : 'devices'}`;
  // What stands outside of the code is ours: versions are what devices say, and stand there only as a plain line.
  return {
    mark: markOf(ticketId),
    title: cutText(`${kind === 'crash' ? 'Crash' : 'Error'}: ${lineOf(reason)}`, TITLE),
    lead: `Issue ${number}, seen ${seen} until now.`,
    code: [
      reason,
      `Version ${build ? `${version} (${build})` : version}`,
      '',
      ...frames.map((frame) => `at ${lineOf(frame)}`),
    ]
      .join('\n')
      .replace(/\r/g, ''),
    link: app.page(`crashes/${id}`),
  };
}

interface Held {
  id: string;
  app_id: string;
  group_id: string;
  tried_at: number | null;
}

async function make(ctx: Ctx, row: BugTrackersTable, ticket: Held) {
  const { provider, tracker, api } = connectionTo(ctx, row);
  if (ticket.tried_at !== null) {
    // It may be there: what was asked for may have been done though no answer came.
    const found = await provider.find(api, tracker, markOf(ticket.id), ticket.tried_at - LATE);
    if (found) return found;
  }
  const issue = await ctx.issues.find(ctx, ticket.app_id, ticket.group_id);
  const app = await findTold(ctx, ticket.app_id);
  if (!issue || !app) throw new TrackerRefusal('The crash group is gone.');
  const draft = draftOf(ticket.id, issue, app);
  await tx(ctx, ({ db, clock }) =>
    updateTicket.run(db, { id: ticket.id, title: draft.title, tried_at: ticket.tried_at ?? clock.now() }),
  );
  const made = await provider.create(api, tracker, draft);
  if (made.id === '') throw new TrackerRefusal('The tracker did not say which ticket it made.');
  return made;
}

/** Somebody makes it; if they were cut off, it is made after their time. */
const waitForOther = (ctx: Ctx, ticketId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const ticket = await findTicket.first(ctx.db, { id: ticketId });
    if (ticket?.state === 'waiting') await enqueue(ctx, ticketMake, { ticketId }, { runAt: ticket.held_until });
  });

/** Makes a ticket in the tracker of its app, once, however often this runs. */
export async function makeTicket(ctx: Ctx, { ticketId }: { ticketId: string }): Promise<void> {
  const now = ctx.clock.now();
  const ticket = await tx(ctx, ({ db }) => holdTicket.first(db, { id: ticketId, now, until: now + HELD }));
  if (!ticket) return waitForOther(ctx, ticketId);
  const row = await findTracker.first(ctx.db, { appId: ticket.app_id });
  if (!row) return;
  const save = (change: object) =>
    tx(ctx, ({ db }) => updateTicket.run(db, { id: ticketId, held_until: 0, ...change }));
  try {
    const { id, url } = await make(ctx, row, ticket);
    await save({ state: 'open', remote_id: id, url: url ?? null, trouble: null, checked_at: ctx.clock.now() });
    await noteTrouble(ctx, row, undefined);
  } catch (error) {
    const trouble = troubleOf(error);
    await save({ trouble: trouble.message, ...(trouble.isFinal ? { state: 'failed' } : {}) });
    await noteTrouble(ctx, row, trouble);
    if (!trouble.isFinal && error instanceof OutboundError) throw error;
  }
}
