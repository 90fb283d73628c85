import type { Ctx, Deps } from '../../context.ts';
import { sweep } from '../../db/sweep.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, defineSchedule, enqueue } from '../../jobs/index.ts';
import { DAY, SECOND } from '../../kernel/clock.ts';
import {
  countAttempt,
  deleteOldDeliveries,
  findWaiting,
  insertAttempt,
  insertDelivery,
  settleDelivery,
  type WaitingDelivery,
} from './deliveries.store.ts';
import { saveFailure, saveSuccess } from './endpoints.store.ts';
import { type DisabledReason, disableEndpoint, secretsOf } from './endpoints.ts';
import { signWebhook } from './signature.ts';

/** About seven hours, with the waits between jobs. */
const MAX_ATTEMPTS = 15;
/** A receiver that gave nothing but failures for this long is not asked any more. */
const GIVE_UP_AFTER = 5 * DAY;
const TIMEOUT = 10 * SECOND;
const LONGEST_ANSWER = 500;
/** How long the log is kept. */
export const DELIVERY_LIFE = 30 * DAY;

/** More than the attempts of a delivery: only a process that ends each time makes a dead letter of it. */
export const deliverySend = defineJob<{ deliveryId: string }>('webhook.deliver', {
  maxAttempts: MAX_ATTEMPTS + 5,
  isRemote: true,
});
export const deliveriesSweep = defineSchedule('delivery.sweep', DAY);

/** What a domain has to say to addresses of others; this room does the rest and does not know what it means. */
export interface Channel {
  /** Stands with each of its endpoints. */
  readonly name: string;
  /** What is sent now. Without a message nothing is, and with a reason the endpoint is disabled. */
  prepare(ctx: Ctx, delivery: Prepared): Promise<{ message: Message } | { reason?: DisabledReason }>;
  /** In the transaction in which the server itself disabled an endpoint. */
  onDisabled(ctx: Ctx, endpoint: { id: string; url: string }, reason: DisabledReason): Promise<void>;
}

export interface Prepared {
  endpointId: string;
  /** What it tells of, in the words of its domain. */
  sourceId: string;
  /** The same through every attempt and replay. */
  messageId: string;
}

export interface Message {
  contentType: string;
  body: string;
}

export interface NewDelivery {
  endpointId: string;
  sourceId: string;
  /** For the log: what happened, and to what. */
  kind: string;
  subject: string;
  /** Of a repetition: which one, and the message that is repeated. */
  replay?: number;
  messageId?: string;
}

/** Writes down that something goes to an endpoint, once; it is sent after the transaction. */
export async function addDelivery(
  ctx: Ctx,
  { endpointId, sourceId, kind, subject, replay = 0, messageId }: NewDelivery,
): Promise<string> {
  const id = ctx.newId();
  const added = await insertDelivery.first(ctx.db, {
    id,
    endpoint_id: endpointId,
    kind,
    subject,
    source_id: sourceId,
    replay,
    message_id: messageId ?? id,
    at: ctx.clock.now(),
  });
  if (added) await enqueue(ctx, deliverySend, { deliveryId: id });
  return id;
}

interface Outcome {
  isSuccess: boolean;
  ms: number;
  status: number | null;
  error: string | null;
  answer: string | null;
}

async function send(ctx: Ctx, delivery: WaitingDelivery, { contentType, body }: Message): Promise<Outcome> {
  const secrets = secretsOf(ctx, delivery);
  const signature = signWebhook({ id: delivery.message_id, at: ctx.clock.now(), body, secrets });
  const start = performance.now();
  const took = () => Math.round(performance.now() - start);
  try {
    const { status, body: answer } = await ctx.fetch(delivery.url, {
      method: 'POST',
      headers: { 'content-type': contentType, ...signature },
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

async function disable(
  ctx: Ctx,
  channel: Channel,
  { endpoint_id: id, url }: WaitingDelivery,
  reason: DisabledReason,
): Promise<void> {
  if (await disableEndpoint(ctx, id, reason)) await channel.onDisabled(ctx, { id, url }, reason);
}

const cancel = (ctx: Ctx, channel: Channel, delivery: WaitingDelivery, reason?: DisabledReason): Promise<void> =>
  tx(ctx, async (ctx) => {
    if (reason) await disable(ctx, channel, delivery, reason);
    await settleDelivery.run(ctx.db, { id: delivery.id, state: 'Cancelled', at: ctx.clock.now() });
  });

/** Sends a message, unless it was sent or its channel no longer has it; throws if it is to be tried again. */
export async function deliver(ctx: Ctx, channels: readonly Channel[], deliveryId: string): Promise<void> {
  const delivery = await findWaiting.first(ctx.db, { id: deliveryId });
  if (!delivery) return;
  const channel = channels.find(({ name }) => name === delivery.channel);
  if (!channel) throw new Error(`Nobody has the channel ${delivery.channel}.`);
  if (delivery.is_enabled === 0) return cancel(ctx, channel, delivery);
  const { endpoint_id: endpointId, source_id: sourceId, message_id: messageId } = delivery;
  const prepared = await channel.prepare(ctx, { endpointId, sourceId, messageId });
  if (!('message' in prepared)) return cancel(ctx, channel, delivery, prepared.reason);

  const { isSuccess, ...attempt } = await send(ctx, delivery, prepared.message);
  const isOver = await tx(ctx, async (ctx) => {
    const at = ctx.clock.now();
    const number = (await countAttempt.first(ctx.db, { id: deliveryId }))?.attempts;
    // It was removed while it was sent.
    if (number === undefined) return true;
    await insertAttempt.run(ctx.db, { ...attempt, delivery_id: deliveryId, number, at });
    const isGone = attempt.status === 410;
    const isOver = isSuccess || isGone || number >= MAX_ATTEMPTS;
    if (isOver) await settleDelivery.run(ctx.db, { id: deliveryId, state: isSuccess ? 'Delivered' : 'Failed', at });
    if (isSuccess) await saveSuccess.run(ctx.db, { id: endpointId });
    else {
      const since = (await saveFailure.first(ctx.db, { id: endpointId, at }))?.failing_since ?? at;
      if (isGone) await disable(ctx, channel, delivery, 'Gone');
      else if (at - since >= GIVE_UP_AFTER) await disable(ctx, channel, delivery, 'Failing');
    }
    return isOver;
  });
  if (!isOver) throw new Error(attempt.error ?? `The receiver answered ${attempt.status}.`);
}

export async function sweepDeliveries(deps: Deps): Promise<void> {
  const before = deps.clock.now() - DELIVERY_LIFE;
  await sweep(deps, (db, limit) => deleteOldDeliveries.run(db, { before, limit }));
}
