import { defineDomain } from '../../domain.ts';
import { healthFamily } from './health.family.ts';
import { operatorScope, subscriptionScope } from './subscription.scope.ts';
import { subscriptionListeners } from './subscriptions.listeners.ts';
import { subscriptionRoutes } from './subscriptions.routes.ts';
import { subscriptionsTables } from './subscriptions.tables.ts';

export { isOperator } from './operators.ts';
export {
  findSubscriptionFor,
  listReadable,
  listSubscriptionsOfOrg,
  putSubscription,
  type Subscription,
} from './subscriptions.ts';

export const subscriptions = defineDomain({
  tables: subscriptionsTables,
  routes: subscriptionRoutes,
  listeners: subscriptionListeners,
  scopes: [subscriptionScope, operatorScope],
  families: (deps) => [healthFamily(deps)],
});
