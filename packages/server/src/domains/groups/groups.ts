import type { AppCtx, OrgCtx } from '../../context.ts';
import { claim } from '../../db/rows/claim.ts';
import { tx } from '../../db/tx.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { refuseDots } from '../../kernel/text/names.ts';
import { auditFields, record } from '../audit/index.ts';
import { cannotDelete, cannotRename, isCollaborators } from './collaborators.ts';
import {
  deleteGroupRow,
  findAppWithName,
  groupsIn,
  insertGroup,
  insertGroupApp,
  renameInApps,
  updateGroupRow,
} from './groups.store.ts';

/** Groups are addressed through an app, or through the organization that shares them. */
export type GroupCtx = AppCtx | OrgCtx;

export interface Group {
  id: string;
  name: string;
  displayName: string;
  isPublic: boolean;
  /** The app of the group; undefined for shared groups. */
  app: { id: string; name: string } | undefined;
  /** Owner of the app, or the organization that shares the group. */
  owner: { id: string; name: string };
}

type GroupRow = NonNullable<Awaited<ReturnType<typeof groupsIn.app.find.first>>>;

/** A group without a display name shows its name, including a changed one. */
export const toGroup = (row: GroupRow): Group => ({
  id: row.id,
  name: row.name,
  displayName: row.display_name ?? row.name,
  isPublic: row.is_public === 1,
  app: row.app_id === null ? undefined : { id: row.app_id, name: row.app_name ?? '' },
  owner: { id: row.owner_id, name: row.owner_name },
});

/** Full name of the app or organization of a group. */
export const homeName = ({ app, owner }: Pick<Group, 'app' | 'owner'>): string =>
  app ? `${owner.name}/${app.name}` : owner.name;

export const groupSubject = (group: Group, appId = group.app?.id) =>
  ({ kind: 'group', id: group.id, name: `${homeName(group)}/${group.name}`, orgId: group.owner.id, appId }) as const;

/** Lookup key of a name, the same for all Unicode spellings and cases. */
export const groupKey = (name: string): string => name.normalize('NFC').toLowerCase();

const toHomeSubject = (ctx: GroupCtx) =>
  'app' in ctx
    ? ({ kind: 'app', id: ctx.app.id, name: `${ctx.app.ownerName}/${ctx.app.name}` } as const)
    : ({ kind: 'org', id: ctx.org.id, name: ctx.org.name } as const);

const taken = (home: string, name: string) =>
  conflict(`${home} already has a distribution group named "${name}". Choose another name.`, 'name');

export async function listGroups(ctx: GroupCtx): Promise<Group[]> {
  const { kind, id } = toHomeSubject(ctx);
  return (await groupsIn[kind].list.all(ctx.db, { homeId: id })).map(toGroup);
}

export async function getGroup(ctx: GroupCtx, name: string): Promise<Group> {
  const { kind, id } = toHomeSubject(ctx);
  const row = await groupsIn[kind].find.first(ctx.db, { homeId: id, key: groupKey(name) });
  if (!row) throw notFound('distribution group', name);
  return toGroup(row);
}

/** Finds a group that an organization shares among its apps, for visitors who may have no role there. */
export async function findSharedGroup(
  { db }: Pick<GroupCtx, 'db'>,
  orgId: string,
  name: string,
): Promise<Group | undefined> {
  const row = await groupsIn.org.find.first(db, { homeId: orgId, key: groupKey(name) });
  return row && toGroup(row);
}

export async function getGroupById(ctx: GroupCtx, id: string): Promise<Group> {
  const home = toHomeSubject(ctx);
  const row = await groupsIn[home.kind].findById.first(ctx.db, { homeId: home.id, id });
  if (!row) throw notFound('distribution group', id);
  return toGroup(row);
}

/** Runs `work` on a locked group. Through an app, only groups of that app can be changed. */
export const changeGroup = <C extends GroupCtx, T>(
  ctx: C,
  name: string,
  work: (ctx: C, group: Group) => Promise<T>,
): Promise<T> =>
  tx(ctx, async (ctx) => {
    const { kind, id } = toHomeSubject(ctx);
    await groupsIn[kind].lock.first(ctx.db, { homeId: id, key: groupKey(name) });
    const group = await getGroup(ctx, name);
    if (kind === 'app' && !group.app) {
      const path = `/v0.1/orgs/${group.owner.name}/distribution_groups/${encodeURIComponent(group.name)}`;
      throw conflict(`"${group.name}" is a shared group of ${group.owner.name}. Change it at ${path}.`);
    }
    return work(ctx, group);
  });

export async function createGroup(ctx: GroupCtx, input: { name: string; displayName?: string }): Promise<Group> {
  refuseDots(input.name);
  return tx(ctx, async (ctx) => {
    const home = toHomeSubject(ctx);
    const id = ctx.newId();
    const key = groupKey(input.name);
    const added = await insertGroup.first(ctx.db, {
      id,
      app_id: home.kind === 'app' ? home.id : null,
      org_id: home.kind === 'org' ? home.id : null,
      name: input.name,
      name_key: key,
      display_name: input.displayName ?? null,
      is_public: 0,
      created_at: ctx.clock.now(),
    });
    const isFree =
      added &&
      (home.kind === 'org' || (await insertGroupApp.first(ctx.db, { group_id: id, app_id: home.id, name_key: key })));
    if (!isFree) throw taken(home.name, input.name);
    const group = await getGroup(ctx, input.name);
    await record(ctx, 'group.create', groupSubject(group), { after: { name: group.name } });
    return group;
  });
}

const audited = auditFields('name', 'isPublic');
const nameInOrg = { table: 'distribution_groups', columns: ['org_id', 'name_key'] };
const nameInApp = { table: 'distribution_group_apps', columns: ['app_id', 'name_key'] };

export async function updateGroup(
  ctx: GroupCtx,
  name: string,
  change: { name?: string; isPublic?: boolean },
): Promise<Group> {
  refuseDots(change.name);
  return changeGroup(ctx, name, async (ctx, group) => {
    const after = { name: change.name ?? group.name, isPublic: change.isPublic ?? group.isPublic };
    if (after.name === group.name && after.isPublic === group.isPublic) return group;
    if (after.name !== group.name && isCollaborators(group)) throw cannotRename(homeName(group));
    const key = groupKey(after.name);
    if (key !== groupKey(group.name)) await refuseTaken(ctx, group, after.name);
    const row = { id: group.id, name: after.name, name_key: key, is_public: after.isPublic ? 1 : 0 } as const;
    const refusal = taken(toHomeSubject(ctx).name, after.name);
    await claim(nameInOrg, refusal, updateGroupRow.run(ctx.db, row));
    await claim(nameInApp, refusal, renameInApps.run(ctx.db, { groupId: group.id, key }));
    await record(ctx, 'group.update', groupSubject(group), { before: audited(group), after: audited(after) });
    return getGroup(ctx, after.name);
  });
}

/** A name must be free in the organization that shares the group, and in each of its apps. */
async function refuseTaken(ctx: GroupCtx, group: Group, name: string): Promise<void> {
  const home = toHomeSubject(ctx);
  const key = groupKey(name);
  if (await groupsIn[home.kind].find.first(ctx.db, { homeId: home.id, key })) throw taken(home.name, name);
  const app = await findAppWithName.first(ctx.db, { groupId: group.id, key });
  if (app) throw taken(`The app ${group.owner.name}/${app.name}`, name);
}

export const deleteGroup = (ctx: GroupCtx, name: string): Promise<void> =>
  changeGroup(ctx, name, async (ctx, group) => {
    if (isCollaborators(group)) throw cannotDelete(homeName(group));
    await deleteGroupRow.run(ctx.db, { id: group.id });
    await record(ctx, 'group.delete', groupSubject(group), { before: audited(group) });
  });
