import { defineDomain } from '../../domain.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { appSummaries } from '../../extensions/app-summaries.ts';
import { alertOverview } from './alert-overview.ts';
import { alertSummary } from './alert-summary.ts';
import { alertJobs } from './alerts.jobs.ts';
import { alertRoutes } from './alerts.routes.ts';
import { alertsTables } from './alerts.tables.ts';

export const alerts = defineDomain({
  tables: alertsTables,
  jobs: alertJobs,
  extensions: [appOverviews.add(alertOverview), appSummaries.add(alertSummary)],
  routes: alertRoutes,
});
