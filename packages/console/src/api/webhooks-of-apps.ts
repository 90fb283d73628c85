import {
  type InputOf,
  type OutputOf,
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

export type AppWebhook = OutputOf<typeof webhooks_get>;
export type NewAppWebhook = InputOf<typeof webhooks_create>['body'];
export type AppWebhookChange = InputOf<typeof webhooks_update>['body'];
export type AppDelivery = OutputOf<typeof webhooks_test>;
type WithSecret = OutputOf<typeof webhooks_create>;
type DeliveryPage = OutputOf<typeof webhookDeliveries_list>;

/** What can be done with the webhooks of an app, or of an organization. */
export interface WebhookOperations {
  key: string[];
  list: () => Promise<AppWebhook[]>;
  create: (body: NewAppWebhook) => Promise<WithSecret>;
  get: (id: string) => Promise<AppWebhook>;
  update: (id: string, body: AppWebhookChange) => Promise<AppWebhook>;
  remove: (id: string) => Promise<unknown>;
  rotate: (id: string) => Promise<WithSecret>;
  test: (id: string, body: InputOf<typeof webhooks_test>['body']) => Promise<AppDelivery>;
  deliveries: (id: string, query: { cursor?: string }) => Promise<DeliveryPage>;
  replay: (id: string, delivery_id: string) => Promise<AppDelivery>;
  /** Where it is told that deliveries changed. */
  live: (id: string) => string;
}

const streamOf = (path: string, params: Record<string, string>): string =>
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
    live: (id) => streamOf(webhookDeliveries_watch.path, at(id)),
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
    live: (id) => streamOf(orgWebhookDeliveries_watch.path, at(id)),
  };
};

const oneKey = ({ key }: WebhookOperations, id: string) => [...key, id];

export const useAppWebhooks = (of: WebhookOperations) => useRead(of.key, of.list);
export const useAppWebhook = (of: WebhookOperations, id: string) => useRead(oneKey(of, id), () => of.get(id));
export const useCreateAppWebhook = (of: WebhookOperations) => useChange(of.create, of.key);
export const useUpdateAppWebhook = (of: WebhookOperations, id: string) =>
  useChange((body: AppWebhookChange) => of.update(id, body), of.key);
export const useDeleteAppWebhook = (of: WebhookOperations, id: string) => useChange(() => of.remove(id), of.key);
export const useRotateAppWebhook = (of: WebhookOperations, id: string) =>
  useChange(() => of.rotate(id), oneKey(of, id));
export const useTestAppWebhook = (of: WebhookOperations, id: string) =>
  useChange((event_type: AppWebhook['event_types'][number]) => of.test(id, { event_type }), oneKey(of, id));
export const useReplayAppDelivery = (of: WebhookOperations, id: string) =>
  useChange((delivery: AppDelivery) => of.replay(id, delivery.id), oneKey(of, id));

/** The log, and what it may have done to the webhook itself, are read again whenever a delivery changed. */
export function useAppDeliveries(of: WebhookOperations, id: string) {
  useLive(of.live(id), oneKey(of, id));
  return usePages<AppDelivery>([...oneKey(of, id), 'deliveries'], (cursor) =>
    of.deliveries(id, cursor ? { cursor } : {}),
  );
}
