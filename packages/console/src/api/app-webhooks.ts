import {
  type EndpointInput,
  type EndpointOutput,
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
import { fill } from '../paths.ts';
import { type AppRef, appKey } from './apps.ts';
import { call, useChange, usePages, useRead } from './client.ts';
import { useLive } from './live.ts';

export type AppWebhook = EndpointOutput<typeof webhooks_get>;
export type NewAppWebhook = EndpointInput<typeof webhooks_create>['body'];
export type AppWebhookChange = EndpointInput<typeof webhooks_update>['body'];
export type AppDelivery = EndpointOutput<typeof webhooks_test>;
type WithSecret = EndpointOutput<typeof webhooks_create>;
type DeliveryPage = EndpointOutput<typeof webhookDeliveries_list>;

/** Operations for the webhooks of an app or an organization. */
export interface WebhookOperations {
  key: string[];
  list: () => Promise<AppWebhook[]>;
  create: (body: NewAppWebhook) => Promise<WithSecret>;
  get: (id: string) => Promise<AppWebhook>;
  update: (id: string, body: AppWebhookChange) => Promise<AppWebhook>;
  remove: (id: string) => Promise<unknown>;
  rotate: (id: string) => Promise<WithSecret>;
  test: (id: string, body: EndpointInput<typeof webhooks_test>['body']) => Promise<AppDelivery>;
  deliveries: (id: string, query: { cursor?: string }) => Promise<DeliveryPage>;
  replay: (id: string, delivery_id: string) => Promise<AppDelivery>;
  /** Event stream that reports changed deliveries. */
  live: (id: string) => string;
}

const getStreamPath = (path: string, params: Record<string, string>): string =>
  fill(path.replace(/\{(\w+)\}/g, ':$1'), params);

export const appWebhooks = (params: AppRef): WebhookOperations => {
  const at = (webhook_id: string) => ({ ...params, webhook_id });
  return {
    key: [...appKey(params), 'webhooks'],
    list: async () => (await call(webhooks_list, { params })).values,
    create: (body) => call(webhooks_create, { params, body }),
    get: (id) => call(webhooks_get, { params: at(id) }),
    update: (id, body) => call(webhooks_update, { params: at(id), body }),
    remove: (id) => call(webhooks_delete, { params: at(id) }),
    rotate: (id) => call(webhooks_rotateSecret, { params: at(id), body: {} }),
    test: (id, body) => call(webhooks_test, { params: at(id), body }),
    deliveries: (id, query) => call(webhookDeliveries_list, { params: at(id), query }),
    replay: (id, delivery_id) => call(webhookDeliveries_replay, { params: { ...at(id), delivery_id }, body: {} }),
    live: (id) => getStreamPath(webhookDeliveries_watch.path, at(id)),
  };
};

export const orgWebhooks = (org_name: string): WebhookOperations => {
  const params = { org_name };
  const at = (webhook_id: string) => ({ ...params, webhook_id });
  return {
    key: ['org', org_name, 'webhooks'],
    list: async () => (await call(orgWebhooks_list, { params })).values,
    create: (body) => call(orgWebhooks_create, { params, body }),
    get: (id) => call(orgWebhooks_get, { params: at(id) }),
    update: (id, body) => call(orgWebhooks_update, { params: at(id), body }),
    remove: (id) => call(orgWebhooks_delete, { params: at(id) }),
    rotate: (id) => call(orgWebhooks_rotateSecret, { params: at(id), body: {} }),
    test: (id, body) => call(orgWebhooks_test, { params: at(id), body }),
    deliveries: (id, query) => call(orgWebhookDeliveries_list, { params: at(id), query }),
    replay: (id, delivery_id) => call(orgWebhookDeliveries_replay, { params: { ...at(id), delivery_id }, body: {} }),
    live: (id) => getStreamPath(orgWebhookDeliveries_watch.path, at(id)),
  };
};

const oneKey = ({ key }: WebhookOperations, id: string) => [...key, id];

export const useAppWebhooks = (operations: WebhookOperations) => useRead(operations.key, operations.list);
export const useAppWebhook = (operations: WebhookOperations, id: string) =>
  useRead(oneKey(operations, id), () => operations.get(id));
export const useCreateAppWebhook = (operations: WebhookOperations) => useChange(operations.create, operations.key);
export const useUpdateAppWebhook = (operations: WebhookOperations, id: string) =>
  useChange((body: AppWebhookChange) => operations.update(id, body), operations.key);
export const useDeleteAppWebhook = (operations: WebhookOperations, id: string) =>
  useChange(() => operations.remove(id), operations.key);
export const useRotateAppWebhook = (operations: WebhookOperations, id: string) =>
  useChange(() => operations.rotate(id), oneKey(operations, id));
export const useTestAppWebhook = (operations: WebhookOperations, id: string) =>
  useChange(
    (event_type: AppWebhook['event_types'][number]) => operations.test(id, { event_type }),
    oneKey(operations, id),
  );
export const useReplayAppDelivery = (operations: WebhookOperations, id: string) =>
  useChange((delivery: AppDelivery) => operations.replay(id, delivery.id), oneKey(operations, id));

/** A delivery can also disable its webhook, so both are refetched. */
export function useAppDeliveries(operations: WebhookOperations, id: string) {
  useLive(operations.live(id), oneKey(operations, id));
  return usePages<AppDelivery>([...oneKey(operations, id), 'deliveries'], (cursor) =>
    operations.deliveries(id, cursor ? { cursor } : {}),
  );
}
