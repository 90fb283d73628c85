import { type AppPermission, atLeast } from '@mooring/contract';
import type { AppCtx, Ctx, User } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { publish } from '../../jobs/index.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { toUser } from '../accounts/index.ts';
import { record } from '../audit/index.ts';
import { appAccessLowered, appUserRemoved } from './apps.events.ts';
import {
  deleteAppMember,
  findActiveRank,
  findDirectMember,
  findRank,
  findTester,
  listUsersOfApp,
  saveAppMember,
} from './apps.store.ts';
import { appSubject, lockApp } from './apps.ts';
import { highest, toPermission } from './permissions.ts';

export interface AppUser {
  user: User;
  permission: AppPermission;
}

/** Everybody with access by membership, by a team, or as an admin of the organization; not those who only test. */
export async function listAppUsers(ctx: Pick<AppCtx, 'db' | 'app'>): Promise<AppUser[]> {
  const rows = await listUsersOfApp.all(ctx.db, { appId: ctx.app.id, ownerId: ctx.app.ownerId });
  return rows.map((row) => ({ user: toUser(row), permission: toPermission(Number(row.rank)) ?? 'tester' }));
}

/** Through any way to the app, for an account that can sign in. */
export async function findUserPermission(
  { db }: Pick<Ctx, 'db'>,
  appId: string,
  userId: string,
): Promise<AppPermission | undefined> {
  return toPermission((await findActiveRank.first(db, { appId, userId }))?.rank ?? 0);
}

/** The user of that e-mail and what they have by membership, once it is sure that they may lose it. */
async function findRemovable(ctx: AppCtx, email: string, keeps: AppPermission | undefined) {
  // Two managers must not remove each other at the same time, nor somebody whom the app is being given to.
  await lockApp(ctx);
  const all = await listAppUsers(ctx);
  const found = all.find(({ user }) => user.email.toLowerCase() === email.toLowerCase());
  if (!found) {
    if (await findTester.first(ctx.db, { appId: ctx.app.id, emailKey: email.toLowerCase() })) {
      throw conflict(`${email} is a tester by a distribution group; change it there.`);
    }
    throw notFound('user of the app', email);
  }
  const { user } = found;
  const direct = await findDirectMember.first(ctx.db, { appId: ctx.app.id, userId: user.id });
  if (!direct) {
    throw conflict(`${user.email} has access by a team or as an admin of ${ctx.app.ownerName}; change it there.`);
  }
  if (keeps === 'manager') return { user, permission: direct.permission };
  if (user.id === ctx.app.ownerId) throw conflict(`${user.email} owns the app and stays its manager.`);
  const managers = all.filter(({ permission }) => permission === 'manager');
  if (managers.length === 1 && managers[0]?.user.id === user.id) {
    throw conflict(`${user.email} is the last manager of the app; make somebody else one first.`);
  }
  return { user, permission: direct.permission };
}

/** Out of the app and of its own distribution groups. What teams and shared groups still give is recorded with it. */
export const removeAppUser = (ctx: AppCtx, email: string, { keepsTokens = false } = {}): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { user, permission } = await findRemovable(ctx, email, undefined);
    const who = { appId: ctx.app.id, userId: user.id };
    await deleteAppMember.run(ctx.db, who);
    await publish(ctx, appUserRemoved, { ...who, email: user.email });
    if (!keepsTokens) await publish(ctx, appAccessLowered, { userIds: [user.id], appId: ctx.app.id });
    const left = toPermission((await findRank.first(ctx.db, who))?.rank ?? 0);
    await record(ctx, 'app.remove_user', appSubject(ctx.app), {
      before: { user: user.name, permission },
      ...(left ? { after: { user: user.name, permission: left } } : {}),
    });
  });

export const updateAppUser = (ctx: AppCtx, email: string, permissions: AppPermission[]): Promise<void> =>
  tx(ctx, async (ctx) => {
    const wanted = highest(permissions);
    const { user, permission } = await findRemovable(ctx, email, wanted);
    if (permission === wanted) return;
    await setAppPermission(ctx, user, wanted, permission);
    if (!atLeast(wanted, permission)) {
      await publish(ctx, appAccessLowered, { userIds: [user.id], appId: ctx.app.id });
    }
  });

/** Gives a user a permission on the app, in place of the one they had. */
export const setAppPermission = (
  ctx: Ctx & Pick<AppCtx, 'app'>,
  user: User,
  permission: AppPermission,
  before?: AppPermission,
): Promise<void> =>
  tx(ctx, async (ctx) => {
    await saveAppMember.run(ctx.db, { app_id: ctx.app.id, user_id: user.id, permission });
    await record(ctx, 'app.set_permission', appSubject(ctx.app), {
      before: { user: user.name, permission: before },
      after: { user: user.name, permission },
    });
  });

/** The same for somebody who may have one already: a higher one stays. Whoever calls it has decided that this may be done. */
export const raiseAppPermission = (
  ctx: Ctx & Pick<AppCtx, 'app'>,
  user: User,
  permission: AppPermission,
): Promise<void> =>
  tx(ctx, async (ctx) => {
    const direct = await findDirectMember.first(ctx.db, { appId: ctx.app.id, userId: user.id });
    if (!direct || !atLeast(direct.permission, permission)) {
      await setAppPermission(ctx, user, permission, direct?.permission);
    }
  });
