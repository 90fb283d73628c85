import { systemCtx } from '../../context.ts';
import { defineDomain } from '../../domain.ts';
import { analyticsJobs } from './analytics.jobs.ts';
import { analyticsListeners } from './analytics.listeners.ts';
import { analyticsTables } from './analytics.tables.ts';
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
import { keptRoutes } from './parts/kept.routes.ts';
import { keptLogs } from './parts/kept-logs.ts';
import { ask } from './questions.ts';
import { senderTelemetry } from './sender-records.ts';

export const analytics = defineDomain({
  tables: analyticsTables,
  jobs: analyticsJobs,
  askTelemetry: (deps) => (appId, question, owner) => ask(systemCtx(deps, owner), appId, question),
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
