import { defineDomain } from '../../domain.ts';
import { finders } from '../../extensions/finders.ts';
import { ownerAppsScope } from './access/owner-apps.scope.ts';
import { appScope } from './app.scope.ts';
import { appFinder } from './app-finder.ts';
import { appEvents } from './apps.events.ts';
import { appListeners } from './apps.listeners.ts';
import { appRoutes } from './apps.routes.ts';
import { appsTables } from './apps.tables.ts';
import { appFavoriteRoutes } from './favorites/app-favorites.routes.ts';
import { appOverviewRoutes } from './overview/app-overview.routes.ts';
import { appSecretScope } from './secrets/app-secret.scope.ts';
import { appSecretRoutes } from './secrets/app-secrets.routes.ts';
import { appSummaryRoutes } from './summaries/app-summaries.routes.ts';
import { teamRoutes } from './teams/teams.routes.ts';

export {
  findAppUser,
  findAppUserByEmail,
  findUserPermission,
  hasAppAccess,
  listAppUsers,
  raiseAppPermission,
  removeAppUser,
  setAppPermission,
} from './access/app-users.ts';
export type { OwnerAppsCtx } from './access/owner-apps.scope.ts';
export { highest } from './access/permissions.ts';
export { searchNewest } from './access/readers.ts';
export { adoptIcon, hasIcon } from './app-icons.ts';
export { appSubject } from './app-subject.ts';
export { appAccessLowered, appCreated, appTransferred, appUserRemoved } from './apps.events.ts';
export { appToWire } from './apps.routes.ts';
export {
  type App,
  type AppGrant,
  type AppRef,
  createApp,
  createAppForOrg,
  findAppGrant,
  findAppRef,
  findWorkOwner,
  getApp,
  getAppRef,
  listApps,
  listOrgApps,
  lockApp,
  lockApps,
  lockOwnedApp,
  type NewApp,
} from './apps.ts';
export { checkImportedTime } from './imported-times.ts';
export type { AppSecretCtx } from './secrets/app-secret.scope.ts';
export { findAppWithSecret } from './secrets/app-secrets.ts';
export {
  changeTeamPeople,
  listTeamsPeople,
  removeTeam,
  renameTeam,
  type TeamPerson,
} from './teams/directory-teams.ts';
export { addTeamApp, addTeamUser, createTeam, getTeam, removeTeamUser, type Team } from './teams/teams.ts';

export const apps = defineDomain({
  tables: appsTables,
  events: appEvents,
  routes: [
    ...appRoutes,
    ...appFavoriteRoutes,
    ...appOverviewRoutes,
    ...appSecretRoutes,
    ...appSummaryRoutes,
    ...teamRoutes,
  ],
  listeners: appListeners,
  scopes: (deps) => [appScope, ownerAppsScope, appSecretScope(deps)],
  extensions: [finders.add(appFinder)],
});
