import type { AppCtx, Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { getApp, getAppRef } from '../../apps/index.ts';
import { publicAvatar } from '../../avatars/index.ts';
import { listCrowdedRecipients, sendMail } from '../../mail/index.ts';
import { type InstallLink, installPageUrl } from '../install/install-links.ts';
import { listReleasesGivenTo } from '../releases.store.ts';
import { toRelease } from '../releases.ts';
import { insertNotices, insertNoticesOfGroup, listNoticedUsers, takeNotices } from './notifications.store.ts';
import { type ReleaseNews, releaseMail } from './release-mail.ts';
import { unsubscribeUrl } from './release-mails.ts';

export const testersNotify = defineJob<Record<never, never>>('testers.notify');

/** What is given within it comes in one mail. */
const GATHERED = MINUTE;
const BATCH = 100;

/** In the transaction that gives a release to a group, or to a tester. */
export async function noticeTesters(ctx: AppCtx, releaseId: number, id: string): Promise<void> {
  await insertNotices.run(ctx.db, { appId: ctx.app.id, releaseId, id });
  await enqueue(ctx, testersNotify, {}, { runAt: ctx.clock.now() + GATHERED });
}

/** In the transaction in which a user joins a group: the newest release that is out already, of each app of the group. */
export async function noticeNewMember(ctx: Ctx, joined: { groupId: string; userId: string }): Promise<void> {
  if ((await insertNoticesOfGroup.run(ctx.db, joined)) === 0) return;
  await enqueue(ctx, testersNotify, {}, { runAt: ctx.clock.now() + GATHERED });
}

/** What is to be told of a release, if whoever is told has it still. */
async function newsOf(ctx: Ctx, userId: string, { appId, releaseId, endsAt }: InstallLink): Promise<ReleaseNews[]> {
  const row = (await listReleasesGivenTo.all(ctx.db, { appId, userId })).find(({ id }) => id === releaseId);
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
      // Nobody else learns who reads the mail.
      icon: image?.startsWith('/') ? publicAvatar(ctx, image) : undefined,
      isForPhones: app.os === 'Android' || app.os === 'iOS',
    },
  ];
}

/** One mail for all that somebody was given; it is written, and what it tells of forgotten, in one transaction. */
const tellTester = (ctx: Ctx, { id, email }: { id: string; email: string }, isCrowded: boolean): Promise<void> =>
  tx(ctx, async (ctx) => {
    const notices = await takeNotices.all(ctx.db, { userId: id });
    const endsAt = ctx.clock.now() + ctx.config.downloadMinutes * MINUTE;
    const news: ReleaseNews[] = [];
    for (const { app_id: appId, release_id: releaseId } of notices)
      news.push(...(await newsOf(ctx, id, { appId, releaseId, endsAt })));
    if (news.length === 0 || isCrowded) return;
    await sendMail(ctx, releaseMail({ email, news, linksEndAt: endsAt, unsubscribeUrl: unsubscribeUrl(ctx, id) }));
  });

export async function notifyTesters(ctx: Ctx): Promise<void> {
  for (;;) {
    const users = await listNoticedUsers.all(ctx.db, { limit: BATCH });
    const crowded = await listCrowdedRecipients(ctx);
    for (const user of users) await tellTester(ctx, user, crowded.has(user.email.toLowerCase()));
    if (users.length < BATCH) return;
  }
}
