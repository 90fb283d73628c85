import { defineDomain } from '../../domain.ts';
import { alertGauges } from '../../extensions/alert-gauges.ts';
import { appOverviews } from '../../extensions/app-overviews.ts';
import { configurationRoutes } from './configurations.routes.ts';
import { exportOverview } from './export-overview.ts';
import { exportJobs } from './exports.jobs.ts';
import { exportListeners } from './exports.listeners.ts';
import { exportsSettings } from './exports.settings.ts';
import { exportsTables } from './exports.tables.ts';
import { exportGauges } from './gauges.ts';
import { historyRoutes } from './history.routes.ts';

export const exports = defineDomain({
  settings: exportsSettings,
  tables: exportsTables,
  jobs: exportJobs,
  extensions: [appOverviews.add(exportOverview), alertGauges.add(...exportGauges)],
  listeners: exportListeners,
  routes: [...configurationRoutes, ...historyRoutes],
});
