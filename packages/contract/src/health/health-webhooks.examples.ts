import type { EndpointExamples } from '../endpoint/example.ts';
import { healthVersion } from '../subscriptions/health.surface.ts';

const subscriptionId = '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11';
const webhookId = '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e44';
const deliveryId = '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e55';
const params = { subscriptionId };
const one = { subscriptionId, webhookId };
const time = '2026-11-01T09:00:00.000Z';
const webhook = {
  id: webhookId,
  url: 'https://hooks.example.com/health',
  filter: "service eq 'Mail'",
  isEnabled: true,
  createdBy: 'ada',
  createdAt: time,
  updatedAt: time,
} as const;
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfgVQ5JC1s=';
const delivery = {
  id: deliveryId,
  messageId: deliveryId,
  change: 'published',
  trackingId: 'BC_1-FXZ',
  state: 'Delivered',
  isReplay: false,
  createdAt: time,
  settledAt: time,
  attempts: [{ at: time, milliseconds: 80, status: 204 }],
} as const;

export const healthWebhooksExamples = {
  HealthWebhooks_List: { params, query: healthVersion, response: { value: [webhook] } },
  HealthWebhooks_Create: {
    params,
    query: healthVersion,
    body: { url: webhook.url, filter: webhook.filter },
    response: { ...webhook, secret },
  },
  HealthWebhooks_Get: { params: one, query: healthVersion, response: webhook },
  HealthWebhooks_Update: { params: one, query: healthVersion, body: { isEnabled: true }, response: webhook },
  HealthWebhooks_Delete: { params: one, query: healthVersion },
  HealthWebhooks_RotateSecret: { params: one, query: healthVersion, body: {}, response: { ...webhook, secret } },
  HealthWebhooks_Test: { params: one, query: healthVersion, body: {}, response: { ...delivery, change: 'test' } },
  HealthWebhookDeliveries_List: { params: one, query: { ...healthVersion, $top: 50 }, response: { value: [delivery] } },
  HealthWebhookDeliveries_Watch: { params: one, query: { ...healthVersion, seconds: 0 } },
  HealthWebhookDeliveries_Replay: {
    params: { ...one, deliveryId },
    query: healthVersion,
    body: {},
    response: { ...delivery, id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e66', isReplay: true },
  },
} satisfies EndpointExamples<typeof import('./health-webhooks.contract.ts')>;
