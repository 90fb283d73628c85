import { type Fixtures, shown } from '../fixtures/fixtures.ts';
import { azureSubscription_linkForApp } from './azure-subscriptions.contract.ts';
import { healthVersion as query } from './health.surface.ts';
import { healthOperators_add, SubscriptionReaders_Add, Subscriptions_Save } from './subscriptions.contract.ts';

/**
 * A subscription of lighthouse that Grace and Linus may read and an app of Ada is linked to. Grace may also publish
 * health events.
 */
export async function addSubscription({ ada, grace, linus }: Fixtures): Promise<void> {
  const subscriptionId = shown(Subscriptions_Save, 'subscriptionId');
  const tenantId = shown(Subscriptions_Save, 'tenantId');
  const params = { subscriptionId };
  await ada.call(Subscriptions_Save, {
    params,
    query,
    body: { displayName: 'Harbour', tenantId, owner: 'lighthouse' },
  });
  for (const { name: userName } of [grace, linus]) {
    await ada.call(SubscriptionReaders_Add, { params: { subscriptionId, userName }, query, body: {} });
  }
  await ada.call(healthOperators_add, { body: { user_name: grace.name } });
  const app = { owner_name: 'ada', app_name: 'compass' };
  await ada.call(azureSubscription_linkForApp, { params: app, body: { subscription_id: subscriptionId } });
}
