import { defineDomain } from '../../domain.ts';
import { crashAnalyticsRoutes } from './crash-analytics.routes.ts';
import { crashGroupRoutes } from './crash-groups.routes.ts';
import { crashIssueRoutes } from './crash-issues.routes.ts';
import { crashEvents } from './crashes.events.ts';
import { crashJobs } from './crashes.jobs.ts';
import { crashListeners } from './crashes.listeners.ts';
import { crashesTables } from './crashes.tables.ts';
import { errorRoutes } from './errors.routes.ts';

export { crashGroupCreated, crashGroupRegressed } from './crashes.events.ts';

export const crashes = defineDomain({
  tables: crashesTables,
  jobs: crashJobs,
  events: crashEvents,
  listeners: crashListeners,
  routes: [...crashGroupRoutes, ...crashIssueRoutes, ...errorRoutes, ...crashAnalyticsRoutes],
});
