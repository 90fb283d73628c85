import type { Deps } from '../../context.ts';
import { defineDomain } from '../../domain.ts';
import { eventRoutes } from './events/health-events.routes.ts';
import { importRoutes } from './events/import.routes.ts';
import { feedRoutes } from './feeds/health-feeds.routes.ts';
import { healthEvents } from './health.events.ts';
import { healthListeners } from './health.listeners.ts';
import { healthTables } from './health.tables.ts';
import { eventFinder } from './listing/event-finder.ts';
import { createEventPages } from './pages/index.ts';
import { createWatch, WATCH_EVERY } from './watch/watch.ts';
import { healthChannel } from './webhooks/health-channel.ts';
import { webhookJobs } from './webhooks/health-webhooks.jobs.ts';
import { webhookRoutes } from './webhooks/health-webhooks.routes.ts';

export { type Publication, publishEvent, publishEvents } from './events/health-events.ts';

/** The routes of one process, which share its pages. */
const healthRoutes = (deps: Deps) => [
  ...eventRoutes(createEventPages(deps)),
  ...importRoutes,
  ...webhookRoutes,
  ...feedRoutes(deps),
];

export const health = defineDomain({
  tables: healthTables,
  routes: healthRoutes,
  finders: [eventFinder],
  jobs: webhookJobs,
  events: healthEvents,
  channels: [healthChannel],
  listeners: healthListeners,
  timers: (deps) =>
    deps.config.watchdogMinutes > 0 ? [{ what: 'the watchdog', everyMs: WATCH_EVERY, run: createWatch(deps) }] : [],
});
