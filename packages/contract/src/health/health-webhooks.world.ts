import { healthVersion as query, Subscriptions_Save } from '../subscriptions/subscriptions.contract.ts';
import { putId, shown, type World } from '../world/world.ts';
import { Feeds_Create, Feeds_Delete, Feeds_List, Feeds_ReadAtom } from './health-feeds.contract.ts';
import {
  WebhookDeliveries_Replay,
  Webhooks_Create,
  Webhooks_Get,
  Webhooks_List,
  Webhooks_Test,
} from './health-webhooks.contract.ts';

/** A webhook of ada whose receiver cannot be found, with one delivery, and a feed. */
export async function addWebhookAndFeed(world: World): Promise<void> {
  const { call } = world.ada;
  const params = { subscriptionId: shown(Subscriptions_Save, 'subscriptionId') };
  const [hook] = (await call(Webhooks_List, { params, query })).value;
  const body = { url: 'https://hooks.invalid/health', filter: "service eq 'Mail'" };
  const { id: webhookId } = hook ?? (await call(Webhooks_Create, { params, query, body }));
  const delivery = await call(Webhooks_Test, { params: { ...params, webhookId }, query, body: {} });
  const [known] = (await call(Feeds_List, { params, query })).value;
  const feed = known ?? (await call(Feeds_Create, { params, query, body: {} }));
  putId(world, Webhooks_Get, 'webhookId', webhookId);
  putId(world, WebhookDeliveries_Replay, 'deliveryId', delivery.id);
  putId(world, Feeds_Delete, 'feedId', feed.id);
  if ('atomUrl' in feed && typeof feed.atomUrl === 'string')
    putId(world, Feeds_ReadAtom, 'feed_secret', feed.atomUrl.split('/').at(-2) ?? '');
}
