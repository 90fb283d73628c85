import type { Ctx, Deps } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { sweep } from '../../db/rows/sweep.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, defineSchedule, enqueue } from '../../jobs/index.ts';
import { DAY, HOUR, SECOND } from '../../kernel/clock.ts';
import { isSealed, open, seal } from '../../kernel/crypto/sealed.ts';
import { conflict, Failure, notFound, tooManyRequests } from '../../kernel/errors.ts';
import { type ListInput, type Page, readList, type Sorts } from '../../kernel/paging.ts';
import { record } from '../audit/index.ts';
import {
  deleteOldMails,
  findMail,
  insertMail,
  listRecipients,
  type MailRow,
  pageMails,
  saveError,
  saveSent,
} from './mails.store.ts';

export interface NewMail {
  to: string;
  subject: string;
  text: string;
  /** Shown by email programs that support it, instead of the text. */
  html?: string;
  /** URL for unsubscribing from emails of this kind with a single POST (RFC 8058). */
  unsubscribeUrl?: string;
}

interface SendOptions {
  /** Its link grants access to an account, so it is not logged. */
  isSecret?: boolean;
}

export interface WrittenMail extends NewMail {
  id: string;
  /** Contains a link that was not sent yet. */
  hasLink: boolean;
  createdAt: number;
  sentAt: number | undefined;
  error: string | undefined;
}

const links = /https?:\/\/\S+/g;

type Linked = Pick<MailRow, 'text' | 'unsubscribe_url'>;
type Sealable = Pick<MailRow, 'text' | 'html' | 'unsubscribe_url'>;

/**
 * Finds the main link of an email: the last one except the unsubscribe link, because names come before it and may look like
 * links.
 */
const linkIn = ({ text, unsubscribe_url }: Linked): string | undefined =>
  text.match(links)?.findLast((link) => link !== unsubscribe_url);

/** Links are secrets of the recipient. */
const withoutLinks = (text: string): string => text.replace(links, '(link)');

const toMail = (row: MailRow): WrittenMail => ({
  id: row.id,
  to: row.to,
  subject: row.subject,
  text: withoutLinks(row.text),
  hasLink: linkIn(row) !== undefined,
  createdAt: row.created_at,
  sentAt: row.sent_at ?? undefined,
  error: row.error ?? undefined,
});

const MAX_NAME_LENGTH = 60;

/**
 * Makes text of other users safe for an email, which its recipient trusts: keeps it on one line, short, and without anything
 * that an email program would turn into a link.
 */
export function sanitizeName(text: string): string {
  const sanitized = text
    .slice(0, 10 * MAX_NAME_LENGTH)
    .replace(/[^\p{L}\p{M}\p{N}\s.,'’&()+!#_/-]|\.(?=\S)|\/(?!\w)|(?<!\w)\//gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return sanitized.length > MAX_NAME_LENGTH ? `${sanitized.slice(0, MAX_NAME_LENGTH - 1)}…` : sanitized;
}

/** Maximum number of emails per address and hour that other users can trigger. */
const MAILS_PER_RECIPIENT = 20;
/** Above this number no test emails are sent, to leave room for important ones. */
export const MAILS_BEFORE_TEST = 10;

/** Lists addresses, in lower case, that have reached the limit of emails from other users. */
export async function listCrowdedRecipients(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  most = MAILS_PER_RECIPIENT,
): Promise<Set<string>> {
  const rows = await listRecipients.all(ctx.db, { since: ctx.clock.now() - HOUR, count: most });
  return new Set(rows.map(({ key }) => key.toLowerCase()));
}

export const tooManyMails = (email: string): Failure =>
  tooManyRequests(
    `${email} has received too many emails from this server within the hour. Try again later.`,
    HOUR / SECOND,
  );

/** Locks the counts of emails to these addresses until the transaction ends; in one order, to avoid deadlocks. */
export async function lockRecipients(ctx: Pick<Ctx, 'db'>, emails: readonly string[]): Promise<void> {
  const keys = new Set(emails.map((email) => email.toLowerCase()));
  for (const key of [...keys].toSorted()) await lock(ctx, 'limits', `mails ${key}`);
}

export async function refuseCrowdedRecipient(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  email: string,
  most?: number,
): Promise<void> {
  await lockRecipients(ctx, [email]);
  if ((await listCrowdedRecipients(ctx, most)).has(email.toLowerCase())) throw tooManyMails(email);
}

interface SendJob {
  mailId: string;
  isSecret?: boolean;
}

export const mailSend = defineJob<SendJob>('mail.deliver', { lane: 'remote' });
/** Name of an earlier version, which would send sealed text: it must not claim new emails. */
export const previousMailSend = defineJob<SendJob>('mail.send', { lane: 'remote' });

const PURPOSE = 'mail';

/** An unsent email can contain a link that grants access to an account, so it is sealed. */
function sealMail({ secretKey }: Pick<Ctx, 'secretKey'>, { text, html, unsubscribe_url }: Sealable): Sealable {
  const sealed = (value: string) => seal(secretKey, PURPOSE, value);
  return {
    text: sealed(text),
    html: html === null ? null : sealed(html),
    unsubscribe_url: unsubscribe_url === null ? null : sealed(unsubscribe_url),
  };
}

/** Sent emails, and those of an earlier version, are not sealed. */
function openMail<R extends Sealable>({ secretKey }: Pick<Ctx, 'secretKey'>, row: R): R {
  const opened = (value: string) => {
    if (!isSealed(value)) return value;
    const text = open(secretKey, PURPOSE, value);
    if (text === undefined)
      throw conflict('This email was encrypted with another MOORING_SECRET_KEY and cannot be read. Send a new one.');
    return text;
  };
  const { text, html, unsubscribe_url } = row;
  return {
    ...row,
    text: opened(text),
    html: html === null ? null : opened(html),
    unsubscribe_url: unsubscribe_url === null ? null : opened(unsubscribe_url),
  };
}

/** Writes an email into the outbox, in the caller's transaction; it is sent after the commit. */
export const sendMail = (ctx: Ctx, mail: NewMail, { isSecret }: SendOptions = {}): Promise<void> =>
  tx(ctx, async (ctx) => {
    const id = ctx.newId();
    const { unsubscribeUrl, html, to, subject, text } = mail;
    const row = {
      id,
      to,
      subject,
      // The outbox shows only the text, so that without a mail server no one would see the HTML.
      ...sealMail(ctx, { text, html: ctx.mailer ? (html ?? null) : null, unsubscribe_url: unsubscribeUrl ?? null }),
      created_at: ctx.clock.now(),
    };
    await insertMail.run(ctx.db, row);
    await enqueue(ctx, mailSend, { mailId: id, isSecret });
  });

/** Hands an email to the mail server. Without one it stays in the outbox, and its link is logged. */
export async function deliverMail(ctx: Ctx, id: string, { isSecret }: SendOptions = {}): Promise<void> {
  const row = await findMail.first(ctx.db, { id });
  if (!row || row.sent_at !== null) return;
  const mail = openMail(ctx, row);
  const { to, subject, text, html, unsubscribe_url } = mail;
  if (!ctx.mailer) {
    const link = isSecret ? undefined : linkIn(mail);
    ctx.log.info({ mail: id, to, subject, link }, 'email stays in the outbox because MOORING_SMTP_URL is not set');
    return;
  }
  try {
    const unsubscribeUrl = unsubscribe_url ?? undefined;
    await ctx.mailer.send({ id, to, subject, text, html: html ?? undefined, unsubscribeUrl });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await tx(ctx, ({ db }) => saveError.run(db, { id, error: message.slice(0, 2000) }));
    throw error;
  }
  // From here on only the recipient has its links.
  await tx(ctx, ({ db }) => saveSent.run(db, { id, at: ctx.clock.now(), text: withoutLinks(text) }));
}

/** An email that cannot be opened must not break the list. */
function readable(ctx: Ctx, row: MailRow): MailRow {
  try {
    return openMail(ctx, row);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...row, text: error.message, html: null, unsubscribe_url: null };
  }
}

const sorts = { created_at: 'time', to: 'name', subject: 'name' } satisfies Sorts<string>;
export type MailSort = keyof typeof sorts;

export const listMails = (ctx: Ctx, input: ListInput<MailSort>): Promise<Page<WrittenMail>> =>
  readList(
    input,
    sorts,
    (listing) => pageMails(ctx.db, listing),
    (row) => toMail(readable(ctx, row)),
  );

/**
 * For administrators who pass the link on themselves. Reading the outbox does not show it, because that requires no permission
 * to change anything.
 */
export const revealLink = (ctx: Ctx, id: string): Promise<string> =>
  tx(ctx, async (ctx) => {
    const row = await findMail.first(ctx.db, { id });
    if (!row) throw notFound('mail', id);
    const mail = openMail(ctx, row);
    const link = linkIn(mail);
    if (!link) throw conflict('The link is no longer stored: the email was sent, so only its recipient has the link.');
    await record(ctx, 'mail.reveal_link', { kind: 'mail', id, name: mail.to });
    return link;
  });

export const mailsSweep = defineSchedule('mail.sweep', DAY);

/** Emails reveal who was invited where, so they are deleted after the retention time. */
export async function sweepMails(deps: Deps): Promise<void> {
  const before = deps.clock.now() - deps.config.mailRetentionDays * DAY;
  await sweep(deps, (db, limit) => deleteOldMails.run(db, { before, limit }));
}
