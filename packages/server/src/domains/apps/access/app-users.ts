import { type AppPermission, atLeast } from '@mooring/contract';
import type { AppCtx, Ctx, User } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { conflict, notFound } from '../../../kernel/errors.ts';
import { findPersonByEmail, toUser } from '../../accounts/index.ts';
import { record } from '../../audit/index.ts';
import { appSubject } from '../app-subject.ts';
import { appAccessLowered, appUserRemoved } from '../apps.events.ts';
import {
  deleteAppMember,
  findActiveRank,
  findAppUserRow,
  findDirectMember,
  findOtherUserWithRank,
  findRank,
  findTester,
  listAppUserRows,
  saveAppMember,
} from '../apps.store.ts';
import { lockApp } from '../apps.ts';
import { highest, toPermission, toRank } from './permissions.ts';

export interface AppUser {
  user: User;
  permission: AppPermission;
}

type AppUserRow = Awaited<ReturnType<typeof listAppUserRows.all>>[number];

const toAppUser = (row: AppUserRow): AppUser => ({
  user: toUser(row),
  permission: toPermission(Number(row.rank)) ?? 'tester',
});

/** Users with access through membership, a team, or as an admin of the organization. Excludes testers. */
export async function listAppUsers(ctx: Pick<AppCtx, 'db' | 'app'>): Promise<AppUser[]> {
  const rows = await listAppUserRows.all(ctx.db, { appId: ctx.app.id, ownerId: ctx.app.ownerId });
  return rows.map(toAppUser);
}

export async function findAppUser(ctx: Pick<AppCtx, 'db' | 'app'>, userId: string): Promise<AppUser | undefined> {
  const row = await findAppUserRow.first(ctx.db, { appId: ctx.app.id, ownerId: ctx.app.ownerId, userId });
  return row && toAppUser(row);
}

export async function findAppUserByEmail(ctx: Pick<AppCtx, 'db' | 'app'>, email: string): Promise<AppUser | undefined> {
  const user = await findPersonByEmail(ctx, email);
  return user && findAppUser(ctx, user.id);
}

/** Access from any source, including as a tester, and of disabled accounts. */
export const hasAppAccess = async ({ db, app }: Pick<AppCtx, 'db' | 'app'>, userId: string): Promise<boolean> =>
  ((await findRank.first(db, { appId: app.id, userId }))?.rank ?? 0) > 0;

/** Access from any source, for accounts that can sign in. */
export async function findUserPermission(
  { db }: Pick<Ctx, 'db'>,
  appId: string,
  userId: string,
): Promise<AppPermission | undefined> {
  return toPermission((await findActiveRank.first(db, { appId, userId }))?.rank ?? 0);
}

/** Finds the user with this email and their direct permission. Throws if the permission can't be removed. */
async function findRemovable(ctx: AppCtx, email: string, remainingPermission: AppPermission | undefined) {
  // Prevents two managers from removing each other at the same time, and removals of a user who is receiving the app.
  await lockApp(ctx);
  const match = await findAppUserByEmail(ctx, email);
  if (!match) {
    if (await findTester.first(ctx.db, { appId: ctx.app.id, emailKey: email.toLowerCase() })) {
      throw conflict(`${email} is a tester in a distribution group. Change the group instead.`);
    }
    throw notFound('user of the app', email);
  }
  const { user } = match;
  const direct = await findDirectMember.first(ctx.db, { appId: ctx.app.id, userId: user.id });
  if (!direct) {
    throw conflict(
      `${user.email} has access through a team or as an admin of ${ctx.app.ownerName}. Change the team or the role instead.`,
    );
  }
  if (remainingPermission === 'manager') return { user, permission: direct.permission };
  if (user.id === ctx.app.ownerId)
    throw conflict(`${user.email} owns the app, and the owner is always a manager. Transfer the app first.`);
  const inApp = { appId: ctx.app.id, ownerId: ctx.app.ownerId, userId: user.id };
  const isManager = match.permission === 'manager';
  if (isManager && !(await findOtherUserWithRank.first(ctx.db, { ...inApp, rank: toRank('manager') }))) {
    throw conflict(`${user.email} is the last manager of the app. Promote another user first.`);
  }
  return { user, permission: direct.permission };
}

/**
 * Removes a user from the app and its own distribution groups. Records the access that remains through teams and shared
 * groups.
 */
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
    const requested = highest(permissions);
    const { user, permission } = await findRemovable(ctx, email, requested);
    if (permission === requested) return;
    await setAppPermission(ctx, user, requested, permission);
    if (!atLeast(requested, permission)) {
      await publish(ctx, appAccessLowered, { userIds: [user.id], appId: ctx.app.id });
    }
  });

/** Replaces the permission of a user on the app. */
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

/** Like `setAppPermission`, but keeps a higher permission. The caller has checked that this is allowed. */
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
