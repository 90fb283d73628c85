import { defineDomain } from '../../domain.ts';
import { crashAnalyticsRoutes } from './crash-analytics.routes.ts';
import { crashGroupRoutes } from './crash-groups.routes.ts';
import { crashIssueRoutes } from './crash-issues.routes.ts';
import { crashJobs } from './crashes.jobs.ts';
import { crashListeners } from './crashes.listeners.ts';
import { crashesTables } from './crashes.tables.ts';
import { errorRoutes } from './errors.routes.ts';

export const crashes = defineDomain({
  tables: crashesTables,
  jobs: crashJobs,
  listeners: crashListeners,
  routes: [...crashGroupRoutes, ...crashIssueRoutes, ...errorRoutes, ...crashAnalyticsRoutes],
});
