import { defineDomain } from '../../domain.ts';
import { dataRequestJobs } from './data-requests.jobs.ts';
import { dataRequestRoutes } from './data-requests.routes.ts';
import { dataRequestsTables } from './data-requests.tables.ts';
import { senderRequestRoutes } from './sender-requests.routes.ts';

export const dataRequests = defineDomain({
  tables: dataRequestsTables,
  routes: [...dataRequestRoutes, ...senderRequestRoutes],
  jobs: dataRequestJobs,
});
