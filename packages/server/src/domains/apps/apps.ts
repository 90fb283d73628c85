import { randomUUID } from 'node:crypto';
import { type AppOs, type AppPermission, type AppPlatform, isRoleAtLeast, platformsOf } from '@mooring/contract';
import type { Actor, AppCtx, Ctx, Deps, OrgCtx, UserCtx } from '../../context.ts';
import { claim } from '../../db/claim.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { publish } from '../../jobs/index.ts';
import { badRequest, conflict, forbidden, notFound } from '../../kernel/errors.ts';
import { nameFrom, refuseDots } from '../../kernel/names.ts';
import { searchKey } from '../../kernel/search-key.ts';
import { createOrg, findOrgGrant, findPerson, getMember, type Org } from '../accounts/index.ts';
import { auditFields, record } from '../audit/index.ts';
import { discardAvatar } from '../avatars/index.ts';
import { settleIcon } from './app-icons.ts';
import { appCreated, appTransferred } from './apps.events.ts';
import {
  deleteAppRow,
  deleteFromForeignTeams,
  findApp,
  findAppForUser,
  findAppOfOwner,
  findDirectMember,
  insertApp,
  listVisibleApps,
  listVisibleAppsOfOwner,
  saveAppMember,
  updateAppRow,
} from './apps.store.ts';
import { permissionOf, toPermission } from './permissions.ts';

export type AppRef = AppCtx['app'];

export interface App {
  id: string;
  name: string;
  displayName: string;
  description: string | undefined;
  os: AppOs;
  platform: AppPlatform;
  releaseType: string | undefined;
  iconUrl: string | undefined;
  secret: string;
  createdAt: number;
  updatedAt: number;
  owner: {
    id: string;
    kind: 'user' | 'org';
    name: string;
    displayName: string;
    avatarUrl: string | undefined;
    email: string | undefined;
  };
  /** The subscription that it was linked to first. */
  subscription: { id: string; tenantId: string; name: string } | undefined;
  /** What whoever asked may do. */
  permission: AppPermission | undefined;
}

type AppRow = NonNullable<Awaited<ReturnType<typeof findApp.first>>>;

export const toApp = (row: AppRow, permission: AppPermission | undefined): App => ({
  id: row.id,
  name: row.name,
  displayName: row.display_name,
  description: row.description ?? undefined,
  os: row.os as AppOs,
  platform: row.platform as AppPlatform,
  releaseType: row.release_type ?? undefined,
  iconUrl: row.icon_url ?? undefined,
  secret: row.app_secret,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  owner: {
    id: row.owner_id,
    kind: row.owner_kind,
    name: row.owner_name,
    displayName: row.owner_display_name,
    avatarUrl: row.owner_avatar_url ?? undefined,
    email: row.owner_email ?? undefined,
  },
  subscription:
    row.subscription_id === null
      ? undefined
      : { id: row.subscription_id, tenantId: row.subscription_tenant_id ?? '', name: row.subscription_name ?? '' },
  permission,
});

export interface AppGrant {
  app: AppRef;
  permission: AppPermission;
}

/** What an actor may do to the app at an address; nothing when they may not even see it. */
export async function findAppGrant(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  ownerName: string,
  appName: string,
): Promise<AppGrant | undefined> {
  const row = await findAppForUser.first(db, {
    ownerKey: ownerName.toLowerCase(),
    nameKey: appName.toLowerCase(),
    userId: actor.kind === 'user' ? actor.user.id : '',
  });
  const permission = row && permissionOf(actor, row);
  return (
    permission && { app: { id: row.id, ownerId: row.owner_id, ownerName: row.owner_name, name: row.name }, permission }
  );
}

export const appSubject = (app: AppRef) =>
  ({ kind: 'app', id: app.id, name: `${app.ownerName}/${app.name}`, appId: app.id, orgId: app.ownerId }) as const;

export interface ListOptions {
  orderBy?: 'display_name' | 'name';
  limit?: number;
  offset?: number;
}

/** Existing clients read the list whole, so it is whole unless they ask for less. */
const EVERYTHING = 1_000_000_000;

const page = ({ limit = EVERYTHING, offset = 0 }: ListOptions) => ({ limit, offset });
const DEFAULT_ORDER = 'display_name';

export async function listApps(ctx: UserCtx, options: ListOptions): Promise<App[]> {
  const statement = listVisibleApps[options.orderBy ?? DEFAULT_ORDER];
  const rows = await statement.all(ctx.db, { userId: ctx.actor.user.id, ...page(options) });
  return rows.map((row) => toApp(row, permissionOf(ctx.actor, row)));
}

export async function listAppsOfOrg(ctx: OrgCtx, options: ListOptions): Promise<App[]> {
  const statement = listVisibleAppsOfOwner[options.orderBy ?? DEFAULT_ORDER];
  const rows = await statement.all(ctx.db, { userId: ctx.actor.user.id, ownerId: ctx.org.id, ...page(options) });
  return rows.map((row) => toApp(row, permissionOf(ctx.actor, row)));
}

export async function listAppsOfMember(ctx: OrgCtx, userName: string): Promise<App[]> {
  const { userId } = await getMember(ctx, userName);
  const rows = await listVisibleAppsOfOwner[DEFAULT_ORDER].all(ctx.db, { userId, ownerId: ctx.org.id, ...page({}) });
  return rows.map((row) => toApp(row, toPermission(row.rank)));
}

export async function getApp(ctx: Pick<AppCtx, 'db' | 'app' | 'permission'>): Promise<App> {
  const row = await findApp.first(ctx.db, { id: ctx.app.id });
  if (!row) throw notFound('app', `${ctx.app.ownerName}/${ctx.app.name}`);
  return toApp(row, ctx.permission);
}

/** The app where the request found it; until the transaction ends nobody else changes it, its managers or its owner. */
export async function lockApp(ctx: Pick<AppCtx, 'db' | 'app' | 'permission'>): Promise<App> {
  await lock(ctx, 'apps', ctx.app.id);
  const app = await getApp(ctx);
  if (app.owner.id !== ctx.app.ownerId) throw notFound('app', `${ctx.app.ownerName}/${ctx.app.name}`);
  return app;
}

/** An app by its id, for whoever was given the id. */
export async function getAppRef(ctx: Pick<Ctx, 'db'>, id: string): Promise<AppRef> {
  const row = await findApp.first(ctx.db, { id });
  if (!row) throw notFound('app');
  return { id: row.id, ownerId: row.owner_id, ownerName: row.owner_name, name: row.name };
}

/** Owner whose share of queues and pools work for an app uses. */
export const findWorkOwner = async (ctx: Pick<Ctx, 'db'>, appId: string): Promise<string> =>
  (await findApp.first(ctx.db, { id: appId }))?.owner_id ?? appId;

export interface NewApp {
  displayName: string;
  name?: string;
  description?: string;
  releaseType?: string;
  os: AppOs;
  platform: AppPlatform;
}

interface Owner {
  id: string;
  name: string;
}

export const createApp = (ctx: UserCtx, input: NewApp): Promise<App> => addApp(ctx, ctx.actor.user, input);

export const createAppForOrg = (ctx: OrgCtx, input: NewApp): Promise<App> => addApp(ctx, ctx.org, input);

function refuseStrangePair(os: AppOs, platform: AppPlatform): void {
  const legal: readonly string[] = platformsOf[os];
  if (!legal.includes(platform)) {
    throw badRequest(`An app for ${os} cannot be made with ${platform}; choose one of ${legal.join(', ')}.`);
  }
}

/** Whoever creates an app is its manager. */
async function addApp(ctx: UserCtx, owner: Owner, input: NewApp): Promise<App> {
  refuseStrangePair(input.os, input.platform);
  refuseDots(input.name);
  return tx(ctx, async (ctx) => {
    const id = ctx.newId();
    const now = ctx.clock.now();
    const insert = (name: string) =>
      insertApp.first(ctx.db, {
        id,
        owner_id: owner.id,
        name,
        name_key: name.toLowerCase(),
        display_name: input.displayName,
        display_name_key: searchKey(input.displayName),
        description: input.description || null,
        os: input.os,
        platform: input.platform,
        release_type: input.releaseType || null,
        icon_url: null,
        app_secret: randomUUID(),
        created_at: now,
        updated_at: now,
      });
    let name: string | undefined;
    for (const candidate of input.name === undefined ? nameFrom(input.displayName) : [input.name]) {
      if (!(await insert(candidate))) continue;
      name = candidate;
      break;
    }
    if (name === undefined) throw takenName(owner.name, input.name ?? input.displayName);
    await saveAppMember.run(ctx.db, { app_id: id, user_id: ctx.actor.user.id, permission: 'manager' });
    await publish(ctx, appCreated, { appId: id });
    const app = { id, ownerId: owner.id, ownerName: owner.name, name };
    await record(ctx, 'app.create', appSubject(app), { after: { os: input.os, platform: input.platform } });
    return getApp({ ...ctx, app, permission: 'manager' });
  });
}

const takenName = (ownerName: string, name: string) => conflict(`${ownerName} has an app named "${name}" already.`);

export interface AppChange {
  name?: string;
  displayName?: string;
  description?: string;
  releaseType?: string;
  iconUrl?: string;
}

const audited = auditFields('name', 'displayName', 'description', 'releaseType', 'iconUrl');

export const updateApp = (ctx: AppCtx, change: AppChange): Promise<App> => {
  refuseDots(change.name);
  return tx(ctx, async (ctx) => {
    const before = await lockApp(ctx);
    const settled = (wanted: string | undefined, was: string | undefined) =>
      wanted === undefined ? was : wanted || undefined;
    const after: App = {
      ...before,
      name: change.name ?? before.name,
      displayName: change.displayName ?? before.displayName,
      description: settled(change.description, before.description),
      releaseType: settled(change.releaseType, before.releaseType),
      iconUrl: await settleIcon(ctx, change.iconUrl, before.iconUrl),
      updatedAt: ctx.clock.now(),
    };
    await refuseTaken(ctx, before, after);
    await save(ctx, before, after);
    await record(ctx, 'app.update', appSubject(ctx.app), { before: audited(before), after: audited(after) });
    return after;
  });
};

async function refuseTaken(ctx: Ctx, before: App, after: App): Promise<void> {
  const other = await findAppOfOwner.first(ctx.db, { ownerId: after.owner.id, nameKey: after.name.toLowerCase() });
  if (other && other.id !== before.id) throw takenName(after.owner.name, after.name);
}

const appName = { table: 'apps', columns: ['owner_id', 'name_key'] };

/** Owner and name are only written when they change: they decide what everybody may do, which would be looked up anew. */
async function save(ctx: Ctx, before: App, app: App): Promise<void> {
  const isMoved = app.owner.id !== before.owner.id || app.name !== before.name;
  const row = {
    id: app.id,
    ...(isMoved ? { owner_id: app.owner.id, name: app.name, name_key: app.name.toLowerCase() } : {}),
    display_name: app.displayName,
    display_name_key: searchKey(app.displayName),
    description: app.description ?? null,
    release_type: app.releaseType ?? null,
    updated_at: app.updatedAt,
  };
  await claim(appName, takenName(app.owner.name, app.name), updateAppRow.run(ctx.db, row));
}

export const deleteApp = (ctx: AppCtx): Promise<void> =>
  tx(ctx, async (ctx) => {
    await discardAvatar(ctx, (await deleteAppRow.first(ctx.db, { id: ctx.app.id }))?.icon_url);
    await record(ctx, 'app.delete', appSubject(ctx.app), { before: { name: ctx.app.name } });
  });

/** The destination is an organization where the caller creates apps, or a user of the app. */
async function findDestination(ctx: UserCtx & AppCtx, name: string): Promise<Owner> {
  const granted = await findOrgGrant(ctx, ctx.actor, name);
  if (granted) {
    if (!isRoleAtLeast(granted.role, 'collaborator')) {
      throw forbidden(`This needs the role collaborator in ${granted.org.name}; you are ${granted.role}.`);
    }
    return granted.org;
  }
  const user = await findPerson(ctx, name);
  if (user && (await findDirectMember.first(ctx.db, { appId: ctx.app.id, userId: user.id }))) return user;
  throw notFound('organization of yours or user of the app', name);
}

export const transferApp = (ctx: UserCtx & AppCtx, destination: string): Promise<App> =>
  tx(ctx, async (ctx) => {
    const app = await lockApp(ctx);
    return moveApp(ctx, app, await findDestination(ctx, destination));
  });

async function moveApp(ctx: UserCtx & AppCtx, before: App, to: Owner): Promise<App> {
  const after: App = { ...before, owner: { ...before.owner, id: to.id, name: to.name }, updatedAt: ctx.clock.now() };
  await refuseTaken(ctx, before, after);
  await save(ctx, before, after);
  await deleteFromForeignTeams.run(ctx.db, { appId: before.id, ownerId: to.id });
  if (to.id !== before.owner.id) await publish(ctx, appTransferred, { appId: before.id, ownerId: to.id });
  await saveAppMember.run(ctx.db, { app_id: before.id, user_id: ctx.actor.user.id, permission: 'manager' });
  const moved = await getApp(ctx);
  if (moved.owner.kind === 'user') {
    await saveAppMember.run(ctx.db, { app_id: before.id, user_id: to.id, permission: 'manager' });
  }
  const subject = appSubject({ ...ctx.app, ownerId: to.id, ownerName: to.name });
  await record(ctx, 'app.transfer', subject, { before: { owner: before.owner.name }, after: { owner: to.name } });
  return moved;
}

/** Makes an organization named after the app, with the caller as its admin, and gives it the app. */
export const transferAppToNewOrg = (ctx: UserCtx & AppCtx): Promise<Org> =>
  tx(ctx, async (ctx) => {
    const app = await lockApp(ctx);
    const org = await createOrg(ctx, { displayName: app.displayName });
    await moveApp(ctx, app, org);
    return org;
  });
