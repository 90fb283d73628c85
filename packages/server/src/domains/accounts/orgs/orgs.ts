import { isRoleAtLeast, type OrgRole } from '@mooring/contract';
import type { Actor, Ctx, Deps, OrgCtx, User, UserCtx } from '../../../context.ts';
import { claim } from '../../../db/rows/claim.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { badRequest, conflict, forbidden, notFound } from '../../../kernel/errors.ts';
import { type ListInput, type Page, readList, type Sorts } from '../../../kernel/paging.ts';
import { nameFrom, refuseDots } from '../../../kernel/text/names.ts';
import { searchKey } from '../../../kernel/text/search-key.ts';
import { auditFields, record } from '../../audit/index.ts';
import { discardAvatar } from '../../avatars/index.ts';
import { memberDemoted, memberJoined, memberRemoved, tokensRevoked } from '../accounts.events.ts';
import { insertOwner, updateOwner } from '../users/users.store.ts';
import { findPersonByEmail } from '../users/users.ts';
import {
  deleteOrgMember,
  deleteOwner,
  deletePreviousName,
  findOrg,
  findOrgForUser,
  findOrgMember,
  findOrgRole,
  findOwnerName,
  findPreviousName,
  listOrgMembers,
  listUserOrgs,
  lockOrgAdmins,
  lockOrgMember,
  lockOwner,
  pageOrgMembers,
  saveOrgMember,
  savePreviousName,
} from './orgs.store.ts';
import { refuseOwners } from './owner-deletion.ts';
import { deleteOrgServiceAccounts, findServiceAccount, listOrgServiceAccounts } from './service-accounts.store.ts';

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

/** The current name of an owner. Reads also accept its previous names. */
export async function currentOwnerName({ db }: Pick<Deps, 'db'>, name: string): Promise<string> {
  return (await findPreviousName.first(db, { key: name.toLowerCase() }))?.name ?? name;
}

export const findOwner = ({ db }: Pick<Deps, 'db'>, name: string) =>
  findOwnerName.first(db, { key: name.toLowerCase() });

/** The role of an actor in an organization, or undefined if the actor can't see it. */
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
  if (displayName === undefined) throw badRequest('An organization requires a name. Send display_name or name.');
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

/** A requested name must be free; one derived from the display name gets a number if it is taken. */
export async function addOwner(
  ctx: Ctx,
  kind: 'user' | 'org',
  requestedName: string | undefined,
  displayName: string,
): Promise<{ id: string; name: string }> {
  const id = ctx.newId();
  const now = ctx.clock.now();
  for (const name of requestedName === undefined ? nameFrom(displayName) : [requestedName]) {
    const names = { name, name_key: name.toLowerCase(), display_name: displayName };
    const row = { id, kind, ...names, display_name_key: searchKey(displayName) };
    const added = await insertOwner.first(ctx.db, { ...row, avatar_url: null, created_at: now, updated_at: now });
    if (added) {
      await deletePreviousName.run(ctx.db, { key: name.toLowerCase() });
      return { id, name };
    }
  }
  throw conflict(`The name "${requestedName ?? displayName}" is taken. Choose another.`, 'name');
}

export async function listOrgs(ctx: UserCtx): Promise<(Org & { role: OrgRole })[]> {
  const rows = await listUserOrgs.all(ctx.db, { userId: ctx.actor.user.id });
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
    const taken = conflict(`The name "${after.name}" is taken. Choose another.`, 'name');
    if (key !== before.name.toLowerCase()) {
      if (await findOwnerName.first(ctx.db, { key })) throw taken;
      await deletePreviousName.run(ctx.db, { key });
      await savePreviousName.run(ctx.db, { name_key: before.name.toLowerCase(), owner_id: before.id });
    }
    const { id, name, displayName, updatedAt } = after;
    const nameColumns = { display_name: displayName, display_name_key: searchKey(displayName) };
    const row = { id, name, name_key: key, ...nameColumns, updated_at: updatedAt };
    await claim(ownerName, taken, updateOwner.run(ctx.db, row));
    const subject = { kind: 'org', id, name, orgId: id } as const;
    await record(ctx, 'org.update', subject, { before: audited(before), after: audited(after) });
    return after;
  });
}

export const deleteOrg = (ctx: OrgCtx): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { id, name } = ctx.org;
    // Service accounts are deleted with their organization.
    const serviceAccounts = await listOrgServiceAccounts.all(ctx.db, { orgId: id });
    await refuseOwners(ctx, name, [id, ...serviceAccounts.map((account) => account.id)]);
    for (const account of serviceAccounts)
      await publish(ctx, tokensRevoked, { userId: account.id, includesAppTokens: true });
    await deleteOrgServiceAccounts.run(ctx.db, { orgId: id });
    await discardAvatar(ctx, (await deleteOwner.first(ctx.db, { id }))?.avatar_url);
    await record(ctx, 'org.delete', { kind: 'org', id, name, orgId: id }, { before: { name } });
  });

export const listMembers = async (ctx: OrgCtx): Promise<OrgMember[]> =>
  (await listOrgMembers.all(ctx.db, { orgId: ctx.org.id })).map(toMember);

const memberSorts = {
  display_name: 'name',
  name: 'name',
  email: 'name',
  role: 'rank',
  joined_at: 'time',
} satisfies Sorts<string>;
export type MemberSort = keyof typeof memberSorts;

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

export const findMember = async (
  ctx: Pick<Ctx, 'db'>,
  orgId: string,
  user: Pick<User, 'name'>,
): Promise<OrgMember | undefined> => {
  const row = await findOrgMember.first(ctx.db, { orgId, key: user.name.toLowerCase() });
  return row && toMember(row);
};

/** Finds the member with this email, and keeps them in the organization until the transaction ends. */
export const lockMembership = async (
  ctx: Pick<Ctx, 'db'>,
  orgId: string,
  email: string,
): Promise<{ userId: string } | undefined> => {
  const row = await lockOrgMember.first(ctx.db, { orgId, emailKey: email.toLowerCase() });
  return row && { userId: row.user_id };
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

export async function refuseLastAdmin(
  ctx: Pick<OrgCtx, 'db' | 'org'>,
  member: Pick<OrgMember, 'userId' | 'name'>,
): Promise<void> {
  const admins = await lockOrgAdmins.all(ctx.db, { orgId: ctx.org.id });
  if (admins.length === 1 && admins[0]?.user_id === member.userId) {
    throw conflict(`${member.name} is the last admin of ${ctx.org.name}. Promote another member first.`);
  }
}

const memberSubject = (ctx: Pick<OrgCtx, 'org'>, { userId, name }: OrgMember) =>
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

/** Admins can remove any member, and members themselves. Their access to apps, teams and distribution groups ends too. */
export const removeMember = (ctx: OrgCtx, userName: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const member = await getMember(ctx, userName);
    if (ctx.role !== 'admin' && member.userId !== ctx.actor.user.id) {
      throw forbidden(`This requires the role admin in ${ctx.org.name}; you are ${ctx.role}.`);
    }
    if (await findServiceAccount.first(ctx.db, { orgId: ctx.org.id, key: member.name.toLowerCase() })) {
      throw conflict(`Can't remove ${member.name}: it is a service account of ${ctx.org.name}. Delete it instead.`);
    }
    await endMembership(ctx, member);
  });

/** Removes a member, and access to apps, teams and distribution groups. The caller has checked that this is allowed. */
export const endMembership = (ctx: Ctx & Pick<OrgCtx, 'org'>, member: OrgMember): Promise<void> =>
  tx(ctx, async (ctx) => {
    await refuseLastAdmin(ctx, member);
    const who = { orgId: ctx.org.id, userId: member.userId };
    // Delete the membership first: a concurrent transaction that adds the user to a team holds its lock, so their teams are
    // read after it has finished.
    await deleteOrgMember.run(ctx.db, who);
    await publish(ctx, memberRemoved, { ...who, email: member.email });
    await record(ctx, 'org.remove_member', memberSubject(ctx, member), { before: { role: member.role } });
  });

/** Adds a user to an organization. The caller has checked that this is allowed. */
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

/** Like `addMember`, but keeps a higher role if the user is already a member. */
export const joinOrg = (ctx: Ctx, orgId: string, user: User, role: OrgRole): Promise<void> =>
  tx(ctx, async (ctx) => {
    const member = await findMember(ctx, orgId, user);
    if (!member || !isRoleAtLeast(member.role, role)) await addMember(ctx, { id: orgId }, user, role);
  });
