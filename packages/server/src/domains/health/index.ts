import type { Deps } from '../../context.ts';
import { onceATurn } from '../../db/once-a-turn.ts';
import { eventRoutes } from './events/events.routes.ts';
import { versionNow } from './events/events.ts';
import { importRoutes } from './events/import.routes.ts';
import { feedRoutes } from './feeds/health-feeds.routes.ts';
import { createPageCache } from './listing/page-cache.ts';
import { pageKeyOf } from './listing/page-key.ts';
import { webhookRoutes } from './webhooks/health-webhooks.routes.ts';

export {
  concernsReader,
  findChange,
  forgetChanges,
  type HealthChange,
  healthChanged,
  type KeptChange,
  keepChange,
} from './events/changes.ts';
export { type Publication, publishEvent, publishEvents, versionNow } from './events/events.ts';
export { type Event, parseStored, render } from './events/rendering.ts';
export { addFeeds } from './feeds/health-feeds.routes.ts';
export { FilterProblem, parseFilter } from './filter/filter.ts';
export type { FilterNode } from './filter/filter-ast.ts';
export { type FilterFacts, factsOf, matchesFilter } from './filter/filter-match.ts';
export { newestEvents, type Reader, readerOf, renderFor } from './listing/listing.ts';
export { createPageCache } from './listing/page-cache.ts';
export { createWatch, WATCH_EVERY } from './watch/watch.ts';
export { webhookJobs } from './webhooks/health-webhooks.jobs.ts';

/** The routes of one process, and what its listings share. */
export const healthRoutes = (deps: Deps) => [
  ...eventRoutes({
    pages: createPageCache(onceATurn(async () => (await versionNow(deps)).version)),
    key: pageKeyOf(deps),
  }),
  ...importRoutes,
  ...webhookRoutes,
  ...feedRoutes,
];
