export { highestPermission, listAppUsers, raiseAppPermission, setAppPermission } from './app-users.ts';
export { appRoutes, appToWire } from './apps.routes.ts';
export {
  type App,
  type AppGrant,
  type AppRef,
  appSubject,
  createApp,
  findAppGrant,
  getApp,
  getAppRef,
  listApps,
  type NewApp,
} from './apps.ts';
