import { defineDomain } from '../../domain.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { serviceConnections } from '../../extensions/service-connections.ts';
import { trackerConnections } from './bug-trackers.ts';
import { trackerOverview } from './tracker-overview.ts';
import { trackerJobs } from './trackers.jobs.ts';
import { trackerListeners } from './trackers.listeners.ts';
import { trackerRoutes } from './trackers.routes.ts';
import { trackersTables } from './trackers.tables.ts';

export const trackers = defineDomain({
  tables: trackersTables,
  jobs: trackerJobs,
  listeners: trackerListeners,
  extensions: [appOverviews.add(trackerOverview), serviceConnections.add(trackerConnections)],
  routes: trackerRoutes,
});
