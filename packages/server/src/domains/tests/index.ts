import { defineDomain } from '../../domain.ts';
import { deviceRoutes } from './devices.routes.ts';
import { testExportRoutes } from './exports.routes.ts';
import { testMeasures } from './measures.ts';
import { testReportRoutes } from './reports.routes.ts';
import { testFileRoutes } from './test-files.routes.ts';
import { testRunRoutes } from './test-runs.routes.ts';
import { testSeriesRoutes } from './test-series.routes.ts';
import { testJobs } from './tests.jobs.ts';
import { testListeners } from './tests.listeners.ts';
import { testsTables } from './tests.tables.ts';

export const tests = defineDomain({
  tables: testsTables,
  jobs: testJobs,
  listeners: testListeners,
  measures: testMeasures,
  routes: [
    ...testRunRoutes,
    ...testFileRoutes,
    ...testReportRoutes,
    ...testSeriesRoutes,
    ...deviceRoutes,
    ...testExportRoutes,
  ],
});
