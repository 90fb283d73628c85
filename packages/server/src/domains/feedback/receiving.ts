import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { HOUR, SECOND } from '../../kernel/clock.ts';
import { signText } from '../../kernel/crypto/sealed.ts';
import { badRequest, tooManyRequests } from '../../kernel/errors.ts';
import { addressKey } from '../../kernel/ip-address.ts';
import { cutText } from '../../kernel/text/cut-text.ts';
import type { AppRef } from '../apps/index.ts';
import { announceForApp } from '../webhooks/index.ts';
import { addToCount, insertFeedback } from './feedback.store.ts';
import type { FeedbackTable } from './feedback.tables.ts';
import { checkPictures, claimPictures, storePictures } from './pictures.ts';

/** A message from any source. */
export interface NewFeedback
  extends Pick<FeedbackTable, 'source' | 'text'>,
    Partial<Omit<FeedbackTable, 'id' | 'app_id' | 'state' | 'received_at' | 'text' | 'source'>> {}

/** Of one address to one app within an hour. Several testers may share an address. */
const MAX_PER_ADDRESS = 20;
/** Text in the announcement. */
const ANNOUNCED_LENGTH = 1000;

/** The form of an address in the HTML standard. It has nothing that could begin another header of an email. */
const addressForm =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

export const toEmail = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed.length <= 254 && addressForm.test(trimmed) ? trimmed : null;
};

/** Plain text: without control characters and marks that change the direction of the text around it. */
export const toPlainText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))
    .toWellFormed()
    .trim();

/** The same in one line. */
export const toLine = (text: string | null | undefined, length = 256): string =>
  cutText(toPlainText(text ?? '').replace(/\s+/g, ' '), length);

const orNull = (text: string): string | null => (text === '' ? null : text);

const toHour = ({ clock }: Pick<Ctx, 'clock'>): number => Math.floor(clock.now() / HOUR);

/** Counts a message of an app; false if the app has received too many within the hour. */
export async function isWithinLimit(ctx: Ctx, appId: string): Promise<boolean> {
  const counted = await addToCount.first(ctx.db, { subject: appId, hour: toHour(ctx) });
  return (counted?.count ?? 0) <= ctx.config.feedbackPerHour;
}

/** Refuses a message if its app or its sender has sent too many within the hour. */
function refuseFlood(ctx: Ctx, appId: string): Promise<void> {
  const retryAfter = (HOUR - (ctx.clock.now() % HOUR)) / SECOND;
  return tx(ctx, async (ctx) => {
    if (!(await isWithinLimit(ctx, appId))) {
      throw tooManyRequests('This app has received too much feedback within the hour. Try again later.', retryAfter);
    }
    const { address = '' } = ctx.origin ?? {};
    // The table contains no addresses.
    const subject = signText(ctx.secretKey, 'feedback-sender', `${appId} ${addressKey(address)}`);
    const counted = await addToCount.first(ctx.db, { subject, hour: toHour(ctx) });
    if ((counted?.count ?? 0) > MAX_PER_ADDRESS) {
      throw tooManyRequests('Too much feedback was sent from this address. Try again later.', retryAfter);
    }
  });
}

/**
 * Stores a message and announces it, in the caller's transaction. Undefined if it was stored before. Its text stays as it
 * was sent: every place that shows it treats it as plain text.
 */
export async function addFeedback(ctx: Ctx, appId: string, input: NewFeedback): Promise<string | undefined> {
  const now = ctx.clock.now();
  const id = ctx.newId();
  const text = toPlainText(input.text);
  const [name, email] = [orNull(toLine(input.name, 200)), toEmail(input.email)];
  const added = await insertFeedback.first(ctx.db, {
    id,
    app_id: appId,
    sent_id: input.sent_id ?? id,
    source: input.source,
    state: 'open',
    text,
    name,
    email,
    sender_id: input.sender_id ?? null,
    assignee_id: null,
    install_id: orNull(toLine(input.install_id).toLowerCase()),
    user_id: orNull(toLine(input.user_id)),
    session_id: orNull(toLine(input.session_id)),
    event_id: orNull(toLine(input.event_id, 64).replaceAll('-', '').toLowerCase()),
    release_id: input.release_id ?? null,
    version: toLine(input.version),
    build: toLine(input.build),
    model: toLine(input.model),
    os: toLine(input.os),
    locale: toLine(input.locale, 50).replaceAll('_', '-'),
    url: toLine(input.url, 2000),
    created_at: input.created_at ?? now,
    received_at: now,
  });
  if (!added) return undefined;
  await announceForApp(ctx, 'feedbackReceived', appId, (app) => ({
    url: app.page(`feedback/${id}`),
    feedback_id: id,
    source: input.source,
    text: cutText(text, ANNOUNCED_LENGTH),
    ...(name === null ? {} : { sender_name: name }),
    app_version: [toLine(input.version), input.build && `(${toLine(input.build)})`].filter(Boolean).join(' '),
  }));
  return id;
}

/** Takes a message of an unauthenticated sender, with pictures. */
export async function receiveFeedback(
  ctx: Ctx,
  app: AppRef,
  input: NewFeedback,
  files: readonly { bytes: Uint8Array }[],
): Promise<string> {
  if (toPlainText(input.text) === '') throw badRequest('text is empty. Write a message.');
  if (input.email && toEmail(input.email) === null) throw badRequest('email is not an email address.');
  await refuseFlood(ctx, app.id);
  checkPictures(files);
  const sent = files.map(({ bytes }, at) => ({ sentId: String(at), bytes }));
  const pictures = await storePictures(ctx, app, sent);
  return tx(ctx, async (ctx) => {
    const id = await addFeedback(ctx, app.id, input);
    if (id === undefined) throw new Error('a message with a new ID was stored before');
    await claimPictures(ctx, { appId: app.id, feedbackId: id }, pictures);
    return id;
  });
}
