import { defineDomain } from '../../domain.ts';
import { isOperator } from './operators.ts';
import { subscriptionListeners } from './subscriptions.listeners.ts';
import { subscriptionRoutes } from './subscriptions.routes.ts';
import { subscriptionsTables } from './subscriptions.tables.ts';
import { findSubscriptionGrant } from './subscriptions.ts';

export { isOperator } from './operators.ts';
export { findSubscriptionFor, listReadable, putSubscription, type Subscription } from './subscriptions.ts';

export const subscriptions = defineDomain({
  name: 'subscriptions',
  tables: subscriptionsTables,
  routes: subscriptionRoutes,
  listeners: subscriptionListeners,
  authority: (deps) => ({
    findSubscriptionGrant: (actor, id) => findSubscriptionGrant(deps, actor, id),
    isOperator: (actor) => isOperator(deps, actor),
  }),
});
