import type { Deps } from '../../context.ts';
import { onceATurn } from '../../db/once-a-turn.ts';
import { eventRoutes } from './events.routes.ts';
import { versionNow } from './events.ts';
import { importRoutes } from './import.routes.ts';
import { createPageCache } from './page-cache.ts';
import { pageKeyOf } from './page-key.ts';
import { subscriptionRoutes } from './subscriptions.routes.ts';

export {
  concernsReader,
  findChange,
  forgetChanges,
  type HealthChange,
  healthChanged,
  type KeptChange,
  keepChange,
} from './changes.ts';
export { type Publication, publishEvent, publishEvents, versionNow } from './events.ts';
export { FilterProblem, parseFilter } from './filter.ts';
export type { FilterNode } from './filter-ast.ts';
export { type FilterFacts, factsOf, matchesFilter } from './filter-match.ts';
export { newestEvents, type Reader, readerOf, renderFor } from './listing.ts';
export { isOperator } from './operators.ts';
export { createPageCache } from './page-cache.ts';
export { type Event, parseStored, render } from './rendering.ts';
export {
  findSubscriptionFor,
  findSubscriptionGrant,
  putSubscription,
  type Subscription,
} from './subscriptions.ts';
export { createWatch, WATCH_EVERY } from './watch.ts';

/** The routes of one process, and what its listings share. */
export const healthRoutes = (deps: Deps) => [
  ...eventRoutes({
    pages: createPageCache(onceATurn(async () => (await versionNow(deps)).version)),
    key: pageKeyOf(deps),
  }),
  ...importRoutes,
  ...subscriptionRoutes,
];
