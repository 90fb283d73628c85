import { defineDomain } from '../../domain.ts';
import { isDirectoryToken } from '../tokens/index.ts';
import { directoryScope } from './directory.scope.ts';
import { provisioningListeners } from './provisioning.listeners.ts';
import { provisioningRoutes } from './provisioning.routes.ts';
import { provisioningTables } from './provisioning.tables.ts';
import { scimRoutes } from './scim.routes.ts';
import { scimSurface } from './scim.surface.ts';
import { findDirectoryActor, writeLastUsed } from './tokens/scim-tokens.ts';

export const provisioning = defineDomain({
  tables: provisioningTables,
  routes: [...provisioningRoutes, ...scimRoutes],
  listeners: provisioningListeners,
  scopes: [directoryScope],
  surfaces: () => [scimSurface],
  credentials: (deps) => [
    {
      name: 'directory',
      sent: 'token',
      fits: isDirectoryToken,
      find: (value) => findDirectoryActor(deps, value),
      writeLastUse: (entries) => writeLastUsed(deps, entries),
    },
  ],
});
