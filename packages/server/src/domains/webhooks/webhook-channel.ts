import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineSchedule } from '../../jobs/index.ts';
import { DAY } from '../../kernel/clock.ts';
import {
  type Channel,
  clearEndpoint,
  type DisabledReason,
  deleteEndpoint,
  disableEndpoint,
} from '../../outbound/delivery/index.ts';
import { isServiceAddress } from '../accounts/index.ts';
import { record } from '../audit/index.ts';
import { listCrowdedRecipients, sendMail } from '../mail/index.ts';
import { findAnnouncements, sweepAnnouncements } from './announcements.ts';
import { disabledMail } from './disabled-mail.ts';
import { messageOf } from './forms.ts';
import {
  findWebhookOwners,
  findWebhookRow,
  findWebhooks,
  listAdmins,
  listLostEndpoints,
  listManagers,
  listWebhooksOfApp,
  type WebhookRow,
} from './webhooks.store.ts';
import { CHANNEL } from './webhooks.tables.ts';
import { webhookSubject } from './webhooks.ts';

/** Whoever looks after the app or the organization is told, and the log says why. */
async function tellDisabled(ctx: Ctx, webhook: WebhookRow, reason: DisabledReason): Promise<void> {
  await record(ctx, 'webhook.disable', webhookSubject(webhook), { after: { reason } });
  const { app_id: appId, org_id: orgId, name, url } = webhook;
  const keepers = appId
    ? await listManagers.all(ctx.db, { appId })
    : await listAdmins.all(ctx.db, { orgId: orgId ?? '' });
  const crowded = await listCrowdedRecipients(ctx);
  for (const { email } of keepers) {
    if (isServiceAddress(email) || crowded.has(email.toLowerCase())) continue;
    await sendMail(ctx, disabledMail({ to: email, name, url, reason }));
  }
}

export const webhookChannel: Channel = {
  name: CHANNEL,
  findOwners: ({ db }, ids) => findWebhookOwners(db, ids),
  async prepare(ctx, { endpointId, sourceId, messageId }, reads): ReturnType<Channel['prepare']> {
    const [announcement, webhook] = await Promise.all([
      reads.among('announcement', sourceId, (ids) => findAnnouncements(ctx, ids)),
      reads.among('webhook', endpointId, (ids) => findWebhooks(ctx.db, ids)),
    ]);
    // Forgotten, or gone with its app or its organization.
    if (!announcement || !webhook) return {};
    const message = messageOf(webhook.format, { messageId, announcement, publicUrl: ctx.publicUrl() });
    return { message };
  },
  async onDisabled(ctx, endpoint, reason) {
    const webhook = await findWebhookRow.first(ctx.db, { id: endpoint.id });
    if (webhook) await tellDisabled(ctx, webhook, reason);
  },
};

/** They belong to the previous owner: nothing is sent there, and the next owner cannot use their addresses. */
export async function disableWebhooksOfApp(ctx: Ctx, appId: string): Promise<void> {
  for (const webhook of await listWebhooksOfApp.all(ctx.db, { id: appId })) {
    await clearEndpoint(ctx, webhook);
    if (await disableEndpoint(ctx, webhook.id, 'AccessLost')) await tellDisabled(ctx, webhook, 'AccessLost');
  }
}

export const announcementsSweep = defineSchedule('announcement.sweep', DAY);

/** Forgets what was announced when the log of its deliveries ends, and endpoints whose webhook is gone. */
export async function sweepWebhooks(ctx: Ctx): Promise<void> {
  await sweepAnnouncements(ctx);
  await tx(ctx, async (ctx) => {
    for (const { id } of await listLostEndpoints.all(ctx.db, { channel: CHANNEL })) await deleteEndpoint(ctx, id);
  });
}
