import { defineDomain } from '../../domain.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { appSummaries } from '../../extensions/app-summaries.ts';
import { finders } from '../../extensions/finders.ts';
import { storyParts } from '../../extensions/story-parts.ts';
import { usageMeasures } from '../../extensions/usage-measures.ts';
import { buildFinder } from './build-finder.ts';
import { buildOverview, repositoryOverview } from './build-overview.ts';
import { buildStory } from './build-story.ts';
import { buildSummary } from './build-summary.ts';
import { buildJobs } from './builds.jobs.ts';
import { buildListeners } from './builds.listeners.ts';
import { buildRoutes } from './builds.routes.ts';
import { buildsSettings } from './builds.settings.ts';
import { buildsTables } from './builds.tables.ts';
import { branchConfigurationRoutes } from './configurations/branch-configurations.routes.ts';
import { buildSettingsRoutes } from './configurations/build-settings.routes.ts';
import { buildMeasures } from './measures.ts';
import { pushRoutes } from './pushes/pushes.routes.ts';
import { repositoryRoutes } from './repositories/repositories.routes.ts';

export const builds = defineDomain({
  settings: buildsSettings,
  tables: buildsTables,
  extensions: [
    finders.add(buildFinder),
    appOverviews.add(buildOverview, repositoryOverview),
    appSummaries.add(buildSummary),
    usageMeasures.add(...buildMeasures),
    storyParts.add(buildStory),
  ],
  jobs: buildJobs,
  listeners: buildListeners,
  routes: [...buildRoutes, ...buildSettingsRoutes, ...branchConfigurationRoutes, ...repositoryRoutes, ...pushRoutes],
});
