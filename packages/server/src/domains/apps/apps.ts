import { randomUUID } from 'node:crypto';
import { type AppOs, type AppPermission, type AppPlatform, isRoleAtLeast, platformsByOs } from '@mooring/contract';
import type { Actor, AppCtx, Ctx, Deps, OrgCtx, UserCtx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { claim } from '../../db/rows/claim.ts';
import { tx } from '../../db/tx.ts';
import { publish } from '../../jobs/index.ts';
import { badRequest, conflict, Failure, forbidden, notFound } from '../../kernel/errors.ts';
import { nameFrom, refuseDots } from '../../kernel/text/names.ts';
import { searchKey } from '../../kernel/text/search-key.ts';
import { createOrg, findOrgGrant, findPerson, getMember, type Org } from '../accounts/index.ts';
import { auditFields, record } from '../audit/index.ts';
import { discardAvatar } from '../avatars/index.ts';
import { getEffectivePermission, toPermission } from './access/permissions.ts';
import { resolveIcon } from './app-icons.ts';
import { appSubject } from './app-subject.ts';
import { appCreated, appTransferred } from './apps.events.ts';
import {
  deleteAppRow,
  deleteFromForeignTeams,
  findApp,
  findAppForUser,
  findDirectMember,
  findOwnerApp,
  insertApp,
  listVisibleApps,
  listVisibleOwnerApps,
  lockAppRows,
  lockOwnedAppRow,
  saveAppMember,
  updateAppRow,
} from './apps.store.ts';

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
  /** The first linked subscription. */
  subscription: { id: string; tenantId: string; name: string } | undefined;
  /** The caller's permission. */
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

/** The permission of an actor on the app at a path; undefined if they can't see it. */
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
  const permission = row && getEffectivePermission(actor, row);
  return (
    permission && { app: { id: row.id, ownerId: row.owner_id, ownerName: row.owner_name, name: row.name }, permission }
  );
}

export interface ListOptions {
  orderBy?: 'display_name' | 'name';
  limit?: number;
  offset?: number;
}

/** Existing clients expect the whole list, so there is no default limit. */
const NO_LIMIT = 1_000_000_000;

const page = ({ limit = NO_LIMIT, offset = 0 }: ListOptions) => ({ limit, offset });
const DEFAULT_ORDER = 'display_name';

export async function listApps(ctx: UserCtx, options: ListOptions): Promise<App[]> {
  const statement = listVisibleApps[options.orderBy ?? DEFAULT_ORDER];
  const rows = await statement.all(ctx.db, { userId: ctx.actor.user.id, ...page(options) });
  return rows.map((row) => toApp(row, getEffectivePermission(ctx.actor, row)));
}

export async function listOrgApps(ctx: OrgCtx, options: ListOptions): Promise<App[]> {
  const statement = listVisibleOwnerApps[options.orderBy ?? DEFAULT_ORDER];
  const rows = await statement.all(ctx.db, { userId: ctx.actor.user.id, ownerId: ctx.org.id, ...page(options) });
  return rows.map((row) => toApp(row, getEffectivePermission(ctx.actor, row)));
}

export async function listMemberApps(ctx: OrgCtx, userName: string): Promise<App[]> {
  const { userId } = await getMember(ctx, userName);
  const rows = await listVisibleOwnerApps[DEFAULT_ORDER].all(ctx.db, { userId, ownerId: ctx.org.id, ...page({}) });
  return rows.map((row) => toApp(row, toPermission(row.rank)));
}

export async function getApp(ctx: Pick<AppCtx, 'db' | 'app' | 'permission'>): Promise<App> {
  const row = await findApp.first(ctx.db, { id: ctx.app.id });
  if (!row) throw notFound('app', `${ctx.app.ownerName}/${ctx.app.name}`);
  return toApp(row, ctx.permission);
}

/**
 * Locks the app, its managers and its owner until the transaction ends. Fails if it was transferred since the request began.
 */
export async function lockApp(ctx: Pick<AppCtx, 'db' | 'app' | 'permission'>): Promise<App> {
  await lock(ctx, 'apps', ctx.app.id);
  const app = await getApp(ctx);
  if (app.owner.id !== ctx.app.ownerId) throw notFound('app', `${ctx.app.ownerName}/${ctx.app.name}`);
  return app;
}

/** Finds an app of an owner, and prevents its transfer until the transaction ends. */
export const lockOwnedApp = (
  ctx: Pick<Ctx, 'db'>,
  ownerId: string,
  name: string,
): Promise<{ id: string } | undefined> => lockOwnedAppRow.first(ctx.db, { ownerId, nameKey: name.toLowerCase() });

/** Prevents the deletion of these apps until the transaction ends. */
export async function lockApps(ctx: Pick<Ctx, 'db'>, ids: readonly string[]): Promise<void> {
  await lockAppRows.all(ctx.db, { ids: JSON.stringify(ids) });
}

/** An app by its ID, without checking access. */
export async function findAppRef(ctx: Pick<Ctx, 'db'>, id: string): Promise<AppRef | undefined> {
  const row = await findApp.first(ctx.db, { id });
  return row && { id: row.id, ownerId: row.owner_id, ownerName: row.owner_name, name: row.name };
}

export async function getAppRef(ctx: Pick<Ctx, 'db'>, id: string): Promise<AppRef> {
  const app = await findAppRef(ctx, id);
  if (!app) throw notFound('app');
  return app;
}

/** The owner whose share of queues and pools is used for the app. */
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
  const legal: readonly string[] = platformsByOs[os];
  if (!legal.includes(platform)) {
    throw badRequest(`The platform ${platform} is not available for ${os} apps. Choose one of ${legal.join(', ')}.`);
  }
}

/** The creator becomes manager of the app. */
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

const takenName = (ownerName: string, name: string) =>
  conflict(`${ownerName} already has an app named "${name}". Choose another name.`, 'name');

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
    const resolveText = (requested: string | undefined, was: string | undefined) =>
      requested === undefined ? was : requested || undefined;
    const after: App = {
      ...before,
      name: change.name ?? before.name,
      displayName: change.displayName ?? before.displayName,
      description: resolveText(change.description, before.description),
      releaseType: resolveText(change.releaseType, before.releaseType),
      iconUrl: await resolveIcon(ctx, change.iconUrl, before.iconUrl),
      updatedAt: ctx.clock.now(),
    };
    await refuseTaken(ctx, before, after);
    await save(ctx, before, after);
    await record(ctx, 'app.update', appSubject(ctx.app), { before: audited(before), after: audited(after) });
    return after;
  });
};

async function refuseTaken(ctx: Ctx, before: App, after: App): Promise<void> {
  const other = await findOwnerApp.first(ctx.db, { ownerId: after.owner.id, nameKey: after.name.toLowerCase() });
  if (other && other.id !== before.id) throw takenName(after.owner.name, after.name);
}

const appName = { table: 'apps', columns: ['owner_id', 'name_key'] };

/** Writes owner and name only if they change: doing so invalidates the cached permissions of all users. */
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

/** The destination must be an organization where the caller may create apps, or a user of the app. */
async function findDestination(ctx: UserCtx & AppCtx, name: string): Promise<Owner> {
  const granted = await findOrgGrant(ctx, ctx.actor, name);
  if (granted) {
    if (!isRoleAtLeast(granted.role, 'collaborator')) {
      throw forbidden(`This requires the role collaborator in ${granted.org.name}; you are ${granted.role}.`);
    }
    return granted.org;
  }
  const user = await findPerson(ctx, name);
  if (user && (await findDirectMember.first(ctx.db, { appId: ctx.app.id, userId: user.id }))) return user;
  throw new Failure(
    'NotFound',
    `Can't transfer the app to "${name}": it is not an organization that you belong to, nor a user of the app.`,
  );
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

/** Creates an organization named after the app, with the caller as admin, and transfers the app to it. */
export const transferAppToNewOrg = (ctx: UserCtx & AppCtx): Promise<Org> =>
  tx(ctx, async (ctx) => {
    const app = await lockApp(ctx);
    const org = await createOrg(ctx, { displayName: app.displayName });
    await moveApp(ctx, app, org);
    return org;
  });
