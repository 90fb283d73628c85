import { defineDomain } from '../../domain.ts';
import { alertGauges } from '../../extensions/alert-gauges.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { appSummaries } from '../../extensions/app-summaries.ts';
import { finders } from '../../extensions/finders.ts';
import { subjectRecords } from '../../extensions/subject-records.ts';
import { usageMeasures } from '../../extensions/usage-measures.ts';
import { crashAnalyticsRoutes } from './crash-analytics.routes.ts';
import { crashGroupRoutes } from './crash-groups.routes.ts';
import { crashIssueRoutes } from './crash-issues.routes.ts';
import { crashEvents } from './crashes.events.ts';
import { crashJobs } from './crashes.jobs.ts';
import { crashListeners } from './crashes.listeners.ts';
import { crashesSettings } from './crashes.settings.ts';
import { crashesTables } from './crashes.tables.ts';
import { errorRoutes } from './errors.routes.ts';
import { issueFinder } from './issues/issue-finder.ts';
import { issueOverview } from './issues/issue-overview.ts';
import { issueSummary } from './issues/issue-summary.ts';
import { crashMeasures } from './reports/measures.ts';
import { subjectReports } from './reports/subject-records.ts';
import { crashGauges } from './statistics/gauges.ts';

export { issueChanged } from './crashes.events.ts';
export { changeIssueState, type FoundIssue, findIssueByGroup } from './issues/issue-lookup.ts';
export {
  type ArchivedAttachment,
  type ArchivedReport,
  type ArchivePosition,
  reportArchive,
} from './reports/report-archive.ts';
export { type FoundReport, findReportBySentId } from './reports/report-lookup.ts';
export { describeVersionHealth } from './statistics/version-health.ts';

export const crashes = defineDomain({
  settings: crashesSettings,
  tables: crashesTables,
  events: crashEvents,
  jobs: crashJobs,
  extensions: [
    finders.add(issueFinder),
    appOverviews.add(issueOverview),
    appSummaries.add(issueSummary),
    usageMeasures.add(...crashMeasures),
    alertGauges.add(...crashGauges),
    subjectRecords.add(subjectReports),
  ],
  listeners: crashListeners,
  routes: [...crashGroupRoutes, ...crashIssueRoutes, ...errorRoutes, ...crashAnalyticsRoutes],
});
