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
import { buildMessage } from './forms.ts';
import {
  findWebhookOwners,
  findWebhookRow,
  findWebhooks,
  listAdmins,
  listAppWebhooks,
  listLostEndpoints,
  listManagers,
  type WebhookRow,
} from './webhooks.store.ts';
import { CHANNEL } from './webhooks.tables.ts';
import { webhookSubject } from './webhooks.ts';

/** Notifies managers of the app or admins of the organization, and logs the reason. */
async function notifyDisabled(ctx: Ctx, webhook: WebhookRow, reason: DisabledReason): Promise<void> {
  await record(ctx, 'webhook.disable', webhookSubject(webhook), { after: { reason } });
  const { app_id: appId, org_id: orgId, name, url } = webhook;
  const recipients = appId
    ? await listManagers.all(ctx.db, { appId })
    : await listAdmins.all(ctx.db, { orgId: orgId ?? '' });
  const crowded = await listCrowdedRecipients(ctx);
  for (const { email } of recipients) {
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
    // The announcement was deleted, or its app or organization.
    if (!announcement || !webhook) return {};
    const message = buildMessage(webhook.format, { messageId, announcement, publicUrl: ctx.publicUrl() });
    return { message };
  },
  async onDisabled(ctx, endpoint, reason) {
    const webhook = await findWebhookRow.first(ctx.db, { id: endpoint.id });
    if (webhook) await notifyDisabled(ctx, webhook, reason);
  },
};

/** The webhooks belong to the previous owner: nothing is sent to them, and the next owner must not reuse their URLs. */
export async function disableAppWebhooks(ctx: Ctx, appId: string): Promise<void> {
  for (const webhook of await listAppWebhooks.all(ctx.db, { id: appId })) {
    await clearEndpoint(ctx, webhook);
    if (await disableEndpoint(ctx, webhook.id, 'AccessLost')) await notifyDisabled(ctx, webhook, 'AccessLost');
  }
}

export const announcementsSweep = defineSchedule('announcement.sweep', DAY);

/** Deletes announcements whose delivery log has expired, and endpoints without a webhook. */
export async function sweepWebhooks(ctx: Ctx): Promise<void> {
  await sweepAnnouncements(ctx);
  await tx(ctx, async (ctx) => {
    for (const { id } of await listLostEndpoints.all(ctx.db, { channel: CHANNEL })) await deleteEndpoint(ctx, id);
  });
}
