import { defineDomain } from '../../domain.ts';
import { healthSurface } from './health.surface.ts';
import { operatorScope, subscriptionScope } from './subscription.scope.ts';
import { subscriptionListeners } from './subscriptions.listeners.ts';
import { subscriptionRoutes } from './subscriptions.routes.ts';
import { subscriptionsTables } from './subscriptions.tables.ts';

export { isOperator } from './operators.ts';
export {
  findSubscriptionFor,
  listLinkedSubscriptions,
  listOrgSubscriptions,
  listReadable,
  lockSubscription,
  putSubscription,
  type Subscription,
} from './subscriptions.ts';

export const subscriptions = defineDomain({
  tables: subscriptionsTables,
  routes: subscriptionRoutes,
  listeners: subscriptionListeners,
  scopes: [subscriptionScope, operatorScope],
  surfaces: (deps) => [healthSurface(deps)],
});
