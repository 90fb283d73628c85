import type { AnnouncementType } from '@mooring/contract';
import { announcementExamples } from '@mooring/contract/examples';
import { tx } from '../../db/tx.ts';
import { toIso } from '../../kernel/clock.ts';
import { badRequest, conflict } from '../../kernel/errors.ts';
import type { ListInput, Page } from '../../kernel/paging.ts';
import {
  type Attempt,
  addDelivery,
  type Delivery,
  getDelivery,
  listDeliveries,
  newestDeliveriesVersion,
  replayDelivery,
} from '../../outbound/delivery/index.ts';
import { formatAnnouncement } from './announcement-text.ts';
import { findAnnouncement, saveAnnouncement } from './announcements.ts';
import type { WebhookRow } from './webhooks.store.ts';
import { getWebhookRow, type HomeCtx, lockWebhookRow, parseEventTypes, recordFor, seesSecrets } from './webhooks.ts';

export async function listWebhookDeliveries(
  ctx: HomeCtx,
  webhookId: string,
  input: ListInput<'created_at' | 'state' | 'subject' | 'attempts'>,
): Promise<Page<Delivery>> {
  await getWebhookRow(ctx, webhookId);
  const page = await listDeliveries(ctx, webhookId, input);
  if (seesSecrets(ctx)) return page;
  const withoutResponse = (attempt: Attempt): Attempt => ({ ...attempt, answer: undefined });
  const values = page.values.map((delivery) => ({ ...delivery, attempts: delivery.attempts.map(withoutResponse) }));
  return { ...page, values };
}

/** Changes whenever one of the newest deliveries was added, attempted or completed. */
export async function deliveriesVersion(ctx: HomeCtx, webhookId: string): Promise<string> {
  await getWebhookRow(ctx, webhookId);
  return newestDeliveriesVersion(ctx, webhookId);
}

async function lockEnabled(ctx: HomeCtx, webhookId: string): Promise<WebhookRow> {
  const webhook = await lockWebhookRow(ctx, webhookId);
  if (webhook.is_enabled === 0) throw conflict('The webhook is disabled, so nothing can be sent. Enable it first.');
  return webhook;
}

/** Sends the message of a delivery again, with the same ID. */
export const replayWebhookDelivery = (ctx: HomeCtx, webhookId: string, id: string): Promise<Delivery> =>
  tx<HomeCtx, Delivery>(ctx, async (ctx) => {
    const webhook = await lockEnabled(ctx, webhookId);
    const added = await replayDelivery(ctx, webhookId, id);
    await recordFor(ctx, 'webhook.replay', webhook, { delivery: added, replays: id });
    return getDelivery(ctx, webhookId, added);
  });

/** Sends the example of an event type that the webhook receives, marked as a test. */
export const sendTest = (ctx: HomeCtx, webhookId: string, requestedType?: AnnouncementType): Promise<Delivery> =>
  tx<HomeCtx, Delivery>(ctx, async (ctx) => {
    const webhook = await lockEnabled(ctx, webhookId);
    const types = parseEventTypes(webhook);
    const type = requestedType ?? types[0];
    if (!type || !types.includes(type)) {
      throw badRequest(`event_type: the webhook receives ${types.join(', ')}. Choose one of them.`);
    }
    const data = { ...announcementExamples[type], sent_at: toIso(ctx.clock.now()) };
    const place = { appId: webhook.app_id ?? undefined, orgId: webhook.org_id ?? undefined };
    const sourceId = await saveAnnouncement(ctx, type, place, data, { isTest: true });
    const announcement = sourceId && (await findAnnouncement(ctx, sourceId));
    if (!announcement) throw new Error('a test announcement was deleted before it was sent');
    const subject = formatAnnouncement(announcement).title;
    const id = await addDelivery(ctx, { endpointId: webhookId, sourceId: announcement.id, kind: type, subject });
    await recordFor(ctx, 'webhook.test', webhook, { delivery: id });
    return getDelivery(ctx, webhookId, id);
  });
