import { type Fixtures, putId, shown } from '../fixtures/fixtures.ts';
import { healthVersion as query } from '../subscriptions/health.surface.ts';
import { Subscriptions_Save } from '../subscriptions/subscriptions.contract.ts';
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

/** A webhook of Ada whose receiver does not exist, with one delivery, and a feed. */
export async function addWebhookAndFeed(fixtures: Fixtures): Promise<void> {
  const { call } = fixtures.ada;
  const params = { subscriptionId: shown(Subscriptions_Save, 'subscriptionId') };
  const [hook] = (await call(HealthWebhooks_List, { params, query })).value;
  const body = { url: 'https://hooks.invalid/health', filter: "service eq 'Mail'" };
  const { id: webhookId } = hook ?? (await call(HealthWebhooks_Create, { params, query, body }));
  const delivery = await call(HealthWebhooks_Test, { params: { ...params, webhookId }, query, body: {} });
  const [existing] = (await call(HealthFeeds_List, { params, query })).value;
  const feed = existing ?? (await call(HealthFeeds_Create, { params, query, body: {} }));
  putId(fixtures, HealthWebhooks_Get, 'webhookId', webhookId);
  putId(fixtures, HealthWebhookDeliveries_Replay, 'deliveryId', delivery.id);
  putId(fixtures, HealthFeeds_Delete, 'feedId', feed.id);
  if ('atomUrl' in feed && typeof feed.atomUrl === 'string')
    putId(fixtures, HealthFeeds_ReadAtom, 'feed_secret', feed.atomUrl.split('/').at(-2) ?? '');
}
