import { defineDomain } from '../../domain.ts';
import { groupReleasesScope } from './group-releases.scope.ts';
import { inAppUpdateRoutes } from './in-app-updates.routes.ts';
import { releaseUploadRoutes } from './release-uploads.routes.ts';
import { releaseJobs } from './releases.jobs.ts';
import { releaseRoutes } from './releases.routes.ts';
import { releasesTables } from './releases.tables.ts';

export const releases = defineDomain({
  tables: releasesTables,
  routes: (deps) => [...releaseUploadRoutes, ...releaseRoutes, ...inAppUpdateRoutes(deps)],
  jobs: releaseJobs,
  scopes: [groupReleasesScope],
});
