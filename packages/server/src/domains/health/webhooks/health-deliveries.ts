import type { SubscriptionCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { toIso } from '../../../kernel/clock.ts';
import { conflict, Failure } from '../../../kernel/errors.ts';
import { decodeCursor, type ListInput, type Page } from '../../../kernel/paging.ts';
import {
  type Attempt,
  addDelivery,
  type Delivery,
  getDelivery,
  listDeliveries,
  newestDeliveriesVersion,
  replayDelivery,
} from '../../../outbound/delivery/index.ts';
import { record } from '../../audit/index.ts';
import { saveChange } from '../events/changes.ts';
import { render } from '../events/rendering.ts';
import { getWebhookRow, lockWebhookRow, webhookSubject } from './health-webhooks.ts';

function refuseForeignToken(token: string | undefined): void {
  try {
    if (token) decodeCursor(token, ['string', 'either', 'string']);
  } catch {
    const message = 'Invalid $skipToken. Omit it to get the first page.';
    throw new Failure('InvalidSkipToken', message);
  }
}

export async function listWebhookDeliveries(
  ctx: SubscriptionCtx,
  webhookId: string,
  input: ListInput<'created_at' | 'state' | 'subject' | 'attempts'>,
): Promise<Page<Delivery>> {
  refuseForeignToken(input.cursor);
  await getWebhookRow(ctx, webhookId);
  const page = await listDeliveries(ctx, webhookId, input);
  if (ctx.actor.tokenScope !== 'viewer') return page;
  // A response may repeat the URL, so it is hidden from callers who may only read.
  const withoutResponse = (attempt: Attempt): Attempt => ({ ...attempt, answer: undefined });
  const values = page.values.map((delivery) => ({ ...delivery, attempts: delivery.attempts.map(withoutResponse) }));
  return { ...page, values };
}

/**
 * Changes whenever one of the newest deliveries was added, attempted or completed. Fails for callers who may not see the
 * webhook.
 */
export async function deliveriesVersion(ctx: SubscriptionCtx, webhookId: string): Promise<string> {
  await getWebhookRow(ctx, webhookId);
  return newestDeliveriesVersion(ctx, webhookId);
}

async function lockEnabled(ctx: SubscriptionCtx, webhookId: string) {
  const webhook = await lockWebhookRow(ctx, webhookId);
  if (webhook.is_enabled === 0) throw conflict('The webhook is disabled, so nothing can be sent. Enable it first.');
  return webhook;
}

/** Sends the message of a delivery again, with the same ID. */
export const replayWebhookDelivery = (ctx: SubscriptionCtx, webhookId: string, id: string): Promise<Delivery> =>
  tx(ctx, async (ctx) => {
    const webhook = await lockEnabled(ctx, webhookId);
    const added = await replayDelivery(ctx, webhookId, id);
    await record(ctx, 'webhook.replay', webhookSubject(webhook), { after: { delivery: added, replays: id } });
    return getDelivery(ctx, webhookId, added);
  });

/** The event of a test message: a realistic event that was never published. */
function sampleEvent(at: string): string {
  const by = {
    createdAt: at,
    createdBy: 'mooring',
    createdByType: 'Application',
    lastModifiedAt: at,
    lastModifiedBy: 'mooring',
    lastModifiedByType: 'Application',
  } as const;
  return render('TEST', by, {
    eventType: 'HealthAdvisory',
    status: 'Resolved',
    title: 'This is a test',
    summary: 'Nothing is wrong: this event tests a webhook.',
    isHIR: false,
    priority: 23,
    impactStartTime: at,
    lastUpdateTime: at,
  });
}

export const sendTest = (ctx: SubscriptionCtx, webhookId: string): Promise<Delivery> =>
  tx(ctx, async (ctx) => {
    const webhook = await lockEnabled(ctx, webhookId);
    const body = sampleEvent(toIso(ctx.clock.now()));
    const sourceId = await saveChange(ctx, { kind: 'test', name: 'TEST', body, audiences: '' });
    const id = await addDelivery(ctx, { endpointId: webhookId, sourceId, kind: 'test', subject: 'TEST' });
    await record(ctx, 'webhook.test', webhookSubject(webhook), { after: { delivery: id } });
    return getDelivery(ctx, webhookId, id);
  });
