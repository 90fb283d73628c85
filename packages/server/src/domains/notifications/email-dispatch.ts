import { type EmailEvent, emailEventNames, emailEvents } from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { eachRow } from '../../db/rows/each-row.ts';
import { sweep } from '../../db/rows/sweep.ts';
import { tx } from '../../db/tx.ts';
import type { Subscribers } from '../../extensions/subscribers.ts';
import { defineSchedule } from '../../jobs/index.ts';
import { DAY, HOUR, toIso } from '../../kernel/clock.ts';
import { isServiceAddress } from '../accounts/index.ts';
import { findAppUser, getAppRef } from '../apps/index.ts';
import { listCrowdedRecipients, MAILS_BEFORE_TEST, sendMail } from '../mail/index.ts';
import { type Announcement, findAnnouncement, formatAnnouncement } from '../webhooks/index.ts';
import { announcementMail, type DigestPart, digestMail, tokenMail } from './announcement-mail.ts';
import { deleteOldMailed, insertDigestItem, insertMailed, listDueReaders, takeDigestItems } from './digests.store.ts';
import { findReader } from './email-settings.store.ts';
import { listReaders, unsubscribeUrl, valueFor } from './email-settings.ts';

const findEmailEvent = (type: string): EmailEvent | undefined =>
  emailEventNames.find((event) => emailEvents[event] === type);

const nextMidnight = (now: number): number => now - (now % DAY) + DAY;

/** Records that an email is sent, in the same transaction; false if it was recorded before. */
const isFirst = async ({ db, clock }: Ctx, what: string): Promise<boolean> =>
  (await insertMailed.first(db, { what, at: clock.now() })) !== undefined;

interface Announced {
  id: string;
  type: string;
  appId?: string;
}

/** Checks whether emails are sent for this type. */
export const isMailed = ({ type, appId }: Announced): boolean =>
  appId !== undefined && findEmailEvent(type) !== undefined;

export const mailReaders: Subscribers = {
  async count(ctx, appId, type) {
    const event = findEmailEvent(type);
    return event ? (await listReaders(ctx, appId, event)).length : 0;
  },
};

/** Emails users with access to the app who subscribed to the event, immediately or in their daily summary. */
export async function sendAnnouncementMail(ctx: Ctx, { id, type, appId }: Announced): Promise<void> {
  const event = findEmailEvent(type);
  const announcement = event && appId && (await findAnnouncement(ctx, id));
  // The announcement was deleted, or its app.
  if (!announcement) return;
  const readers = await listReaders(ctx, appId, event);
  // Usually there are no readers.
  if (readers.length === 0) return;
  await tx(ctx, async (ctx) => {
    if (!(await isFirst(ctx, `announcement ${id}`))) return;
    const { isTest } = announcement;
    const crowded = await listCrowdedRecipients(ctx, isTest ? MAILS_BEFORE_TEST : undefined);
    const text = formatAnnouncement(announcement);
    for (const { userId, email, value } of readers) {
      const isCrowded = crowded.has(email.toLowerCase());
      // Test announcements must not use up the limit for alerts.
      if (isTest && isCrowded) continue;
      if (value !== 'Daily' && !isCrowded) {
        await sendMail(ctx, { ...announcementMail(email, text), unsubscribeUrl: unsubscribeUrl(ctx, userId) });
      }
      // Above the limit, the announcement goes into the daily summary.
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

/** A user token belongs to its user alone, so only they get the email. */
export async function notifyTokenExpiring(
  ctx: Ctx,
  { tokenId, userId, appId, orgId, description, expiresAt }: ExpiringToken,
) {
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

/** Groups the due items of a user by app, without those that they may no longer see. */
async function partsFor(ctx: Ctx, userId: string, items: { announcement_id: string; app_id: string }[]) {
  const parts = new Map<string, DigestPart>();
  for (const appId of new Set(items.map(({ app_id }) => app_id))) {
    const app = await getAppRef(ctx, appId);
    const reader = await findAppUser({ ...ctx, app }, userId);
    if (!reader) continue;
    const announcements: Announcement[] = [];
    for (const item of items.filter(({ app_id }) => app_id === appId)) {
      const announcement = await findAnnouncement(ctx, item.announcement_id);
      const event = announcement && findEmailEvent(announcement.type);
      const isEnabled =
        event && (await valueFor(ctx, { appId, userId, permission: reader.permission }, event)) !== 'Disabled';
      if (announcement && isEnabled) announcements.push(announcement);
    }
    const [first] = announcements;
    if (!first || !('app_display_name' in first.data)) continue;
    const titles = announcements.map((one) => formatAnnouncement(one).title);
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

/** After midnight UTC: sends one email to each user with due items. */
export async function sendDigests(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const due = eachRow(
    (page) => listDueReaders.all(ctx.db, { now, ...page }),
    ({ user_id }) => user_id,
  );
  for await (const { user_id } of due) await sendDigest(ctx, user_id);
  // Longer than announcements are stored, and than a token's expiry is announced.
  const before = ctx.clock.now() - 40 * DAY;
  await sweep(ctx, (db, limit) => deleteOldMailed.run(db, { before, limit }));
}
