export const SUBSCRIPTIONS = '/health/subscriptions';

export const subscriptionPath = (subscriptionId: string): string => `${SUBSCRIPTIONS}/${subscriptionId}`;

export const webhookPath = (subscriptionId: string, webhookId: string): string =>
  `${subscriptionPath(subscriptionId)}/webhooks/${webhookId}`;
