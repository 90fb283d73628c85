import type { AppCtx, Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { getApp, getAppRef } from '../../apps/index.ts';
import { publicAvatar } from '../../avatars/index.ts';
import { listCrowdedRecipients, sendMail } from '../../mail/index.ts';
import { type InstallLink, installPageUrl } from '../install/install-links.ts';
import { findReleaseForTester } from '../releases.store.ts';
import { toRelease } from '../releases.ts';
import { insertGroupNotices, insertNotices, listNoticedUsers, takeNotices } from './notifications.store.ts';
import { type AnnouncedRelease, releaseMail } from './release-mail.ts';
import { unsubscribeUrl } from './release-mails.ts';

export const testersNotify = defineJob<Record<never, never>>('testers.notify');

/** Releases distributed within this time are combined into one email. */
const GATHERED = MINUTE;
const BATCH = 100;

/** Notifies testers, in the transaction that distributes a release. */
export async function noticeTesters(ctx: AppCtx, releaseId: number, id: string): Promise<void> {
  await insertNotices.run(ctx.db, { appId: ctx.app.id, releaseId, id });
  await enqueue(ctx, testersNotify, {}, { runAt: ctx.clock.now() + GATHERED });
}

/** Notifies a user who joins a group, in the same transaction, of the newest release of each app of the group. */
export async function noticeNewMember(ctx: Ctx, joined: { groupId: string; userId: string }): Promise<void> {
  if ((await insertGroupNotices.run(ctx.db, joined)) === 0) return;
  await enqueue(ctx, testersNotify, {}, { runAt: ctx.clock.now() + GATHERED });
}

/** Lists the releases of the notices that the user still has. */
async function listAnnouncedReleases(
  ctx: Ctx,
  userId: string,
  { appId, releaseId, endsAt }: InstallLink,
): Promise<AnnouncedRelease[]> {
  const row = await findReleaseForTester.first(ctx.db, { appId, userId, id: releaseId });
  if (row?.is_enabled !== 1) return [];
  const app = await getApp({ ...ctx, app: await getAppRef(ctx, appId), permission: 'tester' }).catch(
    (error: unknown) => {
      if (error instanceof Failure && error.code === 'NotFound') return undefined;
      throw error;
    },
  );
  if (!app) return [];
  const release = toRelease(row);
  const image = release.iconPath ?? app.iconUrl;
  return [
    {
      app: app.displayName,
      version: release.shortVersion,
      notes: release.notes,
      link: installPageUrl(ctx, { appId, releaseId, endsAt }),
      // Only images of this server, so that no third party learns who reads the email.
      icon: image?.startsWith('/') ? publicAvatar(ctx, image) : undefined,
      isForPhones: app.os === 'Android' || app.os === 'iOS',
    },
  ];
}

/** Sends one email about all notices of a user and deletes the notices, in one transaction. */
const notifyTester = (ctx: Ctx, { id, email }: { id: string; email: string }, isCrowded: boolean): Promise<void> =>
  tx(ctx, async (ctx) => {
    const notices = await takeNotices.all(ctx.db, { userId: id });
    const endsAt = ctx.clock.now() + ctx.config.downloadMinutes * MINUTE;
    const releases: AnnouncedRelease[] = [];
    for (const { app_id: appId, release_id: releaseId } of notices)
      releases.push(...(await listAnnouncedReleases(ctx, id, { appId, releaseId, endsAt })));
    if (releases.length === 0 || isCrowded) return;
    await sendMail(ctx, releaseMail({ email, releases, linksEndAt: endsAt, unsubscribeUrl: unsubscribeUrl(ctx, id) }));
  });

export async function notifyTesters(ctx: Ctx): Promise<void> {
  for (;;) {
    const users = await listNoticedUsers.all(ctx.db, { limit: BATCH });
    const crowded = await listCrowdedRecipients(ctx);
    for (const user of users) await notifyTester(ctx, user, crowded.has(user.email.toLowerCase()));
    if (users.length < BATCH) return;
  }
}
