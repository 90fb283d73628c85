import type { EndpointExamples } from '../endpoint/example.ts';

const time = '2026-11-01T09:00:00.000Z';
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfgVQ5JC1s=';
const params = { owner_name: 'ada', app_name: 'compass' };
const one = { ...params, webhook_id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e71' };
const delivered = { ...one, delivery_id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e72' };
const org = { org_name: 'lighthouse' };
const orgWebhookPath = { ...org, webhook_id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e73' };
const orgDeliveryPath = { ...orgWebhookPath, delivery_id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e74' };

const webhook = {
  id: one.webhook_id,
  name: 'Crashes to chat',
  url: 'https://hooks.invalid/crashes',
  enabled: true,
  event_types: ['newCrashGroupCreated', 'newAppReleased'],
  format: 'cloudevents',
  filter: "kind eq 'crash' or event_type ne 'newCrashGroupCreated'",
  created_at: time,
  updated_at: time,
} as const;
const { name, url, event_types, filter } = webhook;
const body = { name, url, event_types, filter } as const;
const delivery = {
  id: delivered.delivery_id,
  message_id: delivered.delivery_id,
  event_type: 'newCrashGroupCreated',
  subject: 'New crash in Compass 2.0.1(42): java.lang.IllegalStateException: no depth',
  state: 'Delivered',
  is_replay: false,
  created_at: time,
  settled_at: time,
  attempts: [{ at: time, milliseconds: 80, status: 204 }],
} as const;
const { filter: _, ...unfiltered } = webhook;
const orgWebhook = {
  ...unfiltered,
  id: orgWebhookPath.webhook_id,
  name: 'People to chat',
  event_types: ['memberJoined'],
} as const;
const orgBody = { name: orgWebhook.name, url: orgWebhook.url, event_types: orgWebhook.event_types } as const;
const orgDelivery = {
  ...delivery,
  id: orgDeliveryPath.delivery_id,
  event_type: 'memberJoined',
  subject: 'Grace joined Harbour as collaborator',
} as const;

export const webhooksExamples = {
  webhooks_list: { params, response: { values: [webhook] } },
  webhooks_create: { params, body, response: { ...webhook, secret } },
  webhooks_get: { params: one, response: webhook },
  webhooks_update: { params: one, body: { enabled: true }, response: webhook },
  webhooks_delete: { params: one },
  webhooks_rotateSecret: { params: one, body: {}, response: { ...webhook, secret } },
  webhooks_test: { params: one, body: { event_type: 'newCrashGroupCreated' }, response: delivery },
  webhookDeliveries_list: { params: one, query: { limit: 50 }, response: { values: [delivery] } },
  webhookDeliveries_watch: { params: one, query: { seconds: 0 } },
  webhookDeliveries_replay: { params: delivered, body: {}, response: { ...delivery, is_replay: true } },
  orgWebhooks_list: { params: org, response: { values: [orgWebhook] } },
  orgWebhooks_create: { params: org, body: orgBody, response: { ...orgWebhook, secret } },
  orgWebhooks_get: { params: orgWebhookPath, response: orgWebhook },
  orgWebhooks_update: { params: orgWebhookPath, body: { enabled: true }, response: orgWebhook },
  orgWebhooks_delete: { params: orgWebhookPath },
  orgWebhooks_rotateSecret: { params: orgWebhookPath, body: {}, response: { ...orgWebhook, secret } },
  orgWebhooks_test: { params: orgWebhookPath, body: {}, response: orgDelivery },
  orgWebhookDeliveries_list: { params: orgWebhookPath, query: { limit: 50 }, response: { values: [orgDelivery] } },
  orgWebhookDeliveries_watch: { params: orgWebhookPath, query: { seconds: 0 } },
  orgWebhookDeliveries_replay: { params: orgDeliveryPath, body: {}, response: { ...orgDelivery, is_replay: true } },
} satisfies EndpointExamples<typeof import('./webhooks.contract.ts')>;
