export { type AppGrant, type AppRef, createApp, findAppGrant, setAppPermission } from './apps.ts';
