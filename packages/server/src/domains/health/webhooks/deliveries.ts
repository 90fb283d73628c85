import type { Ctx, User } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, defineSchedule, enqueue } from '../../../jobs/index.ts';
import { DAY, SECOND } from '../../../kernel/clock.ts';
import { isServiceAddress } from '../../accounts/index.ts';
import { sendMail } from '../../mail/index.ts';
import { findSubscriptionFor, type Subscription } from '../../subscriptions/index.ts';
import { findChange, forgetChanges, type KeptChange } from '../events/changes.ts';
import { readerOf, renderFor } from '../listing/listing.ts';
import {
  countAttempt,
  findWaiting,
  insertAttempt,
  insertDelivery,
  settleDelivery,
  type WaitingDelivery,
} from './deliveries.store.ts';
import { disabledMail } from './disabled-mail.ts';
import { cloudEvent, cloudEventType, signWebhook } from './health-webhook-message.ts';
import { saveFailure, saveSuccess } from './health-webhooks.store.ts';
import { disableWebhook, secretsOf, type Webhook } from './health-webhooks.ts';

/** About seven hours, with the waits between jobs. */
const MAX_ATTEMPTS = 15;
/** A receiver that gave nothing but failures for this long is not asked any more. */
const GIVE_UP_AFTER = 5 * DAY;
const TIMEOUT = 10 * SECOND;
const LONGEST_ANSWER = 500;
const KEEP = 30 * DAY;

/** More than the attempts of a delivery: only a process that ends each time makes a dead letter of it. */
export const webhookDeliver = defineJob<{ deliveryId: string }>('webhook.deliver', {
  maxAttempts: MAX_ATTEMPTS + 5,
  isRemote: true,
});
export const deliveriesSweep = defineSchedule('webhook.sweep', DAY);

export interface NewDelivery {
  webhookId: string;
  changeId: string;
  /** Of a repetition: which one, and the message that is repeated. */
  replay?: number;
  messageId?: string;
}

/** Writes down that a change goes to a webhook, once; it is sent after the transaction. */
export async function addDelivery(ctx: Ctx, { webhookId, changeId, replay = 0, messageId }: NewDelivery) {
  const id = ctx.newId();
  const added = await insertDelivery.first(ctx.db, {
    id,
    webhook_id: webhookId,
    change_id: changeId,
    replay,
    message_id: messageId ?? id,
    at: ctx.clock.now(),
  });
  if (added) await enqueue(ctx, webhookDeliver, { deliveryId: id });
  return id;
}

interface Outcome {
  isSuccess: boolean;
  ms: number;
  status: number | null;
  error: string | null;
  answer: string | null;
}

function messageFor(
  ctx: Ctx,
  { message_id }: WaitingDelivery,
  subscription: Subscription,
  { kind, name, version, at, body }: KeptChange,
): string {
  return cloudEvent({
    id: message_id,
    change: kind,
    version,
    publicUrl: ctx.publicUrl(),
    trackingId: name,
    subscriptionId: subscription.id,
    at,
    event: JSON.parse(renderFor(ctx, readerOf({ subscription }), body)),
  });
}

async function send(ctx: Ctx, delivery: WaitingDelivery, body: string): Promise<Outcome> {
  const signature = signWebhook({
    id: delivery.message_id,
    at: ctx.clock.now(),
    body,
    secrets: secretsOf(ctx, delivery),
  });
  const start = performance.now();
  const took = () => Math.round(performance.now() - start);
  try {
    const { status, body: answer } = await ctx.fetch(delivery.url, {
      method: 'POST',
      headers: { 'content-type': cloudEventType, ...signature },
      body,
      timeoutMs: TIMEOUT,
      maxBytes: 65_536,
    });
    const isSuccess = status >= 200 && status < 300;
    const text = isSuccess
      ? null
      : answer.toString('utf8').replaceAll('\0', '').slice(0, LONGEST_ANSWER).toWellFormed();
    return { isSuccess, ms: took(), status, error: null, answer: text };
  } catch (error) {
    // An `OutboundError`: its message may be shown.
    const message = error instanceof Error ? error.message : String(error);
    return { isSuccess: false, ms: took(), status: null, error: message, answer: null };
  }
}

const toWebhook = ({ webhook_id, url }: WaitingDelivery) => ({ id: webhook_id, url });

/** Disables a webhook that does not work, and tells its maker. */
async function giveUp(
  ctx: Ctx,
  delivery: WaitingDelivery,
  maker: User,
  subscription: Subscription,
  reason: NonNullable<Webhook['disabledReason']>,
): Promise<void> {
  const changed = await disableWebhook(ctx, toWebhook(delivery), reason);
  if (!changed || isServiceAddress(maker.email)) return;
  await sendMail(ctx, disabledMail({ to: maker.email, subscription: subscription.name, url: delivery.url, reason }));
}

const cancel = (ctx: Ctx, delivery: WaitingDelivery, reason?: NonNullable<Webhook['disabledReason']>): Promise<void> =>
  tx(ctx, async (ctx) => {
    if (reason) await disableWebhook(ctx, toWebhook(delivery), reason);
    await settleDelivery.run(ctx.db, { id: delivery.id, state: 'Cancelled', at: ctx.clock.now() });
  });

/** Sends a message, unless it was sent or its maker may no longer read what it says; throws if it is to be tried again. */
export async function deliver(ctx: Ctx, deliveryId: string): Promise<void> {
  const delivery = await findWaiting.first(ctx.db, { id: deliveryId });
  const change = delivery && (await findChange(ctx, delivery.change_id));
  if (!delivery || !change) return;
  if (delivery.is_enabled === 0) return cancel(ctx, delivery);
  const granted = await findSubscriptionFor(ctx, delivery.created_by, delivery.subscription_id);
  if (!granted) return cancel(ctx, delivery, 'AccessLost');

  const { subscription, user } = granted;
  const outcome = await send(ctx, delivery, messageFor(ctx, delivery, subscription, change));
  const { isSuccess, ...attempt } = outcome;
  const isOver = await tx(ctx, async (ctx) => {
    const at = ctx.clock.now();
    const number = (await countAttempt.first(ctx.db, { id: deliveryId }))?.attempts;
    // It was removed while it was sent.
    if (number === undefined) return true;
    await insertAttempt.run(ctx.db, { ...attempt, delivery_id: deliveryId, number, at });
    const isGone = attempt.status === 410;
    const isOver = isSuccess || isGone || number >= MAX_ATTEMPTS;
    if (isOver) await settleDelivery.run(ctx.db, { id: deliveryId, state: isSuccess ? 'Delivered' : 'Failed', at });
    if (isSuccess) await saveSuccess.run(ctx.db, { id: delivery.webhook_id });
    else {
      const since = (await saveFailure.first(ctx.db, { id: delivery.webhook_id, at }))?.failing_since ?? at;
      if (isGone) await giveUp(ctx, delivery, user, subscription, 'Gone');
      else if (at - since >= GIVE_UP_AFTER) await giveUp(ctx, delivery, user, subscription, 'Failing');
    }
    return isOver;
  });
  if (!isOver) throw new Error(attempt.error ?? `The receiver answered ${attempt.status}.`);
}

export const sweepDeliveries = async (ctx: Ctx): Promise<void> => {
  await forgetChanges(ctx, ctx.clock.now() - KEEP);
};
