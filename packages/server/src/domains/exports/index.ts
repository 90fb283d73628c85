import { defineDomain } from '../../domain.ts';
import { configurationRoutes } from './configurations.routes.ts';
import { exportJobs } from './exports.jobs.ts';
import { exportsTables } from './exports.tables.ts';

export const exports = defineDomain({
  tables: exportsTables,
  jobs: exportJobs,
  routes: configurationRoutes,
});
