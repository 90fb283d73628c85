import {
  HealthWebhookDeliveries_List,
  HealthWebhookDeliveries_Replay,
  HealthWebhookDeliveries_Watch,
  HealthWebhooks_Create,
  HealthWebhooks_Delete,
  HealthWebhooks_Get,
  HealthWebhooks_List,
  HealthWebhooks_RotateSecret,
  HealthWebhooks_Test,
  HealthWebhooks_Update,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { watch } from '../../../kernel/concurrency/watch.ts';
import { getResponseUrl } from '../../../kernel/response-url.ts';
import type { Delivery } from '../../../outbound/delivery/index.ts';
import type { StoredChange } from '../events/changes.ts';
import { deliveriesVersion, listWebhookDeliveries, replayWebhookDelivery, sendTest } from './health-deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
  type Webhook,
} from './health-webhooks.ts';

type ChangeKind = StoredChange['kind'];

const formatTime = (time: number | undefined) => (time === undefined ? undefined : toIso(time));

const toWire = ({ filter, disabledReason, failingSince, createdAt, updatedAt, ...webhook }: Webhook) => ({
  ...webhook,
  filter: filter || undefined,
  disabledReason: disabledReason ?? undefined,
  failingSince: formatTime(failingSince),
  createdAt: toIso(createdAt),
  updatedAt: toIso(updatedAt),
});

const sortKeys = { createdAt: 'created_at', trackingId: 'subject', state: 'state', attempts: 'attempts' } as const;

const deliveryToWire = ({ kind, subject, createdAt, settledAt, attempts, ...delivery }: Delivery) => ({
  ...delivery,
  change: kind as ChangeKind,
  trackingId: subject,
  createdAt: toIso(createdAt),
  settledAt: formatTime(settledAt),
  attempts: attempts.map(({ at, ms, ...attempt }) => ({ at: toIso(at), milliseconds: ms, ...attempt })),
});

export const webhookRoutes = [
  route(HealthWebhookDeliveries_Watch, async (ctx, { params, query: { seconds } }, { signal, lastEventId }) => {
    const read = async () => ({ deliveries: await deliveriesVersion(ctx, params.webhookId) });
    // Responds with an error before the stream starts.
    await read();
    return watch(read, { signal: signal(), lastEventId, seconds });
  }),
  route(HealthWebhooks_List, async (ctx) => ({ value: (await listWebhooks(ctx)).map(toWire) })),
  route(HealthWebhooks_Create, async (ctx, { body }) => {
    const { secret, ...webhook } = await createWebhook(ctx, body);
    return { ...toWire(webhook), secret };
  }),
  route(HealthWebhooks_Get, async (ctx, { params }) => toWire(await getWebhook(ctx, params.webhookId))),
  route(HealthWebhooks_Update, async (ctx, { params, body }) =>
    toWire(await updateWebhook(ctx, params.webhookId, body)),
  ),
  route(HealthWebhooks_Delete, (ctx, { params }) => deleteWebhook(ctx, params.webhookId)),
  route(HealthWebhooks_RotateSecret, async (ctx, { params }) => {
    const { secret, ...webhook } = await rotateSecret(ctx, params.webhookId);
    return { ...toWire(webhook), secret };
  }),
  route(HealthWebhooks_Test, async (ctx, { params }) => deliveryToWire(await sendTest(ctx, params.webhookId))),
  route(HealthWebhookDeliveries_List, async (ctx, { params, query }, { url }) => {
    const { $top: limit = 50, $skipToken: cursor, search, sort, order } = query;
    const listQuery = { limit, cursor, search, sort: sort && sortKeys[sort], order };
    const { values, nextCursor, total } = await listWebhookDeliveries(ctx, params.webhookId, listQuery);
    const arranged = Object.entries({ 'api-version': query['api-version'], search, sort, order })
      .flatMap(([name, value]) => (value === undefined ? [] : `&${name}=${encodeURIComponent(value)}`))
      .join('');
    const next = `$skipToken=${nextCursor}&$top=${limit}${arranged}`;
    return {
      value: values.map(deliveryToWire),
      nextLink: nextCursor && `${getResponseUrl(ctx)}${url.split('?')[0]}?${next}`,
      total,
    };
  }),
  route(HealthWebhookDeliveries_Replay, async (ctx, { params }) =>
    deliveryToWire(await replayWebhookDelivery(ctx, params.webhookId, params.deliveryId)),
  ),
];
