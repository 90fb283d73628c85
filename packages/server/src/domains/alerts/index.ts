import { defineDomain } from '../../domain.ts';
import { alertGlance } from './alert-glance.ts';
import { alertJobs } from './alerts.jobs.ts';
import { alertRoutes } from './alerts.routes.ts';
import { alertsTables } from './alerts.tables.ts';

export const alerts = defineDomain({
  tables: alertsTables,
  jobs: alertJobs,
  glances: [alertGlance],
  routes: alertRoutes,
});
