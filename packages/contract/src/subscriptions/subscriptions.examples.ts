import type { EndpointExamples } from '../endpoint/example.ts';
import { healthVersion } from './health.surface.ts';

const subscriptionId = '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11';
const params = { subscriptionId };
const subscription = {
  id: `/subscriptions/${subscriptionId}`,
  subscriptionId,
  tenantId: '7a1c5d2e-9b11-4d2f-8a57-6f0c5d2e9b22',
  displayName: 'Harbour',
  state: 'Enabled',
  owner: 'lighthouse',
} as const;
const grace = {
  name: 'grace',
  displayName: 'Grace Hopper',
  email: 'grace@example.com',
  since: '2026-11-01T09:00:00.000Z',
} as const;
const operator = { name: grace.name, display_name: grace.displayName, email: grace.email, since: grace.since };

export const subscriptionsExamples = {
  Subscriptions_List: { query: healthVersion, response: { value: [subscription] } },
  Subscriptions_Get: { params, query: healthVersion, response: subscription },
  Subscriptions_Save: {
    params,
    query: healthVersion,
    body: { displayName: 'Harbour', tenantId: subscription.tenantId, owner: 'lighthouse' },
    response: subscription,
  },
  Subscriptions_Delete: { params, query: healthVersion },
  SubscriptionReaders_List: { params, query: healthVersion, response: { value: [grace] } },
  SubscriptionReaders_Add: { params: { ...params, userName: 'grace' }, query: healthVersion, body: {} },
  SubscriptionReaders_Remove: { params: { ...params, userName: 'grace' }, query: healthVersion },
  healthOperators_list: { response: [operator] },
  healthOperators_add: { body: { user_name: 'grace' } },
  healthOperators_remove: { params: { user_name: 'grace' } },
  healthOperators_getMine: { response: { is_operator: true } },
} satisfies EndpointExamples<typeof import('./subscriptions.contract.ts')>;
