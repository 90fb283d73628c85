import type { Ctx } from '../../context.ts';
import { SECOND } from '../../kernel/clock.ts';
import type { ClaimedDelivery } from './deliveries.store.ts';
import type { Channel, Message } from './deliveries.ts';
import type { EndpointRow } from './endpoints.store.ts';
import { type DisabledReason, listSecrets, readEndpointUrl } from './endpoints.ts';
import type { Reads } from './reads.ts';
import { signWebhook } from './signature.ts';

/** With the delays between them, about seven hours. */
export const MAX_ATTEMPTS = 15;
const TIMEOUT = 10 * SECOND;
const MAX_RESPONSE_LENGTH = 500;

/** A delivery that this process sends. */
export interface Taken extends ClaimedDelivery {
  endpoint: EndpointRow;
}

/** Result of an attempt for the log. */
interface Attempt {
  ms: number;
  status: number | null;
  error: string | null;
  answer: string | null;
}

export type End =
  | { state: 'Delivered' | 'Failed'; attempt: Attempt }
  /** Nothing was sent: the message no longer exists, or not for this endpoint. */
  | { state: 'Cancelled'; reason?: DisabledReason };

const failed = (error: string, ms = 0): End => ({
  state: 'Failed',
  attempt: { ms, status: null, error, answer: null },
});

async function post(ctx: Ctx, endpoint: EndpointRow, headers: Record<string, string>, body: string): Promise<End> {
  const start = performance.now();
  const took = () => Math.round(performance.now() - start);
  try {
    const { status, body: answer } = await ctx.fetch(readEndpointUrl(ctx, endpoint), {
      method: 'POST',
      headers,
      body,
      timeoutMs: TIMEOUT,
      maxBytes: 65_536,
      // Receivers detect repeated messages by their ID.
      isRepeatable: true,
    });
    const isSuccess = status >= 200 && status < 300;
    const text = isSuccess
      ? null
      : answer.toString('utf8').replaceAll('\0', '').slice(0, MAX_RESPONSE_LENGTH).toWellFormed();
    return {
      state: isSuccess ? 'Delivered' : 'Failed',
      attempt: { ms: took(), status, error: null, answer: text },
    };
  } catch (error) {
    // An `OutboundError`, whose message may be shown.
    return failed(error instanceof Error ? error.message : String(error), took());
  }
}

/** Sends a message, unless its channel no longer has it. */
export async function send(ctx: Ctx, channel: Channel, delivery: Taken, reads: Reads): Promise<End> {
  const { endpoint, source_id: sourceId, message_id: messageId, attempts } = delivery;
  if (attempts > MAX_ATTEMPTS) return failed('The server process ended while sending this message.');
  let message: Message;
  let secrets: string[];
  try {
    const prepared = await channel.prepare(ctx, { endpointId: endpoint.id, sourceId, messageId }, reads);
    if (!('message' in prepared)) return { state: 'Cancelled', ...prepared };
    message = prepared.message;
    secrets = await reads.once(`secrets ${endpoint.id}`, async () => listSecrets(ctx, endpoint));
  } catch (err) {
    ctx.log.error({ delivery: delivery.id, err }, 'failed to create a message');
    return failed('The server failed to create the message. Its log has the reason.');
  }
  const { contentType, body } = message;
  const signature = signWebhook({ id: messageId, at: ctx.clock.now(), body, secrets });
  return post(ctx, endpoint, { 'content-type': contentType, ...signature }, body);
}
