import { type EmailEvent, emailEventNames, emailEvents } from '@mooring/contract';
import type { Ctx, Readership } from '../../context.ts';
import { eachRow } from '../../db/each-row.ts';
import { sweep } from '../../db/sweep.ts';
import { tx } from '../../db/tx.ts';
import { defineSchedule } from '../../jobs/index.ts';
import { DAY, HOUR, toIso } from '../../kernel/clock.ts';
import { isServiceAddress } from '../accounts/index.ts';
import { getAppRef, listAppUsers } from '../apps/index.ts';
import { listCrowdedRecipients, MAILS_BEFORE_TEST, sendMail } from '../mail/index.ts';
import { type Announcement, findAnnouncement, wordsOf } from '../webhooks/index.ts';
import { announcementMail, type DigestPart, digestMail, tokenMail } from './announcement-mail.ts';
import { deleteOldMailed, insertDigestItem, insertMailed, listDueReaders, takeDigestItems } from './digests.store.ts';
import { findReader } from './email-settings.store.ts';
import { listReaders, unsubscribeUrl, valueFor } from './email-settings.ts';

const eventOf = (type: string): EmailEvent | undefined => emailEventNames.find((event) => emailEvents[event] === type);

const nextMidnight = (now: number): number => now - (now % DAY) + DAY;

/** Whether this is the first time, in the transaction that mails. */
const isFirst = async ({ db, clock }: Ctx, what: string): Promise<boolean> =>
  (await insertMailed.first(db, { what, at: clock.now() })) !== undefined;

interface Announced {
  id: string;
  type: string;
  appId?: string;
}

/** Whether there are mails of such. */
export const isMailed = ({ type, appId }: Announced): boolean => appId !== undefined && eventOf(type) !== undefined;

export const mailReaders: Readership = {
  async count(ctx, appId, type) {
    const event = eventOf(type);
    return event ? (await listReaders(ctx, appId, event)).length : 0;
  },
};

/** Tells whoever has access to the app and wants to know, at once or with the mail of the day. */
export async function tellByMail(ctx: Ctx, { id, type, appId }: Announced): Promise<void> {
  const event = eventOf(type);
  const announcement = event && appId && (await findAnnouncement(ctx, id));
  // Forgotten, or gone with its app.
  if (!announcement) return;
  const readers = await listReaders(ctx, appId, event);
  // Mostly nobody wants to know.
  if (readers.length === 0) return;
  await tx(ctx, async (ctx) => {
    if (!(await isFirst(ctx, `announcement ${id}`))) return;
    const { isTest } = announcement;
    const crowded = await listCrowdedRecipients(ctx, isTest ? MAILS_BEFORE_TEST : undefined);
    const words = wordsOf(announcement);
    for (const { userId, email, value } of readers) {
      const isCrowded = crowded.has(email.toLowerCase());
      // Whoever tests all day must not keep others from alerts.
      if (isTest && isCrowded) continue;
      if (value !== 'Daily' && !isCrowded) {
        await sendMail(ctx, { ...announcementMail(email, words), unsubscribeUrl: unsubscribeUrl(ctx, userId) });
      }
      // Whoever got many already is told with the rest of the day.
      if (value !== 'Individual' || isCrowded) {
        const due_at = nextMidnight(ctx.clock.now());
        await insertDigestItem.run(ctx.db, { user_id: userId, announcement_id: id, app_id: appId, due_at });
      }
    }
  });
}

export interface ExpiringToken {
  tokenId: string;
  userId: string;
  appId?: string;
  orgId?: string;
  description?: string;
  expiresAt: number;
}

/** A token of a person is theirs alone, so only they are told. */
export async function tellOfToken(ctx: Ctx, { tokenId, userId, appId, orgId, description, expiresAt }: ExpiringToken) {
  if (appId || orgId) return;
  await tx(ctx, async (ctx) => {
    const reader = await findReader.first(ctx.db, { userId });
    if (!reader || isServiceAddress(reader.email) || !(await isFirst(ctx, `token ${tokenId}`))) return;
    const value = await valueFor(ctx, { appId: '', userId, permission: 'manager' }, 'token_appTokenExpiring');
    if (value === 'Disabled') return;
    const url = `${ctx.publicUrl()}/settings/tokens`;
    const content = { description: description ?? tokenId, expiresAt: toIso(expiresAt), url };
    await sendMail(ctx, { ...tokenMail(reader.email, content), unsubscribeUrl: unsubscribeUrl(ctx, userId) });
  });
}

/** What somebody may still see of what waits for them, by app. */
async function partsFor(ctx: Ctx, userId: string, items: { announcement_id: string; app_id: string }[]) {
  const parts = new Map<string, DigestPart>();
  for (const appId of new Set(items.map(({ app_id }) => app_id))) {
    const app = await getAppRef(ctx, appId);
    const found = (await listAppUsers({ ...ctx, app })).find(({ user }) => user.id === userId);
    if (!found) continue;
    const told: Announcement[] = [];
    for (const item of items.filter(({ app_id }) => app_id === appId)) {
      const announcement = await findAnnouncement(ctx, item.announcement_id);
      const event = announcement && eventOf(announcement.type);
      const isWanted =
        event && (await valueFor(ctx, { appId, userId, permission: found.permission }, event)) !== 'Disabled';
      if (announcement && isWanted) told.push(announcement);
    }
    const [first] = told;
    if (!first || !('app_display_name' in first.data)) continue;
    const titles = told.map((one) => wordsOf(one).title);
    parts.set(appId, { name: first.data.app_display_name, url: first.data.url, titles });
  }
  return [...parts.values()];
}

const sendDigest = (ctx: Ctx, userId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const items = await takeDigestItems.all(ctx.db, { userId, now: ctx.clock.now() });
    const reader = await findReader.first(ctx.db, { userId });
    const parts = reader ? await partsFor(ctx, userId, items) : [];
    if (!reader || parts.length === 0) return;
    await sendMail(ctx, { ...digestMail(reader.email, parts), unsubscribeUrl: unsubscribeUrl(ctx, userId) });
  });

export const digestsSend = defineSchedule('digest.send', HOUR);

/** After midnight UTC: one mail for each who waits for one. */
export async function sendDigests(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const due = eachRow(
    (page) => listDueReaders.all(ctx.db, { now, ...page }),
    ({ user_id }) => user_id,
  );
  for await (const { user_id } of due) await sendDigest(ctx, user_id);
  // Longer than an announcement is kept, and than a token is told of.
  const before = ctx.clock.now() - 40 * DAY;
  await sweep(ctx, (db, limit) => deleteOldMailed.run(db, { before, limit }));
}
