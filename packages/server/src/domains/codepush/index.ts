import { defineDomain } from '../../domain.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { storyParts } from '../../extensions/story-parts.ts';
import { usageMeasures } from '../../extensions/usage-measures.ts';
import { codepushSurface } from './codepush.family.ts';
import { codepushJobs } from './codepush.jobs.ts';
import { codepushRoutes } from './codepush.routes.ts';
import { codepushSettings } from './codepush.settings.ts';
import { codepushTables } from './codepush.tables.ts';
import { deploymentKeyScope } from './deployments/deployment-key.scope.ts';
import { codepushMeasures } from './measures.ts';
import { deploymentOverview } from './metrics/deployment-overview.ts';
import { acquisitionRoutes } from './updates/acquisition.routes.ts';
import { codepushStory } from './updates/codepush-story.ts';

export const codepush = defineDomain({
  settings: codepushSettings,
  tables: codepushTables,
  routes: (deps) => [...codepushRoutes, ...acquisitionRoutes(deps)],
  jobs: codepushJobs,
  extensions: [
    appOverviews.add(deploymentOverview),
    usageMeasures.add(...codepushMeasures),
    storyParts.add(codepushStory),
  ],
  scopes: [deploymentKeyScope],
  surfaces: () => [codepushSurface],
});
