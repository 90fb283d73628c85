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

/** Names a webhook. */
export interface WebhookAddress {
  subscriptionId: string;
  webhookId: string;
}

const listKey = (subscriptionId: string) => ['subscription', subscriptionId, 'webhooks'];
const keyOf = ({ subscriptionId, webhookId }: WebhookAddress) => ['subscription', subscriptionId, 'webhook', webhookId];
const logKey = (address: WebhookAddress) => [...keyOf(address), 'deliveries'];

export const useWebhooks = (subscriptionId: string) =>
  useRead(
    listKey(subscriptionId),
    async () => (await call(HealthWebhooks_List, { params: { subscriptionId }, query: healthVersion })).value,
  );

export const useWebhook = ({ subscriptionId, webhookId }: WebhookAddress) =>
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
export const useUpdateWebhook = (address: WebhookAddress) =>
  useChange(
    (body: WebhookChange) => call(HealthWebhooks_Update, { params: { ...address }, query: healthVersion, body }),
    listKey(address.subscriptionId),
    keyOf(address),
  );

/** Its own page is left, so it is not read again. */
export const useDeleteWebhook = (address: WebhookAddress) =>
  useChange(
    () => call(HealthWebhooks_Delete, { params: { ...address }, query: healthVersion }),
    listKey(address.subscriptionId),
  );

export const useRotateSecret = (address: WebhookAddress) =>
  useChange(() => call(HealthWebhooks_RotateSecret, { params: { ...address }, query: healthVersion }), keyOf(address));

export const useTestWebhook = (address: WebhookAddress) =>
  useChange(() => call(HealthWebhooks_Test, { params: { ...address }, query: healthVersion }), logKey(address));

/** The log, and what it may have done to the webhook itself, are read again whenever a delivery changed. */
export function useDeliveries(address: WebhookAddress) {
  useLive(live.deliveries(address), keyOf(address));
  return usePages<Delivery>(logKey(address), async (token) => {
    const query = { ...healthVersion, ...(token ? { $skipToken: token } : {}) };
    const { value, nextLink } = await call(HealthWebhookDeliveries_List, { params: { ...address }, query });
    return { values: value, next_cursor: skipTokenOf(nextLink) };
  });
}

export const useReplayDelivery = (address: WebhookAddress) =>
  useChange(
    ({ id }: Delivery) =>
      call(HealthWebhookDeliveries_Replay, { params: { ...address, deliveryId: id }, query: healthVersion }),
    logKey(address),
  );
