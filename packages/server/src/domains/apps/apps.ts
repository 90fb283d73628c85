import { type AppPermission, atMost } from '@mooring/contract';
import type { Actor, AppCtx, Ctx, Deps, UserCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { conflict } from '../../kernel/errors.ts';
import { record } from '../audit/index.ts';
import { findAppForUser, insertApp, saveAppMember } from './apps.store.ts';

export type AppRef = AppCtx['app'];

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
  if (!row) return undefined;
  const permission = permissionOf(actor, row);
  return permission && { app: { id: row.id, ownerName: row.owner_name, name: row.name }, permission };
}

/** The rule engine of the tokens: an app token is a role on its one app, a read-only one leaves Viewer at most. */
function permissionOf(actor: Actor, app: { id: string; permission: AppPermission | null }): AppPermission | undefined {
  switch (actor.kind) {
    case 'app':
      if (actor.appId !== app.id) return undefined;
      return actor.reach === 'all' ? 'manager' : 'viewer';
    case 'user':
      if (!app.permission) return undefined;
      return actor.reach === 'all' ? app.permission : atMost(app.permission, 'viewer');
    default:
      return undefined;
  }
}

/** Creates an app that the caller owns and manages. */
export async function createApp(ctx: UserCtx, name: string): Promise<AppRef> {
  const { user } = ctx.actor;
  return tx(ctx, async (ctx) => {
    const id = ctx.newId();
    const row = { id, owner_id: user.id, name, name_key: name.toLowerCase(), created_at: ctx.clock.now() };
    if (!(await insertApp.first(ctx.db, row))) throw conflict(`You have an app named "${name}" already.`);
    await saveAppMember.run(ctx.db, { app_id: id, user_id: user.id, permission: 'manager' });
    await record(ctx, 'app.create', { kind: 'app', id, name: `${user.name}/${name}` });
    return { id, ownerName: user.name, name };
  });
}

/** Gives a user a permission on an app, in place of the one they had. */
export const setAppPermission = (ctx: Ctx, appId: string, userId: string, permission: AppPermission): Promise<void> =>
  tx(ctx, async (ctx) => {
    await saveAppMember.run(ctx.db, { app_id: appId, user_id: userId, permission });
  });
