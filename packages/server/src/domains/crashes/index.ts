import { defineDomain } from '../../domain.ts';
import { crashAnalyticsRoutes } from './crash-analytics.routes.ts';
import { crashGroupRoutes } from './crash-groups.routes.ts';
import { crashIssueRoutes } from './crash-issues.routes.ts';
import { crashJobs } from './crashes.jobs.ts';
import { crashListeners } from './crashes.listeners.ts';
import { crashesTables } from './crashes.tables.ts';
import { errorRoutes } from './errors.routes.ts';
import { issueFinder } from './issues/issue-finder.ts';
import { issueGlance } from './issues/issue-glance.ts';
import { knownIssues } from './issues/known-issues.ts';
import { keptReports } from './reports/kept-reports.ts';
import { crashMeasures } from './reports/measures.ts';
import { senderReports } from './reports/sender-records.ts';
import { crashGauges } from './statistics/gauges.ts';

export const crashes = defineDomain({
  tables: crashesTables,
  jobs: crashJobs,
  finders: [issueFinder],
  glances: [issueGlance],
  measures: crashMeasures,
  gauges: crashGauges,
  listeners: crashListeners,
  issues: knownIssues,
  keptReports,
  senderRecords: senderReports,
  routes: [...crashGroupRoutes, ...crashIssueRoutes, ...errorRoutes, ...crashAnalyticsRoutes],
});
