import type { Deps } from '../../context.ts';
import { onceATurn } from '../../db/once-a-turn.ts';
import { defineDomain } from '../../domain.ts';
import { eventRoutes } from './events/events.routes.ts';
import { versionNow } from './events/events.ts';
import { importRoutes } from './events/import.routes.ts';
import { addFeeds, feedRoutes } from './feeds/health-feeds.routes.ts';
import { createPageCache } from './listing/page-cache.ts';
import { pageKeyOf } from './listing/page-key.ts';
import { createWatch, WATCH_EVERY } from './watch/watch.ts';
import { webhookJobs } from './webhooks/health-webhooks.jobs.ts';
import { webhookRoutes } from './webhooks/health-webhooks.routes.ts';

export { type Publication, publishEvent, publishEvents } from './events/events.ts';

/** The routes of one process, and what its listings share. */
const healthRoutes = (deps: Deps) => [
  ...eventRoutes({
    pages: createPageCache(onceATurn(async () => (await versionNow(deps)).version)),
    key: pageKeyOf(deps),
  }),
  ...importRoutes,
  ...webhookRoutes,
  ...feedRoutes,
];

export const health = defineDomain({
  name: 'health',
  routes: healthRoutes,
  unlisted: addFeeds,
  jobs: webhookJobs,
  timers: (deps) =>
    deps.config.watchdogMinutes > 0 ? [{ what: 'the watchdog', everyMs: WATCH_EVERY, run: createWatch(deps) }] : [],
});
