export { listAppUsers, raiseAppPermission, setAppPermission } from './app-users.ts';
export { appRoutes, appToWire } from './apps.routes.ts';
export {
  type App,
  type AppGrant,
  type AppRef,
  appSubject,
  createApp,
  createAppForOrg,
  findAppGrant,
  getApp,
  getAppRef,
  listApps,
  listAppsOfOrg,
  type NewApp,
} from './apps.ts';
export { highest } from './permissions.ts';
export { teamRoutes } from './teams.routes.ts';
export { addTeamApp, addTeamUser, createTeam, type Team } from './teams.ts';
