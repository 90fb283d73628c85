import { defineDomain } from '../../domain.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { storyParts } from '../../extensions/story-parts.ts';
import { usageMeasures } from '../../extensions/usage-measures.ts';
import { testJobs } from './device-tests.jobs.ts';
import { testListeners } from './device-tests.listeners.ts';
import { deviceTestsSettings } from './device-tests.settings.ts';
import { deviceTestsTables } from './device-tests.tables.ts';
import { deviceRoutes } from './devices/devices.routes.ts';
import { testExportRoutes } from './exports.routes.ts';
import { testFileRoutes } from './files/test-files.routes.ts';
import { testMeasures } from './measures.ts';
import { testReportRoutes } from './results/reports.routes.ts';
import { runOverview } from './runs/run-overview.ts';
import { testRunRoutes } from './runs/test-runs.routes.ts';
import { testStory } from './runs/test-story.ts';
import { testSeriesRoutes } from './series/test-series.routes.ts';

export const deviceTests = defineDomain({
  settings: deviceTestsSettings,
  tables: deviceTestsTables,
  jobs: testJobs,
  listeners: testListeners,
  extensions: [appOverviews.add(runOverview), usageMeasures.add(...testMeasures), storyParts.add(testStory)],
  routes: [
    ...testRunRoutes,
    ...testFileRoutes,
    ...testReportRoutes,
    ...testSeriesRoutes,
    ...deviceRoutes,
    ...testExportRoutes,
  ],
});
