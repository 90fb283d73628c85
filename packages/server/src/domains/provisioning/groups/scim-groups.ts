import { lock } from '../../../db/locks.ts';
import { claim } from '../../../db/rows/claim.ts';
import { tx } from '../../../db/tx.ts';
import { conflict, notFound } from '../../../kernel/errors.ts';
import {
  changeTeamPeople,
  createTeam,
  listTeamsPeople,
  removeTeam,
  renameTeam,
  type TeamPerson,
} from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import type { DirectoryCtx } from '../directory.scope.ts';
import { countGroups } from '../org-domains.store.ts';
import { readResource } from '../protocol/attributes.ts';
import { parseFilter, type ScimFilter } from '../protocol/filter.ts';
import { findKey, matches, requiredText } from '../protocol/matches.ts';
import { applyChanges, type PatchOperation, readChanges } from '../protocol/patch.ts';
import { exactPaths, groupAttributes } from '../protocol/schemas.ts';
import { scimFailure } from '../protocol/scim-failure.ts';
import type { ListPage, ListRange } from '../resources.ts';
import { isAboutMembers, type MemberChange, readMemberChange, readMemberIds, resolveMemberChange } from './members.ts';
import {
  findGroup,
  findGroupByName,
  findKnownUsers,
  insertGroup,
  listGroupRows,
  lockGroup,
  updateGroup,
} from './scim-groups.store.ts';

/** Most groups of an organization. */
const MAX_GROUPS = 5000;
/** Most members in one response. */
const MAX_LISTED = 20_000;
const MAX_NAME = 128;

export interface ScimGroup {
  id: string;
  externalId: string | undefined;
  displayName: string;
  /** Undefined if they weren't requested. */
  members: TeamPerson[] | undefined;
  createdAt: number;
  updatedAt: number;
}

type GroupRow = NonNullable<Awaited<ReturnType<typeof findGroup.first>>>;
interface GroupAttributes {
  displayName: string;
  externalId?: string;
}

const toGroup = (row: GroupRow): ScimGroup => ({
  id: row.team_id,
  externalId: row.external_id ?? undefined,
  displayName: row.display_name,
  members: undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

async function getRow(ctx: DirectoryCtx, id: string, statement = findGroup): Promise<GroupRow> {
  const row = await statement.first(ctx.db, { orgId: ctx.org.id, id });
  if (!row) throw notFound('group', id);
  return row;
}

/** Adds the members to groups, unless there are too many for one response. */
async function withMembers(ctx: DirectoryCtx, groups: readonly ScimGroup[]): Promise<ScimGroup[]> {
  const people = await listTeamsPeople(
    ctx,
    groups.map(({ id }) => id),
    MAX_LISTED + 1,
  );
  if (people.length > MAX_LISTED) {
    throw scimFailure(
      'tooMany',
      `The response would have more than ${MAX_LISTED} members. Add excludedAttributes=members, or request fewer groups.`,
    );
  }
  const byTeam = Map.groupBy(people, ({ teamId }) => teamId);
  return groups.map((group) => ({ ...group, members: byTeam.get(group.id) ?? [] }));
}

export async function getGroup(ctx: DirectoryCtx, id: string, needsMembers: boolean): Promise<ScimGroup> {
  const group = toGroup(await getRow(ctx, id));
  return needsMembers ? ((await withMembers(ctx, [group]))[0] ?? group) : group;
}

const mentionsMembers = (filter: ScimFilter): boolean =>
  'filters' in filter
    ? filter.filters.some(mentionsMembers)
    : filter.op === 'not'
      ? mentionsMembers(filter.filter)
      : filter.path[0] === 'members';

async function findCandidates(ctx: DirectoryCtx, filter: ScimFilter): Promise<GroupRow[]> {
  const orgId = ctx.org.id;
  const one = (row: GroupRow | undefined) => (row ? [row] : []);
  const id = requiredText(filter, 'id');
  if (id !== undefined) return one(await findGroup.first(ctx.db, { orgId, id }));
  const name = requiredText(filter, 'displayname');
  if (name !== undefined) return one(await findGroupByName.first(ctx.db, { orgId, key: name.toLowerCase() }));
  return listGroupRows.all(ctx.db, { orgId, limit: MAX_GROUPS });
}

const toFiltered = ({ members = [], createdAt, updatedAt, ...group }: ScimGroup) => ({
  ...group,
  members: members.map(({ userId, displayName }) => ({ value: userId, display: displayName })),
  meta: { created: new Date(createdAt).toISOString(), lastModified: new Date(updatedAt).toISOString() },
});

export async function listGroups(
  ctx: DirectoryCtx,
  text: string | undefined,
  { offset, limit, needsMembers }: ListRange & { needsMembers: boolean },
): Promise<ListPage<ScimGroup>> {
  const filter = text === undefined ? undefined : parseFilter(text);
  const rows = filter
    ? await findCandidates(ctx, filter)
    : await listGroupRows.all(ctx.db, { orgId: ctx.org.id, limit: MAX_GROUPS });
  const all = rows.map(toGroup);
  const candidates = filter && mentionsMembers(filter) ? await withMembers(ctx, all) : all;
  const matching = filter ? candidates.filter((group) => matches(toFiltered(group), filter, exactPaths)) : candidates;
  const page = matching.slice(offset, offset + limit);
  return { total: matching.length, values: needsMembers ? await withMembers(ctx, page) : page };
}

function readGroup(body: object): GroupAttributes {
  const { displayName, externalId } = readResource(groupAttributes, body) as Partial<GroupAttributes>;
  if (!displayName?.trim() || displayName.length > MAX_NAME) {
    throw scimFailure('invalidValue', `The attribute displayName is required, and has at most ${MAX_NAME} characters.`);
  }
  return { displayName: displayName.trim(), ...(externalId === undefined ? {} : { externalId }) };
}

const nameKey = { table: 'scim_groups', columns: ['org_id', 'display_name_key'] };
const taken = (name: string) => conflict(`The directory already has a group named "${name}". Change that one instead.`);

/** Refuses IDs that aren't users of this directory, so that no other account joins a team. */
async function refuseStrangers(ctx: DirectoryCtx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await findKnownUsers.all(ctx.db, { orgId: ctx.org.id, ids: JSON.stringify(ids) });
  const known = new Set(rows.map((row) => row.user_id));
  const stranger = ids.find((id) => !known.has(id));
  if (stranger !== undefined) {
    throw scimFailure('invalidValue', `The directory has no user with the ID "${stranger}". Add the user first.`);
  }
}

const subject = ({ org }: DirectoryCtx, id: string, { displayName }: GroupAttributes) =>
  ({ kind: 'team', id, name: displayName, orgId: org.id }) as const;

const auditValues = ({ displayName, externalId }: GroupAttributes) => ({
  display_name: displayName,
  external_id: externalId,
});

export async function createGroup(ctx: DirectoryCtx, body: object): Promise<ScimGroup> {
  const group = readGroup(body);
  const members = [...new Set(readMemberIds((body as Record<string, unknown>)[findKey(body, 'members') ?? '']))];
  const { id: orgId, name } = ctx.org;
  return tx(ctx, async (ctx) => {
    await lock(ctx, 'limits', `scim groups ${orgId}`);
    if (((await countGroups.first(ctx.db, { orgId }))?.count ?? 0) >= MAX_GROUPS) {
      throw conflict(`The directory of ${name} already has ${MAX_GROUPS} groups. Assign fewer groups.`);
    }
    const key = group.displayName.toLowerCase();
    if (await findGroupByName.first(ctx.db, { orgId, key })) throw taken(group.displayName);
    await refuseStrangers(ctx, members);
    // A team that an admin created keeps its name; this one gets a number then.
    const { id } = await createTeam(ctx, { displayName: group.displayName });
    const now = ctx.clock.now();
    await insertGroup.run(ctx.db, {
      team_id: id,
      org_id: orgId,
      external_id: group.externalId ?? null,
      display_name: group.displayName,
      display_name_key: key,
      created_at: now,
      updated_at: now,
    });
    await record(ctx, 'scim_group.create', subject(ctx, id, group), { after: auditValues(group) });
    await changeTeamPeople(ctx, id, { added: members, removed: [] });
    return getGroup(ctx, id, true);
  });
}

interface GroupChange {
  next(current: GroupAttributes): GroupAttributes;
  members: MemberChange | undefined;
}

const change = (ctx: DirectoryCtx, id: string, { next, members }: GroupChange): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await getRow(ctx, id, lockGroup);
    const before: GroupAttributes = {
      displayName: row.display_name,
      ...(row.external_id === null ? {} : { externalId: row.external_id }),
    };
    const after = next(before);
    if (after.displayName !== before.displayName || after.externalId !== before.externalId) {
      await claim(
        nameKey,
        taken(after.displayName),
        updateGroup.run(ctx.db, {
          id,
          external_id: after.externalId ?? null,
          display_name: after.displayName,
          display_name_key: after.displayName.toLowerCase(),
          updated_at: ctx.clock.now(),
        }),
      );
      await renameTeam(ctx, id, after.displayName);
      const changes = { before: auditValues(before), after: auditValues(after) };
      await record(ctx, 'scim_group.update', subject(ctx, id, after), changes);
    }
    if (members) await changeMembers(ctx, id, members);
  });

async function changeMembers(ctx: DirectoryCtx, id: string, members: MemberChange): Promise<void> {
  await refuseStrangers(ctx, [...members.added]);
  // Otherwise the database finds which of these are members.
  const people = members.isReplaced ? await listTeamsPeople(ctx, [id], Number.MAX_SAFE_INTEGER) : [];
  const changed = members.isReplaced
    ? resolveMemberChange(
        members,
        people.map(({ userId }) => userId),
      )
    : { added: [...members.added], removed: [...members.removed].filter((user) => !members.added.has(user)) };
  await changeTeamPeople(ctx, id, changed);
}

export async function replaceGroup(ctx: DirectoryCtx, id: string, body: object): Promise<ScimGroup> {
  const group = readGroup(body);
  const added = new Set(readMemberIds((body as Record<string, unknown>)[findKey(body, 'members') ?? '']));
  const members: MemberChange = { isReplaced: true, added, removed: new Set() };
  await change(ctx, id, { next: () => group, members });
  return getGroup(ctx, id, true);
}

export async function patchGroup(ctx: DirectoryCtx, id: string, operations: readonly PatchOperation[]): Promise<void> {
  const changes = readChanges(operations, groupAttributes);
  const ofMembers = changes.filter(isAboutMembers);
  const others = changes.filter((each) => !isAboutMembers(each));
  await change(ctx, id, {
    next: (current) => readGroup(applyChanges({ ...current }, others, groupAttributes)),
    members: ofMembers.length > 0 ? readMemberChange(ofMembers) : undefined,
  });
}

/** Deletes the team, too. */
export const deleteGroup = (ctx: DirectoryCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await getRow(ctx, id, lockGroup);
    await removeTeam(ctx, id);
    const group = { displayName: row.display_name };
    await record(ctx, 'scim_group.delete', subject(ctx, id, group), { before: auditValues(group) });
  });
