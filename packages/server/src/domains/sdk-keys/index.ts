import { defineDomain } from '../../domain.ts';
import { sdkKeyScope } from './sdk-key.scope.ts';
import { sdkKeyListeners } from './sdk-keys.listeners.ts';
import { sdkKeyRoutes } from './sdk-keys.routes.ts';
import { sdkKeysTables } from './sdk-keys.tables.ts';

export type { SdkKeyCtx } from './sdk-key.scope.ts';

export const sdkKeys = defineDomain({
  tables: sdkKeysTables,
  routes: sdkKeyRoutes,
  listeners: sdkKeyListeners,
  scopes: (deps) => [sdkKeyScope(deps)],
});
