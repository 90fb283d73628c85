export { setAppPermission } from './app-users.ts';
export { appRoutes } from './apps.routes.ts';
export {
  type App,
  type AppGrant,
  type AppRef,
  appSubject,
  createApp,
  findAppGrant,
  getApp,
  type NewApp,
} from './apps.ts';
