import { defineDomain } from '../../domain.ts';
import { alertGauges } from '../../extensions/alert-gauges.ts';
import { appSummaries } from '../../extensions/app-summaries.ts';
import { subjectRecords } from '../../extensions/subject-records.ts';
import { usageMeasures } from '../../extensions/usage-measures.ts';
import { analyticsJobs } from './analytics.jobs.ts';
import { analyticsListeners } from './analytics.listeners.ts';
import { analyticsSettings } from './analytics.settings.ts';
import { analyticsTables } from './analytics.tables.ts';
import { telemetrySummary } from './app-summary.ts';
import { audienceRoutes } from './audiences/audiences.routes.ts';
import { chartRoutes } from './explore/charts.routes.ts';
import { exploreRoutes } from './explore/explore.routes.ts';
import { crashRoutes } from './figures/crashes.routes.ts';
import { deviceRoutes } from './figures/devices.routes.ts';
import { eventRoutes } from './figures/events.routes.ts';
import { sessionRoutes } from './figures/sessions.routes.ts';
import { analyticsGauges } from './gauges.ts';
import { logFlowRoutes } from './log-flow/log-flow.routes.ts';
import { analyticsMeasures } from './measures.ts';
import { storedDataRoutes } from './parts/stored-data.routes.ts';
import { subjectTelemetry } from './subject-records.ts';

export { logArchive } from './parts/log-archive.ts';
export { queryTelemetry } from './telemetry-queries.ts';

export const analytics = defineDomain({
  settings: analyticsSettings,
  tables: analyticsTables,
  jobs: analyticsJobs,
  extensions: [
    appSummaries.add(telemetrySummary),
    usageMeasures.add(...analyticsMeasures),
    alertGauges.add(...analyticsGauges),
    subjectRecords.add(subjectTelemetry),
  ],
  listeners: analyticsListeners,
  routes: [
    ...deviceRoutes,
    ...sessionRoutes,
    ...eventRoutes,
    ...crashRoutes,
    ...logFlowRoutes,
    ...audienceRoutes,
    ...exploreRoutes,
    ...chartRoutes,
    ...storedDataRoutes,
  ],
});
