import { defineDomain } from '../../domain.ts';
import { branchConfigurationRoutes } from './branch-configurations.routes.ts';
import { buildFinder } from './build-finder.ts';
import { buildGlance } from './build-glance.ts';
import { buildSettingsRoutes } from './build-settings.routes.ts';
import { buildJobs } from './builds.jobs.ts';
import { buildListeners } from './builds.listeners.ts';
import { buildRoutes } from './builds.routes.ts';
import { buildsTables } from './builds.tables.ts';
import { buildMeasures } from './measures.ts';
import { pushRoutes } from './pushes.routes.ts';
import { repositoryRoutes } from './repositories.routes.ts';

export const builds = defineDomain({
  tables: buildsTables,
  finders: [buildFinder],
  glances: [buildGlance],
  jobs: buildJobs,
  listeners: buildListeners,
  measures: buildMeasures,
  routes: [...buildRoutes, ...buildSettingsRoutes, ...branchConfigurationRoutes, ...repositoryRoutes, ...pushRoutes],
});
