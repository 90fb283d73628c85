import { defineDomain } from '../../domain.ts';
import { dataRequestJobs } from './data-requests.jobs.ts';
import { dataRequestRoutes } from './data-requests.routes.ts';
import { dataRequestsSettings } from './data-requests.settings.ts';
import { dataRequestsTables } from './data-requests.tables.ts';
import { subjectRequestRoutes } from './subject-requests.routes.ts';

export const dataRequests = defineDomain({
  settings: dataRequestsSettings,
  tables: dataRequestsTables,
  routes: [...dataRequestRoutes, ...subjectRequestRoutes],
  jobs: dataRequestJobs,
});
