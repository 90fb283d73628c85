import { defineDomain } from '../../domain.ts';
import { usageRoutes } from './usage.routes.ts';
import { usageTables } from './usage.tables.ts';

export { summed } from './measures.ts';
export { refuseOverQuota, storageLeft } from './quotas.ts';

export const usage = defineDomain({ tables: usageTables, routes: usageRoutes });
