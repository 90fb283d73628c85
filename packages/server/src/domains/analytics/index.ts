import { defineDomain } from '../../domain.ts';
import { analyticsJobs } from './analytics.jobs.ts';
import { analyticsTables } from './analytics.tables.ts';

export const analytics = defineDomain({
  tables: analyticsTables,
  jobs: analyticsJobs,
});
