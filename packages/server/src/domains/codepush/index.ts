import { defineDomain } from '../../domain.ts';
import { codepushFamily } from './codepush.family.ts';
import { codepushJobs } from './codepush.jobs.ts';
import { codepushRoutes } from './codepush.routes.ts';
import { codepushTables } from './codepush.tables.ts';
import { deploymentKeyScope } from './deployments/deployment-key.scope.ts';
import { codepushMeasures } from './measures.ts';
import { acquisitionRoutes } from './updates/acquisition.routes.ts';

export const codepush = defineDomain({
  tables: codepushTables,
  routes: (deps) => [...codepushRoutes, ...acquisitionRoutes(deps)],
  jobs: codepushJobs,
  measures: codepushMeasures,
  scopes: [deploymentKeyScope],
  families: () => [codepushFamily],
});
