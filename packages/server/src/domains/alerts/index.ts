import { defineDomain } from '../../domain.ts';
import { appSummaries } from '../../extensions/app-summaries.ts';
import { alertSummary } from './alert-summary.ts';
import { alertJobs } from './alerts.jobs.ts';
import { alertRoutes } from './alerts.routes.ts';
import { alertsTables } from './alerts.tables.ts';

export const alerts = defineDomain({
  tables: alertsTables,
  jobs: alertJobs,
  extensions: [appSummaries.add(alertSummary)],
  routes: alertRoutes,
});
