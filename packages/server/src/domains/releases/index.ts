import { defineDomain } from '../../domain.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { appSummaries } from '../../extensions/app-summaries.ts';
import { finders } from '../../extensions/finders.ts';
import { releaseLookups } from '../../extensions/release-lookups.ts';
import { serviceConnections } from '../../extensions/service-connections.ts';
import { usageMeasures } from '../../extensions/usage-measures.ts';
import { deviceRoutes } from './devices/devices.routes.ts';
import { groupReleasesScope } from './install/group-releases.scope.ts';
import { installCountRoutes } from './install/install-counts.routes.ts';
import { createInstallNotes } from './install/install-notes.ts';
import { installPageRoutes } from './install/install-pages.routes.ts';
import { releaseMailRoutes } from './mails/release-mails.routes.ts';
import { releaseMeasures } from './measures.ts';
import { releaseFinder } from './release-finder.ts';
import { findReleaseByVersion } from './release-lookup.ts';
import { releaseOverview } from './release-overview.ts';
import { releaseSummary } from './release-summary.ts';
import { releaseJobs } from './releases.jobs.ts';
import { releaseListeners } from './releases.listeners.ts';
import { releaseRoutes } from './releases.routes.ts';
import { releasesSettings } from './releases.settings.ts';
import { releasesTables } from './releases.tables.ts';
import { retentionRoutes } from './retention/retention.routes.ts';
import { appleMappingRoutes } from './stores/apple-mappings.routes.ts';
import { storeRoutes } from './stores/stores.routes.ts';
import { storeConnections } from './stores/stores.ts';
import { releaseStoryRoutes } from './story/release-story.routes.ts';
import { testGateRoutes } from './test-gates.routes.ts';
import { inAppUpdateRoutes } from './updates/in-app-updates.routes.ts';
import { privateUpdateRoutes } from './updates/private-updates.routes.ts';
import { sentryUpdateRoutes } from './updates/sentry-updates.routes.ts';
import { updateFeedRoutes } from './updates/update-feeds.routes.ts';
import { releaseUploadRoutes } from './uploads/release-uploads.routes.ts';

export const releases = defineDomain({
  settings: releasesSettings,
  tables: releasesTables,
  routes: (deps) => {
    const noteInstall = createInstallNotes(deps);
    return [
      ...releaseUploadRoutes,
      ...releaseRoutes,
      ...testGateRoutes,
      ...releaseStoryRoutes,
      ...inAppUpdateRoutes(noteInstall),
      ...installPageRoutes(noteInstall),
      ...privateUpdateRoutes(noteInstall),
      ...sentryUpdateRoutes,
      ...updateFeedRoutes,
      ...installCountRoutes,
      ...deviceRoutes,
      ...storeRoutes,
      ...appleMappingRoutes,
      ...retentionRoutes,
      ...releaseMailRoutes,
    ];
  },
  jobs: releaseJobs,
  extensions: [
    finders.add(releaseFinder),
    appOverviews.add(releaseOverview),
    appSummaries.add(releaseSummary),
    usageMeasures.add(...releaseMeasures),
    serviceConnections.add(storeConnections),
    releaseLookups.add(findReleaseByVersion),
  ],
  listeners: releaseListeners,
  scopes: [groupReleasesScope],
});
