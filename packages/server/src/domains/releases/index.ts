import { defineDomain } from '../../domain.ts';
import { deviceRoutes } from './devices.routes.ts';
import { groupReleasesScope } from './group-releases.scope.ts';
import { inAppUpdateRoutes } from './in-app-updates.routes.ts';
import { installCountRoutes } from './install-counts.routes.ts';
import { installPageRoutes } from './install-pages.routes.ts';
import { releaseMeasures } from './measures.ts';
import { privateUpdateRoutes } from './private-updates.routes.ts';
import { releaseMailRoutes } from './release-mails.routes.ts';
import { releaseUploadRoutes } from './release-uploads.routes.ts';
import { releaseJobs } from './releases.jobs.ts';
import { releaseListeners } from './releases.listeners.ts';
import { releaseRoutes } from './releases.routes.ts';
import { releasesTables } from './releases.tables.ts';
import { retentionRoutes } from './retention.routes.ts';
import { storeRoutes } from './stores.routes.ts';
import { storeConnections } from './stores.ts';
import { updateFeedRoutes } from './update-feeds.routes.ts';

export const releases = defineDomain({
  tables: releasesTables,
  routes: (deps) => [
    ...releaseUploadRoutes,
    ...releaseRoutes,
    ...inAppUpdateRoutes(deps),
    ...installPageRoutes,
    ...privateUpdateRoutes,
    ...updateFeedRoutes,
    ...installCountRoutes,
    ...deviceRoutes,
    ...storeRoutes,
    ...retentionRoutes,
    ...releaseMailRoutes,
  ],
  jobs: releaseJobs,
  measures: releaseMeasures,
  connections: storeConnections,
  listeners: releaseListeners,
  scopes: [groupReleasesScope],
});
