import {
  type AnnouncementType,
  type EndpointInput,
  orgWebhookDeliveries_list,
  orgWebhookDeliveries_replay,
  orgWebhookDeliveries_watch,
  orgWebhooks_create,
  orgWebhooks_delete,
  orgWebhooks_get,
  orgWebhooks_list,
  orgWebhooks_rotateSecret,
  orgWebhooks_test,
  orgWebhooks_update,
  webhookDeliveries_list,
  webhookDeliveries_replay,
  webhookDeliveries_watch,
  webhooks_create,
  webhooks_delete,
  webhooks_get,
  webhooks_list,
  webhooks_rotateSecret,
  webhooks_test,
  webhooks_update,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { pageToWire } from '../../http/responses/pages.ts';
import { toIso } from '../../kernel/clock.ts';
import { watch } from '../../kernel/concurrency/watch.ts';
import type { Delivery } from '../../outbound/delivery/index.ts';
import { deliveriesVersion, listWebhookDeliveries, replayWebhookDelivery, sendTest } from './webhook-deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  type HomeCtx,
  listWebhooks,
  rotateSecret,
  updateWebhook,
  type Webhook,
  type WebhookWithSecret,
} from './webhooks.ts';

const toOptionalIso = (time: number | undefined) => (time === undefined ? undefined : toIso(time));

const toWire = (webhook: Webhook) => ({
  id: webhook.id,
  name: webhook.name,
  url: webhook.url,
  enabled: webhook.isEnabled,
  event_types: webhook.eventTypes,
  format: webhook.format,
  filter: webhook.filter || undefined,
  disabled_reason: webhook.disabledReason ?? undefined,
  failing_since: toOptionalIso(webhook.failingSince),
  created_at: toIso(webhook.createdAt),
  updated_at: toIso(webhook.updatedAt),
});
const withSecret = ({ secret, ...webhook }: WebhookWithSecret) => ({ ...toWire(webhook), secret });
const listToWire = (webhooks: readonly Webhook[]) => ({ values: webhooks.map(toWire) });

const fromWire = ({ event_types, enabled, ...body }: EndpointInput<typeof webhooks_create>['body']) => ({
  ...body,
  eventTypes: event_types,
  ...(enabled === undefined ? {} : { isEnabled: enabled }),
});
const changeFromWire = ({ event_types, enabled, ...body }: EndpointInput<typeof webhooks_update>['body']) => ({
  ...body,
  ...(event_types ? { eventTypes: event_types } : {}),
  ...(enabled === undefined ? {} : { isEnabled: enabled }),
});

const deliveryToWire = ({ kind, messageId, isReplay, createdAt, settledAt, attempts, ...delivery }: Delivery) => ({
  ...delivery,
  message_id: messageId,
  event_type: kind as AnnouncementType,
  is_replay: isReplay,
  created_at: toIso(createdAt),
  settled_at: toOptionalIso(settledAt),
  attempts: attempts.map(({ at, ms, ...attempt }) => ({ at: toIso(at), milliseconds: ms, ...attempt })),
});

interface Streaming {
  signal(): AbortSignal;
  lastEventId: string | undefined;
}

async function watchDeliveries(ctx: HomeCtx, id: string, seconds: number | undefined, stream: Streaming) {
  const read = async () => ({ deliveries: await deliveriesVersion(ctx, id) });
  // Responds with an error before the stream starts.
  await read();
  return watch(read, { signal: stream.signal(), lastEventId: stream.lastEventId, seconds });
}

export const webhookRoutes = [
  route(webhooks_list, async (ctx) => listToWire(await listWebhooks(ctx))),
  route(webhooks_create, async (ctx, { body }) => withSecret(await createWebhook(ctx, fromWire(body)))),
  route(webhooks_get, async (ctx, { params }) => toWire(await getWebhook(ctx, params.webhook_id))),
  route(webhooks_update, async (ctx, { params, body }) =>
    toWire(await updateWebhook(ctx, params.webhook_id, changeFromWire(body))),
  ),
  route(webhooks_delete, (ctx, { params }) => deleteWebhook(ctx, params.webhook_id)),
  route(webhooks_rotateSecret, async (ctx, { params }) => withSecret(await rotateSecret(ctx, params.webhook_id))),
  route(webhooks_test, async (ctx, { params, body }) =>
    deliveryToWire(await sendTest(ctx, params.webhook_id, body.event_type)),
  ),
  route(webhookDeliveries_list, async (ctx, { params, query }) =>
    pageToWire(await listWebhookDeliveries(ctx, params.webhook_id, query), deliveryToWire),
  ),
  route(webhookDeliveries_watch, (ctx, { params, query }, stream) =>
    watchDeliveries(ctx, params.webhook_id, query.seconds, stream),
  ),
  route(webhookDeliveries_replay, async (ctx, { params }) =>
    deliveryToWire(await replayWebhookDelivery(ctx, params.webhook_id, params.delivery_id)),
  ),
  route(orgWebhooks_list, async (ctx) => listToWire(await listWebhooks(ctx))),
  route(orgWebhooks_create, async (ctx, { body }) => withSecret(await createWebhook(ctx, fromWire(body)))),
  route(orgWebhooks_get, async (ctx, { params }) => toWire(await getWebhook(ctx, params.webhook_id))),
  route(orgWebhooks_update, async (ctx, { params, body }) =>
    toWire(await updateWebhook(ctx, params.webhook_id, changeFromWire(body))),
  ),
  route(orgWebhooks_delete, (ctx, { params }) => deleteWebhook(ctx, params.webhook_id)),
  route(orgWebhooks_rotateSecret, async (ctx, { params }) => withSecret(await rotateSecret(ctx, params.webhook_id))),
  route(orgWebhooks_test, async (ctx, { params, body }) =>
    deliveryToWire(await sendTest(ctx, params.webhook_id, body.event_type)),
  ),
  route(orgWebhookDeliveries_list, async (ctx, { params, query }) =>
    pageToWire(await listWebhookDeliveries(ctx, params.webhook_id, query), deliveryToWire),
  ),
  route(orgWebhookDeliveries_watch, (ctx, { params, query }, stream) =>
    watchDeliveries(ctx, params.webhook_id, query.seconds, stream),
  ),
  route(orgWebhookDeliveries_replay, async (ctx, { params }) =>
    deliveryToWire(await replayWebhookDelivery(ctx, params.webhook_id, params.delivery_id)),
  ),
];
