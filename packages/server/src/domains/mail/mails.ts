import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { decodeCursor, type Page, toPage } from '../../kernel/paging.ts';
import { findMail, insertMail, type MailRow, pageMails, saveError, saveSent } from './mails.store.ts';

export interface NewMail {
  to: string;
  subject: string;
  text: string;
}

interface SendOptions {
  /** Its link gives whoever has it somebody's account, so it stays out of the log. */
  isSecret?: boolean;
}

export interface WrittenMail extends NewMail {
  id: string;
  createdAt: number;
  sentAt: number | undefined;
  error: string | undefined;
}

const toMail = (row: MailRow): WrittenMail => ({
  id: row.id,
  to: row.to,
  subject: row.subject,
  text: row.text,
  createdAt: row.created_at,
  sentAt: row.sent_at ?? undefined,
  error: row.error ?? undefined,
});

/** Names are other people's words: in a mail they stay on their line. */
export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const mailSend = defineJob<{ mailId: string; isSecret?: boolean }>('mail.send', { isRemote: true });

/** Writes a mail into the outbox; it goes out after the transaction that wrote it. */
export const sendMail = (ctx: Ctx, { to, subject, text }: NewMail, { isSecret }: SendOptions = {}): Promise<void> =>
  tx(ctx, async (ctx) => {
    const id = ctx.newId();
    await insertMail.run(ctx.db, { id, to, subject, text, created_at: ctx.clock.now() });
    await enqueue(ctx, mailSend, { mailId: id, isSecret });
  });

const links = /https?:\/\/\S+/g;

/** Hands a mail to the mail server. Without one it stays in the outbox, and the log names its link. */
export async function deliverMail(ctx: Ctx, id: string, { isSecret }: SendOptions = {}): Promise<void> {
  const mail = await findMail.first(ctx.db, { id });
  if (!mail || mail.sent_at !== null) return;
  const { to, subject, text } = mail;
  if (!ctx.mailer) {
    // The last one: names come before it, and may look like one.
    const link = isSecret ? undefined : text.match(links)?.at(-1);
    ctx.log.info({ mail: id, to, subject, link }, 'mail kept in the outbox, because MOORING_SMTP_URL is not set');
    return;
  }
  try {
    await ctx.mailer.send({ id, to, subject, text });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await tx(ctx, ({ db }) => saveError.run(db, { id, error: message.slice(0, 2000) }));
    throw error;
  }
  // Links are secrets of whoever got the mail; from here on only they have them.
  const kept = text.replace(links, '(link)');
  await tx(ctx, ({ db }) => saveSent.run(db, { id, at: ctx.clock.now(), text: kept }));
}

export async function listMails(
  ctx: Ctx,
  { limit = 50, cursor }: { limit?: number; cursor?: string },
): Promise<Page<WrittenMail>> {
  const [at, id] = cursor ? decodeCursor(cursor, ['number', 'string']) : [Number.MAX_SAFE_INTEGER, ''];
  const rows = await pageMails.all(ctx.db, { at: Number(at), id: String(id), limit: limit + 1 });
  return toPage(rows, limit, (row) => [row.created_at, row.id], toMail);
}
