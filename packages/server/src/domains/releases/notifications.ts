import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineJob } from '../../jobs/index.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { getApp, getAppRef } from '../apps/index.ts';
import { listCrowdedRecipients, sendMail } from '../mail/index.ts';
import { installLinks } from './install-links.ts';
import { listTestersOfDestination } from './notifications.store.ts';
import { releaseMail } from './release-mail.ts';
import { findRelease } from './releases.ts';

interface Told {
  appId: string;
  releaseId: number;
  /** Of a group, or of a tester. */
  destinationId: string;
}

export const testersNotify = defineJob<Told>('testers.notify');

/** Tells whoever was given a release by this destination, and still has it; all mails are written, or none. */
export async function notifyTesters(ctx: Ctx, { appId, releaseId, destinationId }: Told): Promise<void> {
  const people = await listTestersOfDestination.all(ctx.db, { appId, releaseId, id: destinationId });
  if (people.length === 0) return;
  const ref = await getAppRef(ctx, appId);
  const release = await findRelease({ ...ctx, app: ref }, releaseId);
  if (!release?.isEnabled) return;
  const app = await getApp({ ...ctx, app: ref, permission: 'tester' });
  await tx(ctx, async (ctx) => {
    const crowded = await listCrowdedRecipients(ctx);
    for (const { email } of people.filter((one) => !crowded.has(one.email.toLowerCase()))) {
      const mail = releaseMail({
        email,
        app: app.displayName,
        version: release.shortVersion,
        notes: release.notes,
        link: installLinks(ctx, appId, release).installUrl,
        linkEndsAt: ctx.clock.now() + ctx.config.downloadMinutes * MINUTE,
      });
      await sendMail(ctx, mail);
    }
  });
}
