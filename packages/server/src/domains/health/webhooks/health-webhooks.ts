import type { Ctx, SubscriptionCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { DAY } from '../../../kernel/clock.ts';
import { conflict, notFound } from '../../../kernel/errors.ts';
import { open, seal } from '../../../kernel/sealed.ts';
import { record } from '../../audit/index.ts';
import { newWebhookSecret } from './health-webhook-message.ts';
import { checkWebhookUrl } from './health-webhook-url.ts';
import {
  countWebhooks,
  deleteWebhookRow,
  deleteWebhooksOfClient,
  disableWebhookRow,
  findWebhookRow,
  insertWebhook,
  listWebhookRows,
  lockSubscription,
  lockWebhook,
  updateSecret,
  updateWebhookRow,
  type WebhookRow,
} from './health-webhooks.store.ts';
import { checkFilter, clientOf, MOST_OF_A_SUBSCRIPTION } from './kept-filter.ts';

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

const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  filter: row.filter,
  isEnabled: row.is_enabled === 1,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since ?? undefined,
  createdBy: row.maker_name,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** To somebody who may only read, the address without what may be a secret of its receiver. */
const shownTo = ({ actor }: SubscriptionCtx, webhook: Webhook): Webhook =>
  actor.reach === 'viewer' ? { ...webhook, url: `${new URL(webhook.url).origin}/…` } : webhook;

/** How long messages are signed with the old secret too. */
const OLD_SECRET_COUNTS = DAY;
const PURPOSE = 'webhook';

/** The secrets that a message is signed with now. */
export function secretsOf(
  { secretKey, clock }: Pick<Ctx, 'secretKey' | 'clock'>,
  row: Pick<WebhookRow, 'secret' | 'old_secret' | 'old_secret_until'>,
): string[] {
  const sealed = [row.secret, ...(row.old_secret && row.old_secret_until > clock.now() ? [row.old_secret] : [])];
  return sealed.map((text) => {
    const secret = open(secretKey, PURPOSE, text);
    if (!secret) throw new Error('The secret of a webhook was sealed with another MOORING_SECRET_KEY.');
    return secret;
  });
}

/** The rest of an address may be a secret of whoever receives. */
const factsOf = ({ url, filter, isEnabled }: Pick<Webhook, 'url' | 'filter' | 'isEnabled'>) => ({
  host: new URL(url).host,
  filter,
  enabled: isEnabled,
});

export const webhookSubject = (row: { id: string; url: string }) =>
  ({ kind: 'webhook', id: row.id, name: new URL(row.url).host }) as const;

const isTheirs = ({ actor: { user } }: SubscriptionCtx, row: Pick<WebhookRow, 'created_by'>): boolean =>
  user.isAdmin || row.created_by === user.id;

/** Other people's do not exist, except for administrators: an address may hold a secret. */
export async function getWebhookRow(ctx: SubscriptionCtx, id: string): Promise<WebhookRow> {
  const row = await findWebhookRow.first(ctx.db, { subscriptionId: ctx.subscription.id, id });
  if (!row || !isTheirs(ctx, row)) throw notFound('webhook', id);
  return row;
}

/** The same, locked: what is changed by what it was, is changed one after the other. */
export async function lockWebhookRow(ctx: SubscriptionCtx, id: string): Promise<WebhookRow> {
  await lockWebhook.first(ctx.db, { id });
  return getWebhookRow(ctx, id);
}

export async function listWebhooks(ctx: SubscriptionCtx): Promise<Webhook[]> {
  const rows = await listWebhookRows.all(ctx.db, { subscriptionId: ctx.subscription.id });
  return rows.filter((row) => isTheirs(ctx, row)).map((row) => shownTo(ctx, toWebhook(row)));
}

export const getWebhook = async (ctx: SubscriptionCtx, id: string): Promise<Webhook> =>
  shownTo(ctx, toWebhook(await getWebhookRow(ctx, id)));

export interface WebhookInput {
  url: string;
  filter?: string;
  isEnabled?: boolean;
}

export type WebhookWithSecret = Webhook & { secret: string };

/** Its secret is shown now and never again. */
export const createWebhook = (
  ctx: SubscriptionCtx,
  { url, filter, isEnabled = true }: WebhookInput,
): Promise<WebhookWithSecret> =>
  tx(ctx, async (ctx) => {
    const address = checkWebhookUrl(url, ctx.config.outboundAllow);
    const kept = checkFilter(filter);
    const subscriptionId = ctx.subscription.id;
    await lockSubscription.first(ctx.db, { id: subscriptionId });
    const count = Number((await countWebhooks.first(ctx.db, { subscriptionId }))?.count ?? 0);
    if (count >= MOST_OF_A_SUBSCRIPTION) {
      throw conflict(`The subscription has ${count} webhooks, of all its readers together, which is the most.`);
    }
    const id = ctx.newId();
    const secret = newWebhookSecret();
    const now = ctx.clock.now();
    await insertWebhook.run(ctx.db, {
      id,
      subscription_id: subscriptionId,
      created_by: ctx.actor.user.id,
      oauth_client_id: clientOf(ctx),
      url: address,
      filter: kept,
      secret: seal(ctx.secretKey, PURPOSE, secret),
      old_secret: null,
      old_secret_until: 0,
      is_enabled: isEnabled ? 1 : 0,
      disabled_reason: null,
      failing_since: null,
      created_at: now,
      updated_at: now,
    });
    const webhook = await getWebhook(ctx, id);
    await record(ctx, 'webhook.create', webhookSubject(webhook), {
      after: { ...factsOf(webhook), subscription: subscriptionId },
    });
    return { ...webhook, secret };
  });

export const updateWebhook = (ctx: SubscriptionCtx, id: string, change: Partial<WebhookInput>): Promise<Webhook> =>
  tx(ctx, async (ctx) => {
    const row = await lockWebhookRow(ctx, id);
    const before = toWebhook(row);
    const isEnabled = change.isEnabled ?? before.isEnabled;
    const startsAnew = change.isEnabled === true;
    await updateWebhookRow.run(ctx.db, {
      id,
      url: change.url === undefined ? row.url : checkWebhookUrl(change.url, ctx.config.outboundAllow),
      filter: change.filter === undefined ? row.filter : checkFilter(change.filter),
      is_enabled: isEnabled ? 1 : 0,
      disabled_reason: startsAnew ? null : row.disabled_reason,
      failing_since: startsAnew ? null : row.failing_since,
      updated_at: ctx.clock.now(),
    });
    const after = await getWebhook(ctx, id);
    await record(ctx, 'webhook.update', webhookSubject(after), { before: factsOf(before), after: factsOf(after) });
    return after;
  });

export const deleteWebhook = (ctx: SubscriptionCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await lockWebhookRow(ctx, id);
    await deleteWebhookRow.run(ctx.db, { id });
    await record(ctx, 'webhook.delete', webhookSubject(row), { before: factsOf(toWebhook(row)) });
  });

export const rotateSecret = (ctx: SubscriptionCtx, id: string): Promise<WebhookWithSecret> =>
  tx(ctx, async (ctx) => {
    const row = await lockWebhookRow(ctx, id);
    const secret = newWebhookSecret();
    const at = ctx.clock.now();
    const oldUntil = at + OLD_SECRET_COUNTS;
    await updateSecret.run(ctx.db, { id, secret: seal(ctx.secretKey, PURPOSE, secret), oldUntil, at });
    await record(ctx, 'webhook.rotate_secret', webhookSubject(row));
    return { ...(await getWebhook(ctx, id)), secret };
  });

/** By the server itself; says whether it was enabled before. */
export async function disableWebhook(
  ctx: Ctx,
  webhook: { id: string; url: string },
  reason: NonNullable<Webhook['disabledReason']>,
): Promise<boolean> {
  const changed = await disableWebhookRow.run(ctx.db, { id: webhook.id, reason, at: ctx.clock.now() });
  if (changed > 0) await record(ctx, 'webhook.disable', webhookSubject(webhook), { after: { reason } });
  return changed > 0;
}

/** Those that an OAuth client made for somebody, or for everybody, who no longer lets it. */
export async function endWebhooksOf(ctx: Ctx, grant: { clientId: string; userId?: string }): Promise<void> {
  for (const webhook of await deleteWebhooksOfClient(ctx.db, grant)) {
    await record(ctx, 'webhook.delete', webhookSubject(webhook));
  }
}
