export { isOperator } from './operators.ts';
export { subscriptionRoutes } from './subscriptions.routes.ts';
export {
  findSubscriptionFor,
  findSubscriptionGrant,
  listReadable,
  putSubscription,
  type Subscription,
} from './subscriptions.ts';
