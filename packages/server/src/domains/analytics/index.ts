import { defineDomain } from '../../domain.ts';
import { analyticsJobs } from './analytics.jobs.ts';
import { analyticsListeners } from './analytics.listeners.ts';
import { analyticsTables } from './analytics.tables.ts';
import { audienceRoutes } from './audiences.routes.ts';
import { chartRoutes } from './charts.routes.ts';
import { crashRoutes } from './crashes.routes.ts';
import { deviceRoutes } from './devices.routes.ts';
import { eventRoutes } from './events.routes.ts';
import { exploreRoutes } from './explore.routes.ts';
import { analyticsGauges } from './gauges.ts';
import { keptRoutes } from './kept.routes.ts';
import { keptLogs } from './kept-logs.ts';
import { logFlowRoutes } from './log-flow.routes.ts';
import { analyticsMeasures } from './measures.ts';
import { ask } from './questions.ts';
import { senderTelemetry } from './sender-records.ts';
import { sessionRoutes } from './sessions.routes.ts';

export const analytics = defineDomain({
  tables: analyticsTables,
  jobs: analyticsJobs,
  askTelemetry: (deps) => (appId, question) => ask(deps, appId, question),
  keptLogs,
  senderRecords: senderTelemetry,
  listeners: analyticsListeners,
  measures: analyticsMeasures,
  gauges: analyticsGauges,
  routes: [
    ...deviceRoutes,
    ...sessionRoutes,
    ...eventRoutes,
    ...crashRoutes,
    ...logFlowRoutes,
    ...audienceRoutes,
    ...exploreRoutes,
    ...chartRoutes,
    ...keptRoutes,
  ],
});
