import type { feedbackSorts } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { releaseLookups } from '../../extensions/release-lookups.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { type ListInput, type Page, readList } from '../../kernel/paging.ts';
import { findPerson } from '../accounts/index.ts';
import { appSubject, findAppUser, getAppRef } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { type FoundReport, findReportBySentId } from '../crashes/index.ts';
import { refuseCrowdedRecipient, sanitizeName, sendMail } from '../mail/index.ts';
import { findAnnouncedApp } from '../webhooks/index.ts';
import {
  deleteFeedbackRow,
  type FeedbackFilter,
  findFeedback,
  insertReply,
  listPeople,
  listReplies,
  pageFeedback,
  updateFeedbackRow,
} from './feedback.store.ts';
import type { FeedbackPicturesTable, FeedbackRepliesTable, FeedbackState, FeedbackTable } from './feedback.tables.ts';
import { listPictures } from './pictures.store.ts';
import { discardPictures } from './pictures.ts';

export interface Person {
  name: string;
  displayName: string;
}

export interface ListedFeedback {
  row: FeedbackTable;
  assignee: Person | undefined;
  pictureCount: number;
  replyCount: number;
}

export interface Feedback extends ListedFeedback {
  account: Person | undefined;
  crash: FoundReport | undefined;
  releaseId: number | undefined;
  pictures: FeedbackPicturesTable[];
  replies: Reply[];
}

export interface Reply {
  row: FeedbackRepliesTable;
  author: Person | undefined;
}

async function readPeople({ db }: Pick<Ctx, 'db'>, ids: readonly (string | null)[]): Promise<Map<string, Person>> {
  const known = [...new Set(ids)].filter((id) => id !== null);
  const rows = known.length === 0 ? [] : await listPeople(db, known);
  return new Map(rows.map(({ id, name, display_name }) => [id, { name, displayName: display_name }]));
}

export interface FeedbackListInput extends ListInput<(typeof feedbackSorts)[number]> {
  state?: FeedbackState | 'unresolved';
  assignee?: string;
  version?: string;
}

/** Nothing matches the name of an unknown user. */
async function findAssigneeId(ctx: Ctx, assignee: string | undefined): Promise<string | null | undefined> {
  if (assignee === undefined) return undefined;
  return assignee === '-' ? null : ((await findPerson(ctx, assignee))?.id ?? '');
}

export async function listFeedback(
  ctx: AppCtx,
  { state, assignee, version, ...input }: FeedbackListInput,
): Promise<Page<ListedFeedback>> {
  const filter: FeedbackFilter = {
    states: state === 'unresolved' ? ['open', 'in_progress'] : state && [state],
    assigneeId: await findAssigneeId(ctx, assignee),
    version,
  };
  const page = await readList(
    input,
    { received_at: 'time' },
    (listing) => pageFeedback(ctx.db, ctx.app.id, filter, listing),
    (row) => row,
  );
  const people = await readPeople(
    ctx,
    page.values.map(({ assignee_id }) => assignee_id),
  );
  const values = page.values.map((row) => ({
    row,
    assignee: people.get(row.assignee_id ?? ''),
    pictureCount: Number(row.picture_count ?? 0),
    replyCount: Number(row.reply_count ?? 0),
  }));
  return { ...page, values };
}

async function getRow({ db, app }: Pick<AppCtx, 'db' | 'app'>, id: string): Promise<FeedbackTable> {
  const row = await findFeedback.first(db, { appId: app.id, id });
  if (!row) throw notFound('feedback', id);
  return row;
}

/** The release with the version and build of a message, if it was not written on the page of one. */
async function findRelease(ctx: AppCtx, { release_id, version, build }: FeedbackTable): Promise<number | undefined> {
  if (release_id !== null) return release_id;
  if (version === '') return undefined;
  for (const find of releaseLookups.list(ctx)) {
    const id = await find(ctx, ctx.app.id, { version, build });
    if (id !== undefined) return id;
  }
  return undefined;
}

export async function getFeedback(ctx: AppCtx, id: string): Promise<Feedback> {
  const row = await getRow(ctx, id);
  const pictures = await listPictures.all(ctx.db, { feedbackId: id });
  const replies = await listReplies.all(ctx.db, { feedbackId: id });
  const people = await readPeople(ctx, [row.assignee_id, row.sender_id, ...replies.map(({ author_id }) => author_id)]);
  return {
    row,
    assignee: people.get(row.assignee_id ?? ''),
    account: people.get(row.sender_id ?? ''),
    crash: row.event_id === null ? undefined : await findReportBySentId(ctx, ctx.app.id, row.event_id),
    releaseId: await findRelease(ctx, row),
    pictures,
    replies: replies.map((reply) => ({ row: reply, author: people.get(reply.author_id ?? '') })),
    pictureCount: pictures.length,
    replyCount: replies.length,
  };
}

/** Finds feedback for other domains. */
export const findFeedbackRow = (
  { db }: Pick<Ctx, 'db'>,
  appId: string,
  id: string,
): Promise<FeedbackTable | undefined> => findFeedback.first(db, { appId, id });

export interface FeedbackChange {
  state?: FeedbackState | undefined;
  /** The name of a user; null for no one. */
  assignee?: string | null | undefined;
}

async function getAssignee(ctx: AppCtx, name: string): Promise<string> {
  const user = await findPerson(ctx, name);
  const appUser = user && (await findAppUser(ctx, user.id));
  if (!appUser) throw notFound('user of the app', name);
  return appUser.user.id;
}

export const changeFeedback = (ctx: AppCtx, id: string, change: FeedbackChange): Promise<Feedback> =>
  tx(ctx, async (ctx) => {
    const before = await getRow(ctx, id);
    const { state, assignee } = change;
    const assignee_id = assignee ? await getAssignee(ctx, assignee) : assignee;
    // Only the columns that change: another request may change the others at the same time.
    const after = {
      ...(state === undefined || state === before.state ? {} : { state }),
      ...(assignee_id === undefined || assignee_id === before.assignee_id ? {} : { assignee_id }),
    };
    if (Object.keys(after).length > 0) {
      await updateFeedbackRow.run(ctx.db, { id, ...after });
      await record(ctx, 'feedback.update', appSubject(ctx.app), {
        before: { feedback: id, state: before.state, assignee_id: before.assignee_id },
        after: { feedback: id, state: before.state, assignee_id: before.assignee_id, ...after },
      });
    }
    return getFeedback(ctx, id);
  });

/** Closes or reopens a message as its ticket was, in the caller's transaction. */
export async function setFeedbackState(ctx: Ctx, appId: string, id: string, state: 'open' | 'closed'): Promise<void> {
  const row = await findFeedback.first(ctx.db, { appId, id });
  const isClosed = row?.state === 'closed';
  if (!row || isClosed === (state === 'closed')) return;
  await updateFeedbackRow.run(ctx.db, { id, state });
  await record(ctx, 'feedback.update', appSubject(await getAppRef(ctx, appId)), {
    before: { feedback: id, state: row.state },
    after: { feedback: id, state },
  });
}

/** Deletes a message with its pictures and replies, in the caller's transaction. */
export async function removeFeedback(ctx: Ctx, appId: string, id: string): Promise<void> {
  await discardPictures(ctx, id);
  await deleteFeedbackRow.run(ctx.db, { appId, id });
}

export const deleteFeedback = (ctx: AppCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    await getRow(ctx, id);
    await removeFeedback(ctx, ctx.app.id, id);
    // Without its content, which is about to be forgotten.
    await record(ctx, 'feedback.delete', appSubject(ctx.app), { before: { feedback: id } });
  });

/**
 * Sends a reply to the address that the sender entered, which may belong to someone else: the email does not repeat their
 * message, so that no one can send texts to strangers through this server.
 */
export const sendReply = (ctx: AppCtx, id: string, text: string): Promise<Reply> =>
  tx(ctx, async (ctx) => {
    const { email } = await getRow(ctx, id);
    if (email === null) throw conflict('The sender entered no email address, so there is none to reply to.');
    await refuseCrowdedRecipient(ctx, email);
    const app = await findAnnouncedApp(ctx, ctx.app.id);
    const name = sanitizeName(app?.displayName ?? ctx.app.name);
    await sendMail(ctx, {
      to: email,
      subject: `Your feedback about ${name}`,
      text: `${text}\n\n--\nThe developers of ${name} reply to the feedback that was sent with this address. If you did not send any, ignore this email.\n`,
    });
    const { actor } = ctx;
    const author_id = actor.kind === 'user' ? actor.user.id : null;
    const row = { id: ctx.newId(), feedback_id: id, author_id, to: email, text, sent_at: ctx.clock.now() };
    await insertReply.run(ctx.db, row);
    await record(ctx, 'feedback.reply', appSubject(ctx.app), { after: { feedback: id, reply: row.id } });
    const author = actor.kind === 'user' ? { name: actor.user.name, displayName: actor.user.displayName } : undefined;
    return { row, author };
  });
