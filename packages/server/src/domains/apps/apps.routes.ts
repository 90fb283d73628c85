import {
  apps_create,
  apps_createForOrg,
  apps_delete,
  apps_deleteAvatar,
  apps_get,
  apps_getForOrgUser,
  apps_list,
  apps_listAccess,
  apps_listForOrg,
  apps_removeUser,
  apps_transferOwnership,
  apps_transferToOrg,
  apps_update,
  apps_updateAvatar,
  apps_updateUserPermissions,
  atLeast,
  type EndpointInput,
  userApps_list,
  users_list,
} from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { readBytes } from '../../http/kinds/incoming-file.ts';
import { route } from '../../http/mount.ts';
import { pageToWire } from '../../http/responses/pages.ts';
import { toIso } from '../../kernel/clock.ts';
import { orgToWire, personToWire } from '../accounts/index.ts';
import { avatarSource, shownAvatar } from '../avatars/index.ts';
import { type AppAccess, listAppAccess } from './access/app-access.ts';
import { listAppUsers, removeAppUser, updateAppUser } from './access/app-users.ts';
import { deleteAppAvatar, setAppAvatar } from './app-avatars.ts';
import { type ListedApp, searchApps } from './app-list.ts';
import {
  type App,
  createApp,
  createAppForOrg,
  deleteApp,
  getApp,
  type ListOptions,
  listApps,
  listMemberApps,
  listOrgApps,
  type NewApp,
  transferApp,
  transferAppToNewOrg,
  updateApp,
} from './apps.ts';

/** Testers only install the app; from viewer on, users see the secret that SDKs send. */
const seesSecret = ({ permission }: App): boolean => permission !== undefined && atLeast(permission, 'viewer');

export const appToWire = (ctx: Pick<Ctx, 'origin' | 'publicUrl'>, app: App) => ({
  id: app.id,
  description: app.description,
  display_name: app.displayName,
  release_type: app.releaseType,
  icon_url: shownAvatar(ctx, app.iconUrl),
  icon_source: avatarSource(app.iconUrl),
  name: app.name,
  os: app.os,
  owner: {
    id: app.owner.id,
    avatar_url: shownAvatar(ctx, app.owner.avatarUrl),
    display_name: app.owner.displayName,
    email: app.owner.email,
    name: app.owner.name,
    type: app.owner.kind,
  },
  app_secret: seesSecret(app) ? app.secret : '',
  azure_subscription: app.subscription && {
    subscription_id: app.subscription.id,
    tenant_id: app.subscription.tenantId,
    subscription_name: app.subscription.name,
  },
  platform: app.platform,
  origin: 'appcenter' as const,
  created_at: toIso(app.createdAt),
  updated_at: toIso(app.updatedAt),
  member_permissions: app.permission ? [app.permission] : undefined,
});

const listedToWire = (ctx: Pick<Ctx, 'origin' | 'publicUrl'>, app: ListedApp) => ({
  id: app.id,
  name: app.name,
  display_name: app.displayName,
  os: app.os,
  platform: app.platform,
  release_type: app.releaseType,
  icon_url: shownAvatar(ctx, app.iconUrl),
  owner: {
    name: app.owner.name,
    display_name: app.owner.displayName,
    type: app.owner.kind,
    avatar_url: shownAvatar(ctx, app.owner.avatarUrl),
  },
  permission: app.permission,
  created_at: toIso(app.createdAt),
  updated_at: toIso(app.updatedAt),
});

const accessToWire = ({ user, permission, isOwner, via }: AppAccess) => ({
  id: user.id,
  name: user.name,
  display_name: user.displayName,
  email: user.email,
  avatar_url: user.avatarUrl,
  permission,
  is_owner: isOwner,
  via: via.map(({ displayName, ...way }) => ({ ...way, display_name: displayName })),
});

const newAppFrom = ({ display_name, release_type, ...rest }: EndpointInput<typeof apps_create>['body']): NewApp => ({
  ...rest,
  displayName: display_name,
  releaseType: release_type,
});

const optionsFrom = ({ $orderBy, $top, $skip }: EndpointInput<typeof apps_list>['query']): ListOptions => ({
  orderBy: $orderBy,
  limit: $top,
  offset: $skip,
});

export const appRoutes = [
  route(apps_list, async (ctx, { query }) =>
    (await listApps(ctx, optionsFrom(query))).map((app) => appToWire(ctx, app)),
  ),
  route(userApps_list, async (ctx, { query }) =>
    pageToWire(await searchApps(ctx, query), (app) => listedToWire(ctx, app)),
  ),
  route(apps_create, async (ctx, { body }) => appToWire(ctx, await createApp(ctx, newAppFrom(body)))),
  route(apps_listForOrg, async (ctx, { query }) =>
    (await listOrgApps(ctx, optionsFrom(query))).map((app) => appToWire(ctx, app)),
  ),
  route(apps_createForOrg, async (ctx, { body }) => appToWire(ctx, await createAppForOrg(ctx, newAppFrom(body)))),
  route(apps_getForOrgUser, async (ctx, { params }) =>
    (await listMemberApps(ctx, params.user_name)).map((app) => appToWire(ctx, app)),
  ),
  route(apps_get, async (ctx) => appToWire(ctx, await getApp(ctx))),
  route(apps_update, async (ctx, { body: { display_name, release_type, icon_url, ...rest } }) =>
    appToWire(
      ctx,
      await updateApp(ctx, { ...rest, displayName: display_name, releaseType: release_type, iconUrl: icon_url }),
    ),
  ),
  route(apps_delete, (ctx) => deleteApp(ctx)),
  route(apps_updateAvatar, async (ctx, { file }) => {
    const image = { type: file.type, bytes: await readBytes(file) };
    return appToWire(ctx, await setAppAvatar(ctx, image));
  }),
  route(apps_deleteAvatar, async (ctx) => appToWire(ctx, await deleteAppAvatar(ctx))),
  route(apps_transferOwnership, async (ctx, { params }) =>
    appToWire(ctx, await transferApp(ctx, params.destination_owner_name)),
  ),
  route(apps_transferToOrg, async (ctx) => orgToWire(ctx, await transferAppToNewOrg(ctx))),
  route(users_list, async (ctx) =>
    (await listAppUsers(ctx)).map(({ user, permission }) => ({ ...personToWire(user), permissions: [permission] })),
  ),
  route(apps_listAccess, async (ctx, { query }) => pageToWire(await listAppAccess(ctx, query), accessToWire)),
  route(apps_removeUser, (ctx, { params, query }) =>
    removeAppUser(ctx, params.user_email, { keepsTokens: query.keep_tokens }),
  ),
  route(apps_updateUserPermissions, (ctx, { params, body }) => updateAppUser(ctx, params.user_email, body.permissions)),
];
