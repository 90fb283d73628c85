import type { EndpointExamples } from '../endpoint/example.ts';

const subscription = {
  subscription_id: '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11',
  tenant_id: '7a1c5d2e-9b11-4d2f-8a57-6f0c5d2e9b22',
  subscription_name: 'Harbour',
} as const;
const app = { owner_name: 'ada', app_name: 'compass' };

export const azureSubscriptionsExamples = {
  azureSubscription_listForUser: { response: [subscription] },
  azureSubscription_listForOrg: { params: { org_name: 'lighthouse' }, response: [subscription] },
  azureSubscription_listForApp: { params: app, response: [subscription] },
  azureSubscription_linkForApp: { params: app, body: { subscription_id: subscription.subscription_id } },
  azureSubscription_deleteForApp: { params: { ...app, azure_subscription_id: subscription.subscription_id } },
} satisfies EndpointExamples<typeof import('./azure-subscriptions.contract.ts')>;
