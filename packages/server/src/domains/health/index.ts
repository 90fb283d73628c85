import type { Deps } from '../../context.ts';
import { onceATurn } from '../../db/once-a-turn.ts';
import { eventRoutes } from './events.routes.ts';
import { versionNow } from './events.ts';
import { importRoutes } from './import.routes.ts';
import { createPageCache } from './page-cache.ts';
import { pageKeyOf } from './page-key.ts';
import { subscriptionRoutes } from './subscriptions.routes.ts';

export { type Publication, publishEvent, publishEvents } from './events.ts';
export { isOperator } from './operators.ts';
export { findSubscriptionGrant, putSubscription, type Subscription } from './subscriptions.ts';
export { createWatch, WATCH_EVERY } from './watch.ts';

/** The routes of one process, and what its listings share. */
export const healthRoutes = (deps: Deps) => [
  ...eventRoutes({ pages: createPageCache(onceATurn(() => versionNow(deps))), key: pageKeyOf(deps) }),
  ...importRoutes,
  ...subscriptionRoutes,
];
