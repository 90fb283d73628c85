import { healthVersion as query } from '../subscriptions/health.family.ts';
import { Subscriptions_Save } from '../subscriptions/subscriptions.contract.ts';
import { putId, shown, type World } from '../world/world.ts';
import {
  HealthFeeds_Create,
  HealthFeeds_Delete,
  HealthFeeds_List,
  HealthFeeds_ReadAtom,
} from './health-feeds.contract.ts';
import {
  HealthWebhookDeliveries_Replay,
  HealthWebhooks_Create,
  HealthWebhooks_Get,
  HealthWebhooks_List,
  HealthWebhooks_Test,
} from './health-webhooks.contract.ts';

/** A webhook of ada whose receiver cannot be found, with one delivery, and a feed. */
export async function addWebhookAndFeed(world: World): Promise<void> {
  const { call } = world.ada;
  const params = { subscriptionId: shown(Subscriptions_Save, 'subscriptionId') };
  const [hook] = (await call(HealthWebhooks_List, { params, query })).value;
  const body = { url: 'https://hooks.invalid/health', filter: "service eq 'Mail'" };
  const { id: webhookId } = hook ?? (await call(HealthWebhooks_Create, { params, query, body }));
  const delivery = await call(HealthWebhooks_Test, { params: { ...params, webhookId }, query, body: {} });
  const [known] = (await call(HealthFeeds_List, { params, query })).value;
  const feed = known ?? (await call(HealthFeeds_Create, { params, query, body: {} }));
  putId(world, HealthWebhooks_Get, 'webhookId', webhookId);
  putId(world, HealthWebhookDeliveries_Replay, 'deliveryId', delivery.id);
  putId(world, HealthFeeds_Delete, 'feedId', feed.id);
  if ('atomUrl' in feed && typeof feed.atomUrl === 'string')
    putId(world, HealthFeeds_ReadAtom, 'feed_secret', feed.atomUrl.split('/').at(-2) ?? '');
}
