import {
  HealthWebhookDeliveries_List,
  HealthWebhookDeliveries_Replay,
  HealthWebhooks_Create,
  HealthWebhooks_Delete,
  HealthWebhooks_Get,
  HealthWebhooks_List,
  HealthWebhooks_RotateSecret,
  HealthWebhooks_Test,
  HealthWebhooks_Update,
  healthVersion,
  type InputOf,
  type OutputOf,
} from '@mooring/contract';
import { call, useChange, usePages, useRead } from './client.ts';
import { skipTokenOf } from './health.ts';
import { live, useLive } from './live.ts';

export type Webhook = OutputOf<typeof HealthWebhooks_Get>;
export type WebhookChange = InputOf<typeof HealthWebhooks_Update>['body'];
export type Delivery = OutputOf<typeof HealthWebhookDeliveries_List>['value'][number];
export type Attempt = Delivery['attempts'][number];

export type DeliveriesQuery = Pick<InputOf<typeof HealthWebhookDeliveries_List>['query'], 'search' | 'sort' | 'order'>;

/** Names a webhook. */
export interface WebhookRef {
  subscriptionId: string;
  webhookId: string;
}

const listKey = (subscriptionId: string) => ['subscription', subscriptionId, 'webhooks'];
const keyOf = ({ subscriptionId, webhookId }: WebhookRef) => ['subscription', subscriptionId, 'webhook', webhookId];
const logKey = (webhookRef: WebhookRef) => [...keyOf(webhookRef), 'deliveries'];

export const useWebhooks = (subscriptionId: string) =>
  useRead(
    listKey(subscriptionId),
    async () => (await call(HealthWebhooks_List, { params: { subscriptionId }, query: healthVersion })).value,
  );

export const useWebhook = ({ subscriptionId, webhookId }: WebhookRef) =>
  useRead(keyOf({ subscriptionId, webhookId }), () =>
    call(HealthWebhooks_Get, { params: { subscriptionId, webhookId }, query: healthVersion }),
  );

export const useCreateWebhook = (subscriptionId: string) =>
  useChange(
    (body: InputOf<typeof HealthWebhooks_Create>['body']) =>
      call(HealthWebhooks_Create, { params: { subscriptionId }, query: healthVersion, body }),
    listKey(subscriptionId),
  );

/** What waits for a webhook that is disabled is cancelled, so its log is read again too. */
export const useUpdateWebhook = (webhookRef: WebhookRef) =>
  useChange(
    (body: WebhookChange) => call(HealthWebhooks_Update, { params: { ...webhookRef }, query: healthVersion, body }),
    listKey(webhookRef.subscriptionId),
    keyOf(webhookRef),
  );

/** Its own page is left, so it is not read again. */
export const useDeleteWebhook = (webhookRef: WebhookRef) =>
  useChange(
    () => call(HealthWebhooks_Delete, { params: { ...webhookRef }, query: healthVersion }),
    listKey(webhookRef.subscriptionId),
  );

export const useRotateSecret = (webhookRef: WebhookRef) =>
  useChange(
    () => call(HealthWebhooks_RotateSecret, { params: { ...webhookRef }, query: healthVersion }),
    keyOf(webhookRef),
  );

export const useTestWebhook = (webhookRef: WebhookRef) =>
  useChange(() => call(HealthWebhooks_Test, { params: { ...webhookRef }, query: healthVersion }), logKey(webhookRef));

/** The log, and what it may have done to the webhook itself, are read again whenever a delivery changed. */
export function useDeliveries(webhookRef: WebhookRef, arranged: DeliveriesQuery) {
  useLive(live.deliveries(webhookRef), keyOf(webhookRef));
  return usePages<Delivery>([...logKey(webhookRef), arranged], async (token) => {
    const query = { ...healthVersion, ...arranged, ...(token ? { $skipToken: token } : {}) };
    const { value, nextLink, total } = await call(HealthWebhookDeliveries_List, { params: { ...webhookRef }, query });
    return { values: value, next_cursor: skipTokenOf(nextLink), total };
  });
}

export const useReplayDelivery = (webhookRef: WebhookRef) =>
  useChange(
    ({ id }: Delivery) =>
      call(HealthWebhookDeliveries_Replay, { params: { ...webhookRef, deliveryId: id }, query: healthVersion }),
    logKey(webhookRef),
  );
