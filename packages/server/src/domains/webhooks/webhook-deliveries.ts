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
import { wordsOf } from './announcement-words.ts';
import { findAnnouncement, keepAnnouncement } from './announcements.ts';
import type { WebhookRow } from './webhooks.store.ts';
import { eventTypesOf, getWebhookRow, type HomeCtx, lockWebhookRow, recordFor, seesSecrets } from './webhooks.ts';

export async function listWebhookDeliveries(
  ctx: HomeCtx,
  webhookId: string,
  input: ListInput<'created_at' | 'state' | 'subject' | 'attempts'>,
): Promise<Page<Delivery>> {
  await getWebhookRow(ctx, webhookId);
  const page = await listDeliveries(ctx, webhookId, input);
  if (seesSecrets(ctx)) return page;
  const withoutAnswer = (attempt: Attempt): Attempt => ({ ...attempt, answer: undefined });
  const values = page.values.map((delivery) => ({ ...delivery, attempts: delivery.attempts.map(withoutAnswer) }));
  return { ...page, values };
}

/** Differs whenever one of the newest deliveries came, was tried or is settled. */
export async function deliveriesVersion(ctx: HomeCtx, webhookId: string): Promise<string> {
  await getWebhookRow(ctx, webhookId);
  return newestDeliveriesVersion(ctx, webhookId);
}

async function lockEnabled(ctx: HomeCtx, webhookId: string): Promise<WebhookRow> {
  const webhook = await lockWebhookRow(ctx, webhookId);
  if (webhook.is_enabled === 0) throw conflict('The webhook is disabled, so nothing is sent; enable it first.');
  return webhook;
}

/** Sends the message of a delivery once more, under the same id. */
export const replayWebhookDelivery = (ctx: HomeCtx, webhookId: string, id: string): Promise<Delivery> =>
  tx<HomeCtx, Delivery>(ctx, async (ctx) => {
    const webhook = await lockEnabled(ctx, webhookId);
    const added = await replayDelivery(ctx, webhookId, id);
    await recordFor(ctx, 'webhook.replay', webhook, { delivery: added, replays: id });
    return getDelivery(ctx, webhookId, added);
  });

/** The example of an event that the webhook is told of, marked as a test. */
export const sendTest = (ctx: HomeCtx, webhookId: string, wanted?: AnnouncementType): Promise<Delivery> =>
  tx<HomeCtx, Delivery>(ctx, async (ctx) => {
    const webhook = await lockEnabled(ctx, webhookId);
    const types = eventTypesOf(webhook);
    const type = wanted ?? types[0];
    if (!type || !types.includes(type)) {
      throw badRequest(`event_type: the webhook is told of ${types.join(', ')}; choose one of these.`);
    }
    const data = { ...announcementExamples[type], sent_at: toIso(ctx.clock.now()) };
    const place = { appId: webhook.app_id ?? undefined, orgId: webhook.org_id ?? undefined };
    const sourceId = await keepAnnouncement(ctx, type, place, data, { isTest: true });
    const kept = sourceId && (await findAnnouncement(ctx, sourceId));
    if (!kept) throw new Error('a test is gone before it was sent');
    const subject = wordsOf(kept).title;
    const id = await addDelivery(ctx, { endpointId: webhookId, sourceId: kept.id, kind: type, subject });
    await recordFor(ctx, 'webhook.test', webhook, { delivery: id });
    return getDelivery(ctx, webhookId, id);
  });
