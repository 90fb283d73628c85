import {
  type EndpointInput,
  type EndpointOutput,
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
} from '@mooring/contract';
import { call, useChange, usePages, useRead } from './client.ts';
import { getSkipToken } from './health/health.ts';
import { live, useLive } from './live.ts';

export type Webhook = EndpointOutput<typeof HealthWebhooks_Get>;
export type WebhookChange = EndpointInput<typeof HealthWebhooks_Update>['body'];
export type Delivery = EndpointOutput<typeof HealthWebhookDeliveries_List>['value'][number];
export type Attempt = Delivery['attempts'][number];

export type DeliveriesQuery = Pick<
  EndpointInput<typeof HealthWebhookDeliveries_List>['query'],
  'search' | 'sort' | 'order'
>;

/** Identifies a webhook. */
export interface WebhookRef {
  subscriptionId: string;
  webhookId: string;
}

const listKey = (subscriptionId: string) => ['subscription', subscriptionId, 'webhooks'];
const webhookKey = ({ subscriptionId, webhookId }: WebhookRef) => [
  'subscription',
  subscriptionId,
  'webhook',
  webhookId,
];
const logKey = (webhookRef: WebhookRef) => [...webhookKey(webhookRef), 'deliveries'];

export const useWebhooks = (subscriptionId: string) =>
  useRead(
    listKey(subscriptionId),
    async () => (await call(HealthWebhooks_List, { params: { subscriptionId }, query: healthVersion })).value,
  );

export const useWebhook = ({ subscriptionId, webhookId }: WebhookRef) =>
  useRead(webhookKey({ subscriptionId, webhookId }), () =>
    call(HealthWebhooks_Get, { params: { subscriptionId, webhookId }, query: healthVersion }),
  );

export const useCreateWebhook = (subscriptionId: string) =>
  useChange(
    (body: EndpointInput<typeof HealthWebhooks_Create>['body']) =>
      call(HealthWebhooks_Create, { params: { subscriptionId }, query: healthVersion, body }),
    listKey(subscriptionId),
  );

/** Disabling cancels pending deliveries, so the log is refetched too. */
export const useUpdateWebhook = (webhookRef: WebhookRef) =>
  useChange(
    (body: WebhookChange) => call(HealthWebhooks_Update, { params: { ...webhookRef }, query: healthVersion, body }),
    listKey(webhookRef.subscriptionId),
    webhookKey(webhookRef),
  );

/** The user leaves the page of the deleted webhook, so it is not refetched. */
export const useDeleteWebhook = (webhookRef: WebhookRef) =>
  useChange(
    () => call(HealthWebhooks_Delete, { params: { ...webhookRef }, query: healthVersion }),
    listKey(webhookRef.subscriptionId),
  );

export const useRotateSecret = (webhookRef: WebhookRef) =>
  useChange(
    () => call(HealthWebhooks_RotateSecret, { params: { ...webhookRef }, query: healthVersion }),
    webhookKey(webhookRef),
  );

export const useTestWebhook = (webhookRef: WebhookRef) =>
  useChange(() => call(HealthWebhooks_Test, { params: { ...webhookRef }, query: healthVersion }), logKey(webhookRef));

/** A delivery can also disable its webhook, so both are refetched. */
export function useDeliveries(webhookRef: WebhookRef, arranged: DeliveriesQuery) {
  useLive(live.deliveries(webhookRef), webhookKey(webhookRef));
  return usePages<Delivery>([...logKey(webhookRef), arranged], async (token) => {
    const query = { ...healthVersion, ...arranged, ...(token ? { $skipToken: token } : {}) };
    const { value, nextLink, total } = await call(HealthWebhookDeliveries_List, { params: { ...webhookRef }, query });
    return { values: value, next_cursor: getSkipToken(nextLink), total };
  });
}

export const useReplayDelivery = (webhookRef: WebhookRef) =>
  useChange(
    ({ id }: Delivery) =>
      call(HealthWebhookDeliveries_Replay, { params: { ...webhookRef, deliveryId: id }, query: healthVersion }),
    logKey(webhookRef),
  );
