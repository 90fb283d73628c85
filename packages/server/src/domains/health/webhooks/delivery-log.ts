import type { SubscriptionCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { toIso } from '../../../kernel/clock.ts';
import { conflict, Failure, notFound } from '../../../kernel/errors.ts';
import { decodeCursor, type Page, type Position, toPage } from '../../../kernel/paging.ts';
import { record } from '../../audit/index.ts';
import { keepChange } from '../events/changes.ts';
import { render } from '../events/rendering.ts';
import { type DeliveryRow, findDeliveryRow, lastReplay, listAttempts, pageDeliveries } from './deliveries.store.ts';
import { addDelivery } from './deliveries.ts';
import { getWebhookRow, lockWebhookRow, webhookSubject } from './health-webhooks.ts';

export interface Attempt {
  at: number;
  ms: number;
  status: number | undefined;
  error: string | undefined;
  answer: string | undefined;
}

export interface Delivery {
  id: string;
  messageId: string;
  change: DeliveryRow['kind'];
  trackingId: string;
  state: DeliveryRow['state'];
  isReplay: boolean;
  createdAt: number;
  settledAt: number | undefined;
  attempts: Attempt[];
}

const toDelivery = (row: DeliveryRow, attempts: Attempt[] = []): Delivery => ({
  id: row.id,
  messageId: row.message_id,
  change: row.kind,
  trackingId: row.name,
  state: row.state,
  isReplay: row.replay > 0,
  createdAt: row.created_at,
  settledAt: row.settled_at ?? undefined,
  attempts,
});

/** Sorts after every id. */
const LAST = '~';

function readPosition(token: string): Position {
  try {
    return decodeCursor(token, ['string']);
  } catch {
    const message = '$skipToken is not one that this server gave out; leave it away for the first page.';
    throw new Failure('InvalidSkipToken', message);
  }
}

export async function listDeliveries(
  ctx: SubscriptionCtx,
  webhookId: string,
  { limit = 50, cursor }: { limit?: number; cursor?: string },
): Promise<Page<Delivery>> {
  const [before] = cursor ? readPosition(cursor) : [LAST];
  await getWebhookRow(ctx, webhookId);
  const rows = await pageDeliveries.all(ctx.db, { webhookId, before: String(before), limit: limit + 1 });
  const ids = rows.map(({ id }) => id);
  const attempts = new Map<string, Attempt[]>(ids.map((id) => [id, []]));
  for (const { delivery_id, at, ms, status, error, answer } of ids.length > 0 ? await listAttempts(ctx.db, ids) : []) {
    // An answer may repeat the address, so it is not for those who may only read.
    const said = ctx.actor.reach === 'viewer' ? undefined : (answer ?? undefined);
    const attempt = { at, ms, status: status ?? undefined, error: error ?? undefined, answer: said };
    attempts.get(delivery_id)?.push(attempt);
  }
  return toPage(
    rows,
    limit,
    (row) => [row.id],
    (row) => toDelivery(row, attempts.get(row.id)),
  );
}

async function getDelivery(ctx: SubscriptionCtx, webhookId: string, id: string): Promise<DeliveryRow> {
  const row = await findDeliveryRow.first(ctx.db, { webhookId, id });
  if (!row) throw notFound('delivery', id);
  return row;
}

async function lockEnabled(ctx: SubscriptionCtx, webhookId: string) {
  const webhook = await lockWebhookRow(ctx, webhookId);
  if (webhook.is_enabled === 0) throw conflict('The webhook is disabled, so nothing is sent; enable it first.');
  return webhook;
}

/** Sends the message of a delivery once more, under the same id. */
export const replayDelivery = (ctx: SubscriptionCtx, webhookId: string, id: string): Promise<Delivery> =>
  tx(ctx, async (ctx) => {
    const webhook = await lockEnabled(ctx, webhookId);
    const { change_id: changeId, message_id: messageId, state } = await getDelivery(ctx, webhookId, id);
    if (state === 'Waiting') throw conflict('The delivery is still being tried.');
    const replay = Number((await lastReplay.first(ctx.db, { webhookId, changeId }))?.replay ?? 0) + 1;
    const added = await addDelivery(ctx, { webhookId, changeId, replay, messageId });
    await record(ctx, 'webhook.replay', webhookSubject(webhook), { after: { delivery: added, replays: id } });
    return toDelivery(await getDelivery(ctx, webhookId, added));
  });

/** What a test says: an event as others look, that nobody published. */
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
    summary: 'Nothing is broken: somebody tests this webhook.',
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
    const changeId = await keepChange(ctx, { kind: 'test', name: 'TEST', body, audiences: '' });
    const id = await addDelivery(ctx, { webhookId, changeId });
    await record(ctx, 'webhook.test', webhookSubject(webhook), { after: { delivery: id } });
    return toDelivery(await getDelivery(ctx, webhookId, id));
  });
