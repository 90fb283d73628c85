import type { Deps } from '../../context.ts';
import { defineDomain } from '../../domain.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { finders } from '../../extensions/finders.ts';
import { eventRoutes } from './events/health-events.routes.ts';
import { importRoutes } from './events/import.routes.ts';
import { feedRoutes } from './feeds/health-feeds.routes.ts';
import { healthEvents } from './health.events.ts';
import { healthListeners } from './health.listeners.ts';
import { healthSettings } from './health.settings.ts';
import { healthTables } from './health.tables.ts';
import { eventFinder } from './listing/event-finder.ts';
import { eventOverview } from './listing/event-overview.ts';
import { createEventPages } from './pages/index.ts';
import { startWatchdog } from './watch/watch.ts';
import { healthChannel } from './webhooks/health-channel.ts';
import { webhookJobs } from './webhooks/health-webhooks.jobs.ts';
import { webhookRoutes } from './webhooks/health-webhooks.routes.ts';

export { type Publication, publishEvent, publishEvents } from './events/health-events.ts';

/** The routes of one process, which share its page cache. */
const healthRoutes = (deps: Deps) => [
  ...eventRoutes(createEventPages(deps)),
  ...importRoutes,
  ...webhookRoutes,
  ...feedRoutes(deps),
];

export const health = defineDomain({
  settings: healthSettings,
  tables: healthTables,
  routes: healthRoutes,
  extensions: [finders.add(eventFinder), appOverviews.add(eventOverview)],
  jobs: webhookJobs,
  events: healthEvents,
  channels: [healthChannel],
  listeners: healthListeners,
  whenListening: startWatchdog,
});
