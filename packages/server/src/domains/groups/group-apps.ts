import { atLeast } from '@mooring/contract';
import type { OrgCtx } from '../../context.ts';
import { conflict, forbidden, notFound } from '../../kernel/errors.ts';
import { type App, type AppRef, findAppGrant, listOrgApps, lockOwnedApp } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { countSharedUsers, deleteGroupApp, findGroupApp, insertGroupApp, listSharedApps } from './groups.store.ts';
import { changeGroup, type Group, getGroup, groupKey, groupSubject, listGroups } from './groups.ts';

export interface GroupDetails extends Group {
  totalApps: number;
  totalUsers: number;
  /** Apps that the caller can see. */
  apps: App[];
}

/** Membership in the organization does not reveal its apps: callers see those they have access to, and the total. */
export async function listGroupDetails(ctx: OrgCtx, appsLimit?: number): Promise<GroupDetails[]> {
  const home = { homeId: ctx.org.id };
  const groups = await listGroups(ctx);
  const links = Map.groupBy(await listSharedApps.all(ctx.db, home), ({ group_id }) => group_id);
  const users = new Map((await countSharedUsers.all(ctx.db, home)).map((row) => [row.group_id, Number(row.count)]));
  const visible = await listOrgApps(ctx, {});
  return groups.map((group) => {
    const ids = new Set(links.get(group.id)?.map(({ app_id }) => app_id));
    const apps = visible.filter(({ id }) => ids.has(id)).slice(0, appsLimit);
    return { ...group, totalApps: ids.size, totalUsers: users.get(group.id) ?? 0, apps };
  });
}

export async function listGroupApps(ctx: OrgCtx, name: string): Promise<App[]> {
  const { id } = await getGroup(ctx, name);
  const links = await listSharedApps.all(ctx.db, { homeId: ctx.org.id });
  const ids = new Set(links.filter(({ group_id }) => group_id === id).map(({ app_id }) => app_id));
  return (await listOrgApps(ctx, {})).filter((app) => ids.has(app.id));
}

/** Locks apps whose testers the caller may manage, as for a group of a single app. */
async function lockApps(ctx: OrgCtx, names: string[]): Promise<AppRef[]> {
  const apps: AppRef[] = [];
  // In order, so that transactions that lock the same apps can't deadlock.
  for (const nameKey of [...new Set(names.map((name) => name.toLowerCase()))].sort()) {
    await lockOwnedApp(ctx, ctx.org.id, nameKey);
    const grant = await findAppGrant(ctx, ctx.actor, ctx.org.name, nameKey);
    if (!grant) throw notFound(`app of ${ctx.org.name}`, nameKey);
    const { app, permission } = grant;
    if (!atLeast(permission, 'developer')) {
      throw forbidden(`This requires developer permission on ${app.ownerName}/${app.name}; you have ${permission}.`);
    }
    apps.push(app);
  }
  return apps;
}

/** Adds all apps or none; apps that are already in the group are skipped. */
export const addGroupApps = (ctx: OrgCtx, name: string, appNames: string[]): Promise<void> =>
  changeGroup(ctx, name, async (ctx, group) => {
    const apps = await lockApps(ctx, appNames);
    for (const app of apps) {
      const link = { group_id: group.id, app_id: app.id, name_key: groupKey(group.name) };
      if (await insertGroupApp.first(ctx.db, link)) {
        await record(ctx, 'group.add_app', groupSubject(group, app.id), { after: { app: app.name } });
      } else if (!(await findGroupApp.first(ctx.db, { groupId: group.id, appId: app.id }))) {
        throw conflict(
          `The app ${app.ownerName}/${app.name} already has a distribution group named "${group.name}". Rename one of them first.`,
        );
      }
    }
  });

export const removeGroupApps = (ctx: OrgCtx, name: string, appNames: string[]): Promise<void> =>
  changeGroup(ctx, name, async (ctx, group) => {
    for (const app of await lockApps(ctx, appNames)) {
      if (!(await deleteGroupApp.first(ctx.db, { groupId: group.id, appId: app.id }))) {
        throw notFound(`app of the group ${group.name}`, app.name);
      }
      await record(ctx, 'group.remove_app', groupSubject(group, app.id), { before: { app: app.name } });
    }
  });
