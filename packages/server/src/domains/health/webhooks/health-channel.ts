import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineSchedule } from '../../../jobs/index.ts';
import { DAY } from '../../../kernel/clock.ts';
import { parseOwnJson } from '../../../kernel/text/json.ts';
import { type Channel, DELIVERY_LIFE, deleteEndpoint } from '../../../outbound/delivery/index.ts';
import { isServiceAddress } from '../../accounts/index.ts';
import { record } from '../../audit/index.ts';
import { sendMail } from '../../mail/index.ts';
import { findSubscriptionFor } from '../../subscriptions/index.ts';
import { deleteOldChanges, findChange } from '../events/changes.ts';
import { CHANNEL } from '../health.events.ts';
import { createReader, renderFor } from '../listing/listing.ts';
import { disabledMail } from './disabled-mail.ts';
import { cloudEvent, cloudEventType } from './health-webhook-message.ts';
import { findWebhookGrant, findWebhookOwners, listLostEndpoints } from './health-webhooks.store.ts';
import { webhookSubject } from './health-webhooks.ts';

/** A webhook works as long as its creator may read the subscription, and shows what the creator would see. */
const findReader = (ctx: Ctx, { created_by, subscription_id }: { created_by: string; subscription_id: string }) =>
  findSubscriptionFor(ctx, created_by, subscription_id);

export const healthChannel: Channel = {
  name: CHANNEL,
  findOwners: ({ db }, ids) => findWebhookOwners(db, ids),
  async prepare(ctx, { endpointId, sourceId, messageId }, { once }) {
    const change = await once(`change ${sourceId}`, () => findChange(ctx, sourceId));
    const grant = await once(`grant ${endpointId}`, () => findWebhookGrant.first(ctx.db, { id: endpointId }));
    // The change was deleted, or the webhook with its subscription or creator.
    if (!change || !grant) return {};
    const granted = await once(`reader ${endpointId}`, () => findReader(ctx, grant));
    if (!granted) return { reason: 'AccessLost' };
    const { subscription } = granted;
    const { kind, name, version, at } = change;
    const body = cloudEvent({
      id: messageId,
      change: kind,
      version,
      publicUrl: ctx.publicUrl(),
      trackingId: name,
      subscriptionId: subscription.id,
      at,
      event: parseOwnJson(renderFor(ctx, createReader({ subscription }), change.body)),
    });
    return { message: { contentType: cloudEventType, body } };
  },
  /** A creator who lost access must not learn what they can no longer see. */
  async onDisabled(ctx, endpoint, reason) {
    await record(ctx, 'webhook.disable', webhookSubject(endpoint), { after: { reason } });
    const grant = reason === 'AccessLost' ? undefined : await findWebhookGrant.first(ctx.db, { id: endpoint.id });
    const granted = grant && (await findReader(ctx, grant));
    if (!granted || isServiceAddress(granted.user.email)) return;
    const { user, subscription } = granted;
    const content = { to: user.email, subscription: subscription.name, url: endpoint.url, reason };
    await sendMail(ctx, disabledMail(content));
  },
};

export const changesSweep = defineSchedule('webhook.sweep', DAY);

/** Deletes changes whose delivery log has expired, and endpoints without a webhook. */
export async function sweepChanges(ctx: Ctx): Promise<void> {
  await deleteOldChanges(ctx, ctx.clock.now() - DELIVERY_LIFE);
  await tx(ctx, async (ctx) => {
    for (const { id } of await listLostEndpoints.all(ctx.db, { channel: CHANNEL })) await deleteEndpoint(ctx, id);
  });
}
