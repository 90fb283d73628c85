import type { Ctx, SubscriptionCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { conflict, notFound } from '../../../kernel/errors.ts';
import {
  addEndpoint,
  changeEndpoint,
  deleteEndpoint,
  lockEndpoint,
  readEndpointUrl,
  rotateEndpointSecret,
} from '../../../outbound/delivery/index.ts';
import { record } from '../../audit/index.ts';
import { lockSubscription } from '../../subscriptions/index.ts';
import { CHANNEL } from '../health.events.ts';
import {
  countWebhooks,
  findWebhookRow,
  insertWebhook,
  listClientWebhooks,
  listWebhookRows,
  updateWebhookRow,
  type WebhookRow,
} from './health-webhooks.store.ts';
import { checkFilter, getClientId, MAX_PER_SUBSCRIPTION } from './stored-filter.ts';

export interface Webhook {
  id: string;
  url: string;
  filter: string;
  isEnabled: boolean;
  disabledReason: WebhookRow['disabled_reason'];
  failingSince: number | undefined;
  createdBy: string;
  createdAt: number;
  updatedAt: number;
}

const toWebhook = (ctx: Pick<Ctx, 'secretKey'>, row: WebhookRow): Webhook => ({
  id: row.id,
  url: readEndpointUrl(ctx, row),
  filter: row.filter,
  isEnabled: row.is_enabled === 1,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since ?? undefined,
  createdBy: row.maker_name,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Hides the path of the URL from callers who may only read: it may contain a secret of the receiver. */
const shownTo = ({ actor }: SubscriptionCtx, webhook: Webhook): Webhook =>
  actor.tokenScope === 'viewer' ? { ...webhook, url: `${new URL(webhook.url).origin}/…` } : webhook;

/** Only the host: the rest of the URL may contain a secret of the receiver. */
const auditedFields = ({ url, filter, isEnabled }: Pick<Webhook, 'url' | 'filter' | 'isEnabled'>) => ({
  host: new URL(url).host,
  filter,
  enabled: isEnabled,
});

export const webhookSubject = (row: { id: string; url: string }) =>
  ({ kind: 'webhook', id: row.id, name: new URL(row.url).host }) as const;

const isTheirs = ({ actor: { user } }: SubscriptionCtx, row: Pick<WebhookRow, 'created_by'>): boolean =>
  user.isAdmin || row.created_by === user.id;

/** Webhooks of other users are reported as not found, except for administrators: a URL may contain a secret. */
export async function getWebhookRow(ctx: SubscriptionCtx, id: string): Promise<WebhookRow> {
  const row = await findWebhookRow.first(ctx.db, { subscriptionId: ctx.subscription.id, id });
  if (!row || !isTheirs(ctx, row)) throw notFound('webhook', id);
  return row;
}

/** Locks the webhook. */
export async function lockWebhookRow(ctx: SubscriptionCtx, id: string): Promise<WebhookRow> {
  await lockEndpoint(ctx, id);
  return getWebhookRow(ctx, id);
}

export async function listWebhooks(ctx: SubscriptionCtx): Promise<Webhook[]> {
  const rows = await listWebhookRows.all(ctx.db, { subscriptionId: ctx.subscription.id });
  return rows.filter((row) => isTheirs(ctx, row)).map((row) => shownTo(ctx, toWebhook(ctx, row)));
}

export const getWebhook = async (ctx: SubscriptionCtx, id: string): Promise<Webhook> =>
  shownTo(ctx, toWebhook(ctx, await getWebhookRow(ctx, id)));

export interface WebhookInput {
  url: string;
  filter?: string;
  isEnabled?: boolean;
}

export type WebhookWithSecret = Webhook & { secret: string };

/** Returns the secret, which cannot be read again. */
export const createWebhook = (
  ctx: SubscriptionCtx,
  { url, filter, isEnabled = true }: WebhookInput,
): Promise<WebhookWithSecret> =>
  tx(ctx, async (ctx) => {
    const checkedFilter = checkFilter(filter);
    const subscriptionId = ctx.subscription.id;
    await lockSubscription(ctx, subscriptionId);
    const count = Number((await countWebhooks.first(ctx.db, { subscriptionId }))?.count ?? 0);
    if (count >= MAX_PER_SUBSCRIPTION) {
      throw conflict(
        `The readers of this subscription already have ${count} webhooks, the maximum. Delete a webhook first.`,
      );
    }
    const { id, secret } = await addEndpoint(ctx, { channel: CHANNEL, url, isEnabled });
    await insertWebhook.run(ctx.db, {
      id,
      subscription_id: subscriptionId,
      created_by: ctx.actor.user.id,
      oauth_client_id: getClientId(ctx),
      filter: checkedFilter,
    });
    const webhook = await getWebhook(ctx, id);
    await record(ctx, 'webhook.create', webhookSubject(webhook), {
      after: { ...auditedFields(webhook), subscription: subscriptionId },
    });
    return { ...webhook, secret };
  });

export const updateWebhook = (ctx: SubscriptionCtx, id: string, change: Partial<WebhookInput>): Promise<Webhook> =>
  tx(ctx, async (ctx) => {
    const row = await lockWebhookRow(ctx, id);
    const before = toWebhook(ctx, row);
    await changeEndpoint(ctx, row, change);
    if (change.filter !== undefined) await updateWebhookRow.run(ctx.db, { id, filter: checkFilter(change.filter) });
    const after = await getWebhook(ctx, id);
    await record(ctx, 'webhook.update', webhookSubject(after), {
      before: auditedFields(before),
      after: auditedFields(after),
    });
    return after;
  });

export const deleteWebhook = (ctx: SubscriptionCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await lockWebhookRow(ctx, id);
    await deleteEndpoint(ctx, id);
    await record(ctx, 'webhook.delete', webhookSubject(row), { before: auditedFields(toWebhook(ctx, row)) });
  });

export const rotateSecret = (ctx: SubscriptionCtx, id: string): Promise<WebhookWithSecret> =>
  tx(ctx, async (ctx) => {
    const row = await lockWebhookRow(ctx, id);
    const secret = await rotateEndpointSecret(ctx, id);
    await record(ctx, 'webhook.rotate_secret', webhookSubject(row));
    return { ...(await getWebhook(ctx, id)), secret };
  });

/** Deletes the webhooks that an OAuth client created for a user, or for all users, who revoked its consent. */
export async function endClientWebhooks(ctx: Ctx, grant: { clientId: string; userId?: string }): Promise<void> {
  for (const webhook of await listClientWebhooks(ctx.db, grant)) {
    await deleteEndpoint(ctx, webhook.id);
    await record(ctx, 'webhook.delete', webhookSubject(webhook));
  }
}
