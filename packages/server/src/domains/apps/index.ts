import { defineDomain } from '../../domain.ts';
import { appScope } from './app.scope.ts';
import { appFinder } from './app-finder.ts';
import { appSecretScope } from './app-secret.scope.ts';
import { appSecretRoutes } from './app-secrets.routes.ts';
import { appEvents } from './apps.events.ts';
import { appListeners } from './apps.listeners.ts';
import { appRoutes } from './apps.routes.ts';
import { appsTables } from './apps.tables.ts';
import { glanceRoutes } from './glances.routes.ts';
import { teamRoutes } from './teams.routes.ts';

export type { AppSecretCtx } from './app-secret.scope.ts';
export { findAppWithSecret } from './app-secrets.ts';
export { findUserPermission, listAppUsers, raiseAppPermission, setAppPermission } from './app-users.ts';
export { appAccessLowered, appCreated, appTransferred, appUserRemoved } from './apps.events.ts';
export { appToWire } from './apps.routes.ts';
export {
  type App,
  type AppGrant,
  type AppRef,
  appSubject,
  createApp,
  createAppForOrg,
  findAppGrant,
  findWorkOwner,
  getApp,
  getAppRef,
  listApps,
  listAppsOfOrg,
  lockApp,
  type NewApp,
} from './apps.ts';
export { checkImportedTime } from './imported-times.ts';
export { highest } from './permissions.ts';
export { searchNewest } from './readers.ts';
export { addTeamApp, addTeamUser, createTeam, type Team } from './teams.ts';

export const apps = defineDomain({
  tables: appsTables,
  events: appEvents,
  routes: [...appRoutes, ...appSecretRoutes, ...glanceRoutes, ...teamRoutes],
  listeners: appListeners,
  scopes: (deps) => [appScope, appSecretScope(deps)],
  finders: [appFinder],
});
