export { setAppPermission } from './app-users.ts';
export { appRoutes } from './apps.routes.ts';
export {
  type App,
  type AppGrant,
  type AppRef,
  appSubject,
  createApp,
  createAppForOrg,
  findAppGrant,
  getApp,
  type NewApp,
} from './apps.ts';
export { teamRoutes } from './teams.routes.ts';
export { addTeamApp, addTeamUser, createTeam, type Team } from './teams.ts';
