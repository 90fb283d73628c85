import { type Kysely, sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { lockKeptRows, lockRows } from '../../../db/portable.ts';
import { query, statement, type Tables, type WebhooksTable } from '../health.tables.ts';

/** So that two who add the last one take turns. */
export const lockSubscription = statement((q, p: { id: string }, dialect) =>
  lockKeptRows(dialect, q.selectFrom('subscriptions').select('id').where('id', '=', p.id)),
);

export const countWebhooks = statement((q, p: { subscriptionId: string }) =>
  q
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('subscription_id', '=', p.subscriptionId),
);

export const insertWebhook = statement((q, p: WebhooksTable) =>
  q.insertInto('webhooks').values({
    id: p.id,
    subscription_id: p.subscription_id,
    created_by: p.created_by,
    oauth_client_id: p.oauth_client_id,
    url: p.url,
    filter: p.filter,
    secret: p.secret,
    old_secret: p.old_secret,
    old_secret_until: p.old_secret_until,
    is_enabled: p.is_enabled,
    disabled_reason: p.disabled_reason,
    failing_since: p.failing_since,
    created_at: p.created_at,
    updated_at: p.updated_at,
  }),
);

const selectWebhooks = (q: Kysely<Tables>, p: { subscriptionId: string }) =>
  q
    .selectFrom('webhooks')
    .innerJoin('owners', 'owners.id', 'webhooks.created_by')
    .selectAll('webhooks')
    .select('owners.name as maker_name')
    .where('webhooks.subscription_id', '=', p.subscriptionId);

export const listWebhookRows = statement((q, p: { subscriptionId: string }) =>
  selectWebhooks(q, p).orderBy('webhooks.id'),
);

export const findWebhookRow = statement((q, p: { subscriptionId: string; id: string }) =>
  selectWebhooks(q, p).where('webhooks.id', '=', p.id),
);

export type WebhookRow = NonNullable<Awaited<ReturnType<typeof findWebhookRow.first>>>;

export const lockWebhook = statement((q, p: { id: string }, dialect) =>
  lockRows(dialect, q.selectFrom('webhooks').selectAll().where('id', '=', p.id)),
);

export const updateWebhookRow = statement(
  (
    q,
    p: Pick<WebhooksTable, 'id' | 'url' | 'filter' | 'is_enabled' | 'disabled_reason' | 'failing_since' | 'updated_at'>,
  ) =>
    q
      .updateTable('webhooks')
      .set({
        url: p.url,
        filter: p.filter,
        is_enabled: p.is_enabled,
        disabled_reason: p.disabled_reason,
        failing_since: p.failing_since,
        updated_at: p.updated_at,
      })
      .where('id', '=', p.id),
);

export const updateSecret = statement((q, p: { id: string; secret: string; oldUntil: number; at: number }) =>
  q
    .updateTable('webhooks')
    .set({ old_secret: sql.ref('secret'), secret: p.secret, old_secret_until: p.oldUntil, updated_at: p.at })
    .where('id', '=', p.id),
);

export const deleteWebhookRow = statement((q, p: { id: string }) => q.deleteFrom('webhooks').where('id', '=', p.id));

/** Those that were made by way of a client, of one person or of everybody. */
export const deleteWebhooksOfClient = (db: Db, { clientId, userId }: { clientId: string; userId?: string }) =>
  query(db, (q) => {
    const all = q.deleteFrom('webhooks').where('oauth_client_id', '=', clientId).returning(['id', 'url']);
    return userId === undefined ? all : all.where('created_by', '=', userId);
  });

/** Says nothing if it is disabled already, so that its maker is told once. */
export const disableWebhookRow = statement(
  (q, p: { id: string; reason: NonNullable<WebhooksTable['disabled_reason']>; at: number }) =>
    q
      .updateTable('webhooks')
      .set({ is_enabled: 0, disabled_reason: p.reason, updated_at: p.at })
      .where('id', '=', p.id)
      .where('is_enabled', '=', 1),
);

export const saveFailure = statement((q, p: { id: string; at: number }) =>
  q
    .updateTable('webhooks')
    .set({ failing_since: sql<number>`coalesce(failing_since, ${p.at})` })
    .where('id', '=', p.id)
    .returning('failing_since'),
);

export const saveSuccess = statement((q, p: { id: string }) =>
  q.updateTable('webhooks').set({ failing_since: null }).where('id', '=', p.id).where('failing_since', 'is not', null),
);

/** Those that changes go to, with what decides which. */
export const pageEnabledWebhooks = statement((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('webhooks')
    .innerJoin('subscriptions', 'subscriptions.id', 'webhooks.subscription_id')
    .select(['webhooks.id', 'webhooks.filter', 'webhooks.subscription_id', 'subscriptions.tenant_id'])
    .where('webhooks.is_enabled', '=', 1)
    .where('webhooks.id', '>', p.after)
    .orderBy('webhooks.id')
    .limit(p.limit),
);
