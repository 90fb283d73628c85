import { defineDomain } from '../../domain.ts';
import { configurationRoutes } from './configurations.routes.ts';
import { exportJobs } from './exports.jobs.ts';
import { exportListeners } from './exports.listeners.ts';
import { exportsTables } from './exports.tables.ts';
import { exportGauges } from './gauges.ts';
import { historyRoutes } from './history.routes.ts';

export const exports = defineDomain({
  tables: exportsTables,
  jobs: exportJobs,
  gauges: exportGauges,
  listeners: exportListeners,
  routes: [...configurationRoutes, ...historyRoutes],
});
