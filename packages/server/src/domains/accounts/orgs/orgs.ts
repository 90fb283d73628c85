import { isRoleAtLeast, type OrgRole } from '@mooring/contract';
import type { Actor, Ctx, Deps, OrgCtx, User, UserCtx } from '../../../context.ts';
import { claim } from '../../../db/claim.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { badRequest, conflict, forbidden, notFound } from '../../../kernel/errors.ts';
import { nameFrom, refuseDots } from '../../../kernel/names.ts';
import { type ListInput, type Page, readList, type Sorts } from '../../../kernel/paging.ts';
import { searchKey } from '../../../kernel/search-key.ts';
import { auditFields, record } from '../../audit/index.ts';
import { discardAvatar } from '../../avatars/index.ts';
import { memberDemoted, memberJoined, memberRemoved, tokensRevoked } from '../accounts.events.ts';
import { insertOwner, updateOwner } from '../users/users.store.ts';
import { findPersonByEmail } from '../users/users.ts';
import {
  deleteFormerName,
  deleteOrgMember,
  deleteOwner,
  findFormerName,
  findOrg,
  findOrgForUser,
  findOrgMember,
  findOrgRole,
  findOwnerName,
  listOrgMembers,
  listOrgsOfUser,
  lockOrgAdmins,
  lockOwner,
  pageOrgMembers,
  saveFormerName,
  saveOrgMember,
} from './orgs.store.ts';
import { refuseOwners } from './owner-deletion.ts';
import { deleteServiceAccountsOfOrg, findServiceAccount, listServiceAccountsOfOrg } from './service-accounts.store.ts';

export interface Org {
  id: string;
  name: string;
  displayName: string;
  avatarUrl: string | undefined;
  createdAt: number;
  updatedAt: number;
}

export interface OrgMember {
  userId: string;
  name: string;
  displayName: string;
  email: string;
  role: OrgRole;
  joinedAt: number;
}

type OrgRow = NonNullable<Awaited<ReturnType<typeof findOrg.first>>>;
type MemberRow = NonNullable<Awaited<ReturnType<typeof findOrgMember.first>>>;

const toOrg = (row: OrgRow): Org => ({
  id: row.id,
  name: row.name,
  displayName: row.display_name,
  avatarUrl: row.avatar_url ?? undefined,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const toMember = (row: MemberRow): OrgMember => ({
  userId: row.id,
  name: row.name,
  displayName: row.display_name,
  email: row.email,
  role: row.role,
  joinedAt: row.joined_at,
});

/** The name that an owner has now: for reads, a name that it had before will do. */
export async function currentOwnerName({ db }: Pick<Deps, 'db'>, name: string): Promise<string> {
  return (await findFormerName.first(db, { key: name.toLowerCase() }))?.name ?? name;
}

/** A user or an organization, whichever has that name. */
export const findOwner = ({ db }: Pick<Deps, 'db'>, name: string) =>
  findOwnerName.first(db, { key: name.toLowerCase() });

/** What an actor is in the organization of that name; nothing when they may not even see it. */
export async function findOrgGrant(
  deps: Pick<Deps, 'db'>,
  actor: Actor,
  orgName: string,
): Promise<Pick<OrgCtx, 'org' | 'role'> | undefined> {
  if (actor.kind !== 'user') return undefined;
  const row = await findOrgForUser.first(deps.db, { key: orgName.toLowerCase(), userId: actor.user.id });
  return row && { org: { id: row.id, name: row.name, displayName: row.display_name }, role: row.role };
}

export async function getOrg(ctx: Pick<OrgCtx, 'db' | 'org'>): Promise<Org> {
  const row = await findOrg.first(ctx.db, { id: ctx.org.id });
  if (!row) throw notFound('organization', ctx.org.name);
  return toOrg(row);
}

export async function createOrg(ctx: UserCtx, input: { name?: string; displayName?: string }): Promise<Org> {
  const displayName = input.displayName ?? input.name;
  if (displayName === undefined) throw badRequest('One of display_name and name is needed.');
  refuseDots(input.name);
  return tx(ctx, async (ctx) => {
    const { id } = await addOwner(ctx, 'org', input.name, displayName);
    const { user } = ctx.actor;
    const now = ctx.clock.now();
    await saveOrgMember.run(ctx.db, { org_id: id, user_id: user.id, role: 'admin', joined_at: now });
    const org = await getOrg({ db: ctx.db, org: { id, name: displayName, displayName } });
    await record(ctx, 'org.create', { kind: 'org', id, name: org.name, orgId: id }, { after: { name: org.name } });
    return org;
  });
}

/** A wanted name must be free; one that is made from the display name gets a number if it is not. */
export async function addOwner(
  ctx: Ctx,
  kind: 'user' | 'org',
  wanted: string | undefined,
  displayName: string,
): Promise<{ id: string; name: string }> {
  const id = ctx.newId();
  const now = ctx.clock.now();
  for (const name of wanted === undefined ? nameFrom(displayName) : [wanted]) {
    const names = { name, name_key: name.toLowerCase(), display_name: displayName };
    const row = { id, kind, ...names, display_name_key: searchKey(displayName) };
    const added = await insertOwner.first(ctx.db, { ...row, avatar_url: null, created_at: now, updated_at: now });
    if (added) {
      await deleteFormerName.run(ctx.db, { key: name.toLowerCase() });
      return { id, name };
    }
  }
  throw conflict(`The name "${wanted ?? displayName}" is taken; choose another.`);
}

export async function listOrgs(ctx: UserCtx): Promise<(Org & { role: OrgRole })[]> {
  const rows = await listOrgsOfUser.all(ctx.db, { userId: ctx.actor.user.id });
  return rows.map((row) => ({ ...toOrg(row), role: row.role }));
}

const audited = auditFields('name', 'displayName');
const ownerName = { table: 'owners', columns: ['name_key'] };

export async function updateOrg(ctx: OrgCtx, change: { name?: string; displayName?: string }): Promise<Org> {
  refuseDots(change.name);
  return tx(ctx, async (ctx) => {
    await lockOwner.first(ctx.db, { id: ctx.org.id });
    const before = await getOrg(ctx);
    const after = {
      ...before,
      name: change.name ?? before.name,
      displayName: change.displayName ?? before.displayName,
      updatedAt: ctx.clock.now(),
    };
    if (after.name === before.name && after.displayName === before.displayName) return before;
    const key = after.name.toLowerCase();
    const taken = conflict(`The name "${after.name}" is taken; choose another.`);
    if (key !== before.name.toLowerCase()) {
      if (await findOwnerName.first(ctx.db, { key })) throw taken;
      await deleteFormerName.run(ctx.db, { key });
      await saveFormerName.run(ctx.db, { name_key: before.name.toLowerCase(), owner_id: before.id });
    }
    const { id, name, displayName, updatedAt } = after;
    const words = { display_name: displayName, display_name_key: searchKey(displayName) };
    const row = { id, name, name_key: key, ...words, updated_at: updatedAt };
    await claim(ownerName, taken, updateOwner.run(ctx.db, row));
    const subject = { kind: 'org', id, name, orgId: id } as const;
    await record(ctx, 'org.update', subject, { before: audited(before), after: audited(after) });
    return after;
  });
}

export const deleteOrg = (ctx: OrgCtx): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { id, name } = ctx.org;
    // With an organization go its service accounts.
    const serviceAccounts = await listServiceAccountsOfOrg.all(ctx.db, { orgId: id });
    await refuseOwners(ctx, name, [id, ...serviceAccounts.map((account) => account.id)]);
    for (const account of serviceAccounts) await publish(ctx, tokensRevoked, { userId: account.id, alsoOfApps: true });
    await deleteServiceAccountsOfOrg.run(ctx.db, { orgId: id });
    await discardAvatar(ctx, (await deleteOwner.first(ctx.db, { id }))?.avatar_url);
    await record(ctx, 'org.delete', { kind: 'org', id, name, orgId: id }, { before: { name } });
  });

export const listMembers = async (ctx: OrgCtx): Promise<OrgMember[]> =>
  (await listOrgMembers.all(ctx.db, { orgId: ctx.org.id })).map(toMember);

export type MemberSort = 'display_name' | 'name' | 'email' | 'role' | 'joined_at';
const memberSorts: Sorts<MemberSort> = {
  display_name: 'name',
  name: 'name',
  email: 'name',
  role: 'rank',
  joined_at: 'time',
};

export type ListedMember = OrgMember & { avatarUrl: string | undefined; isServiceAccount: boolean };

export const searchMembers = (
  ctx: OrgCtx,
  { role, ...input }: ListInput<MemberSort> & { role?: OrgRole | undefined },
): Promise<Page<ListedMember>> =>
  readList(
    input,
    memberSorts,
    (listing) => pageOrgMembers(ctx.db, { orgId: ctx.org.id, role }, listing),
    (row) => ({
      ...toMember(row),
      avatarUrl: row.avatar_url ?? undefined,
      isServiceAccount: row.service_org_id !== null,
    }),
  );

export async function getMember(ctx: OrgCtx, userName: string): Promise<OrgMember> {
  const row = await findOrgMember.first(ctx.db, { orgId: ctx.org.id, key: userName.toLowerCase() });
  if (!row) throw notFound('member', userName);
  return toMember(row);
}

const findMember = async (ctx: Pick<Ctx, 'db'>, orgId: string, user: User): Promise<OrgMember | undefined> => {
  const row = await findOrgMember.first(ctx.db, { orgId, key: user.name.toLowerCase() });
  return row && toMember(row);
};

/** The role of an account that can sign in. */
export const findRole = async (ctx: Pick<Ctx, 'db'>, orgId: string, userId: string): Promise<OrgRole | undefined> =>
  (await findOrgRole.first(ctx.db, { orgId, userId }))?.role;

export async function findMemberByEmail(
  ctx: Pick<Ctx, 'db'>,
  orgId: string,
  email: string,
): Promise<OrgMember | undefined> {
  const user = await findPersonByEmail(ctx, email);
  return user && findMember(ctx, orgId, user);
}

export async function refuseLastAdmin(ctx: OrgCtx, member: Pick<OrgMember, 'userId' | 'name'>): Promise<void> {
  const admins = await lockOrgAdmins.all(ctx.db, { orgId: ctx.org.id });
  if (admins.length === 1 && admins[0]?.user_id === member.userId) {
    throw conflict(`${member.name} is the last admin of ${ctx.org.name}; make somebody else one first.`);
  }
}

const memberSubject = (ctx: OrgCtx, { userId, name }: OrgMember) =>
  ({ kind: 'user', id: userId, name, orgId: ctx.org.id }) as const;

export const updateMember = (ctx: OrgCtx, userName: string, role: OrgRole | undefined): Promise<OrgMember> =>
  tx(ctx, async (ctx) => {
    const member = await getMember(ctx, userName);
    if (role === undefined || role === member.role) return member;
    if (role !== 'admin') await refuseLastAdmin(ctx, member);
    const row = { org_id: ctx.org.id, user_id: member.userId, role, joined_at: member.joinedAt };
    await saveOrgMember.run(ctx.db, row);
    if (!isRoleAtLeast(role, member.role)) {
      await publish(ctx, memberDemoted, { orgId: ctx.org.id, userId: member.userId });
    }
    const changes = { before: { role: member.role }, after: { role } };
    await record(ctx, 'org.update_member', memberSubject(ctx, member), changes);
    return { ...member, role };
  });

/** Admins remove anybody, members themselves; with the membership go its apps, teams and distribution groups. */
export const removeMember = (ctx: OrgCtx, userName: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const member = await getMember(ctx, userName);
    if (ctx.role !== 'admin' && member.userId !== ctx.actor.user.id) {
      throw forbidden(`This needs the role admin in ${ctx.org.name}; you are ${ctx.role}.`);
    }
    if (await findServiceAccount.first(ctx.db, { orgId: ctx.org.id, key: member.name.toLowerCase() })) {
      throw conflict(`${member.name} is a service account of ${ctx.org.name}; delete it instead.`);
    }
    await refuseLastAdmin(ctx, member);
    const who = { orgId: ctx.org.id, userId: member.userId };
    // The membership goes first: whoever is adding them to a team holds it, and is done before their teams are looked at.
    await deleteOrgMember.run(ctx.db, who);
    await publish(ctx, memberRemoved, { ...who, email: member.email });
    await record(ctx, 'org.remove_member', memberSubject(ctx, member), { before: { role: member.role } });
  });

/** Makes a user a member; whoever calls it has decided that this may be done. */
export const addMember = (ctx: Ctx, org: Pick<OrgCtx['org'], 'id'>, user: User, role: OrgRole): Promise<void> =>
  tx(ctx, async (ctx) => {
    const isNew = (await findMember(ctx, org.id, user)) === undefined;
    await saveOrgMember.run(ctx.db, { org_id: org.id, user_id: user.id, role, joined_at: ctx.clock.now() });
    if (isNew) {
      const { id: userId, name, displayName } = user;
      await publish(ctx, memberJoined, { orgId: org.id, userId, name, displayName, role });
    }
    const subject = { kind: 'user', id: user.id, name: user.name, orgId: org.id } as const;
    await record(ctx, 'org.add_member', subject, { after: { role } });
  });

/** The same for somebody who may be a member already: a higher role stays. */
export const joinOrg = (ctx: Ctx, orgId: string, user: User, role: OrgRole): Promise<void> =>
  tx(ctx, async (ctx) => {
    const member = await findMember(ctx, orgId, user);
    if (!member || !isRoleAtLeast(member.role, role)) await addMember(ctx, { id: orgId }, user, role);
  });
