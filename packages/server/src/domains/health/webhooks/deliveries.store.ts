import { type Kysely, sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import {
  query,
  statement,
  type Tables,
  type WebhookAttemptsTable,
  type WebhookDeliveriesTable,
} from '../health.tables.ts';

/** Nothing comes back when the change went to the webhook already. */
export const insertDelivery = statement(
  (q, p: Pick<WebhookDeliveriesTable, 'id' | 'webhook_id' | 'change_id' | 'replay' | 'message_id'> & { at: number }) =>
    q
      .insertInto('webhook_deliveries')
      .values({
        id: p.id,
        webhook_id: p.webhook_id,
        change_id: p.change_id,
        replay: p.replay,
        message_id: p.message_id,
        state: 'Waiting',
        attempts: 0,
        created_at: p.at,
        settled_at: null,
      })
      .onConflict((c) => c.columns(['change_id', 'webhook_id', 'replay']).doNothing())
      .returning('id'),
);

/** A delivery that is still to be made, with all that it needs. */
export const findWaiting = statement((q, p: { id: string }) =>
  q
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select([
      'webhook_deliveries.id',
      'webhook_deliveries.change_id',
      'webhook_deliveries.message_id',
      'webhooks.id as webhook_id',
      'webhooks.subscription_id',
      'webhooks.created_by',
      'webhooks.url',
      'webhooks.secret',
      'webhooks.old_secret',
      'webhooks.old_secret_until',
      'webhooks.is_enabled',
    ])
    .where('webhook_deliveries.id', '=', p.id)
    .where('webhook_deliveries.state', '=', 'Waiting'),
);

export type WaitingDelivery = NonNullable<Awaited<ReturnType<typeof findWaiting.first>>>;

export const countAttempt = statement((q, p: { id: string }) =>
  q
    .updateTable('webhook_deliveries')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('id', '=', p.id)
    .returning('attempts'),
);

export const insertAttempt = statement((q, p: WebhookAttemptsTable) =>
  q.insertInto('webhook_attempts').values({
    delivery_id: p.delivery_id,
    number: p.number,
    at: p.at,
    ms: p.ms,
    status: p.status,
    error: p.error,
    answer: p.answer,
  }),
);

export const settleDelivery = statement((q, p: { id: string; state: WebhookDeliveriesTable['state']; at: number }) =>
  q.updateTable('webhook_deliveries').set({ state: p.state, settled_at: p.at }).where('id', '=', p.id),
);

const selectDeliveries = (q: Kysely<Tables>, p: { webhookId: string }) =>
  q
    .selectFrom('webhook_deliveries')
    .innerJoin('health_changes', 'health_changes.id', 'webhook_deliveries.change_id')
    .selectAll('webhook_deliveries')
    .select(['health_changes.kind', 'health_changes.name'])
    .where('webhook_deliveries.webhook_id', '=', p.webhookId);

export const findDeliveryRow = statement((q, p: { webhookId: string; id: string }) =>
  selectDeliveries(q, p).where('webhook_deliveries.id', '=', p.id),
);

export type DeliveryRow = NonNullable<Awaited<ReturnType<typeof findDeliveryRow.first>>>;

/** Newest first, from just before a position on. */
export const pageDeliveries = statement((q, p: { webhookId: string; before: string; limit: number }) =>
  selectDeliveries(q, p)
    .where('webhook_deliveries.id', '<', p.before)
    .orderBy('webhook_deliveries.id', 'desc')
    .limit(p.limit),
);

export const lastReplay = statement((q, p: { webhookId: string; changeId: string }) =>
  q
    .selectFrom('webhook_deliveries')
    .select((eb) => eb.fn.max('replay').as('replay'))
    .where('webhook_id', '=', p.webhookId)
    .where('change_id', '=', p.changeId),
);

export const listAttempts = (db: Db, deliveryIds: readonly string[]): Promise<WebhookAttemptsTable[]> =>
  query(db, (q) =>
    q
      .selectFrom('webhook_attempts')
      .selectAll()
      .where('delivery_id', 'in', deliveryIds)
      .orderBy('delivery_id')
      .orderBy('number'),
  );
