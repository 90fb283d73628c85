import type { AppPermission } from '@mooring/contract';
import type { AppCtx, OrgCtx, User, UserCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { publish } from '../../jobs/index.ts';
import { DAY } from '../../kernel/clock.ts';
import { randomBase62, sha256 } from '../../kernel/crypto/crypto.ts';
import { badRequest, conflict, Failure, forbidden, notFound } from '../../kernel/errors.ts';
import { type ListInput, type Page, readList, type Sorts } from '../../kernel/paging.ts';
import { isEmail } from '../../kernel/text/email.ts';
import { isEmailVerified, isServiceAddress, toUser } from '../accounts/index.ts';
import { listAppUsers } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { listCrowdedRecipients, lockRecipients, sendMail, tooManyMails } from '../mail/index.ts';
import { cannotChangeMembers, isCollaborators } from './collaborators.ts';
import { groupMail } from './group-mail.ts';
import {
  deleteInvitation,
  deleteMember,
  findInvitationByToken,
  findMember,
  findOfferByToken,
  insertInvitation,
  insertMember,
  listAppTesterRows,
  listInvitations,
  listMembers,
  listOrgMemberIds,
  listOrgTesterRows,
  listUsersByEmail,
  pageTesters,
  renewInvitation,
  takeInvitations,
} from './group-members.store.ts';
import { groupJoined } from './groups.events.ts';
import { listGroupsInvitedTo } from './groups.store.ts';
import { changeGroup, type Group, type GroupCtx, getGroup, groupSubject, homeName, toGroup } from './groups.ts';

export const GROUP_INVITATION_LIFE = 7 * DAY;

/** 256 bits, too long to guess. */
const TOKEN_LENGTH = 43;

/** A member, or a pending invitation, which has no user. */
export interface GroupMember {
  email: string;
  user: User | undefined;
}

export async function listGroupMembers(
  ctx: GroupCtx,
  name: string,
  { withPending = true } = {},
): Promise<GroupMember[]> {
  const { id } = await getGroup(ctx, name);
  const members = (await listMembers.all(ctx.db, { groupId: id })).map(toUser);
  const pending = withPending ? await listInvitations.all(ctx.db, { groupId: id }) : [];
  return [
    ...members.map((user) => ({ email: user.email, user })),
    ...pending.map(({ email }) => ({ email, user: undefined })),
  ];
}

const testerSorts = { email: 'name', display_name: 'name' } satisfies Sorts<string>;
export type TesterSort = keyof typeof testerSorts;

/** Like `listGroupMembers`, paged, searched and sorted. */
export async function searchGroupMembers(
  ctx: GroupCtx,
  name: string,
  { isPending, ...input }: ListInput<TesterSort> & { isPending?: boolean | undefined },
): Promise<Page<GroupMember>> {
  const { id: groupId } = await getGroup(ctx, name);
  return readList(
    input,
    testerSorts,
    (listing) => pageTesters(ctx.db, { groupId, isPending }, listing),
    (row) => ({ email: row.email, user: row.is_pending ? undefined : toUser(row) }),
  );
}

/** The app that an invitation leads to. */
export interface InvitedApp {
  name: string;
  owner: { kind: 'org' | 'user'; name: string };
}

interface GroupOffer {
  email: string;
  target: string;
  /** Undefined for a shared group. */
  app: InvitedApp | undefined;
  expiresAt: number;
}

/** Undefined for a row without an app. */
export const toInvitedApp = (row: {
  app_name: string | null;
  owner_name: string | null;
  owner_kind: 'org' | 'user' | null;
}): InvitedApp | undefined =>
  row.app_name === null
    ? undefined
    : { name: row.app_name, owner: { kind: row.owner_kind ?? 'user', name: row.owner_name ?? '' } };

/** The invitation of a link, for anyone who has it. */
export async function findGroupOffer(
  ctx: Pick<UserCtx, 'db' | 'clock'>,
  token: string,
): Promise<GroupOffer | undefined> {
  const row = await findOfferByToken.first(ctx.db, { hash: sha256(token), now: ctx.clock.now() });
  const target = `${row?.app ?? row?.org}, as a tester in the group ${row?.group}`;
  return row && { email: row.email, target, app: toInvitedApp(row), expiresAt: row.expires_at };
}

export interface Tester {
  user: User;
  permission: AppPermission;
}

/** Members of the app's groups, and users who became testers in other ways. */
export async function listTesters(ctx: AppCtx): Promise<Tester[]> {
  const users = new Map((await listAppUsers(ctx)).map((entry) => [entry.user.id, entry]));
  const inGroups = (await listAppTesterRows.all(ctx.db, { appId: ctx.app.id })).map(toUser);
  const known = new Set(inGroups.map(({ id }) => id));
  const testers = [
    ...inGroups.map((user): Tester => users.get(user.id) ?? { user, permission: 'tester' }),
    ...[...users.values()].filter(({ user, permission }) => permission === 'tester' && !known.has(user.id)),
  ];
  return testers.sort((a, b) => a.user.name.localeCompare(b.user.name, 'en'));
}

export const listOrgTesters = async (ctx: OrgCtx): Promise<User[]> =>
  (await listOrgTesterRows.all(ctx.db, { orgId: ctx.org.id })).map(toUser);

/** The result for one address. Failures do not affect the other addresses. */
export interface UserResult {
  email: string;
  isPending?: boolean;
  failure?: Failure;
}

/** Calls `work` once per address, ignoring duplicates and case; returns results in the order of the request. */
async function forEach(emails: string[], work: (email: string, key: string) => Promise<Omit<UserResult, 'email'>>) {
  const done = new Map<string, Omit<UserResult, 'email'>>();
  for (const email of emails) {
    const key = email.toLowerCase();
    if (!done.has(key)) done.set(key, await work(email, key));
  }
  return emails.map((email): UserResult => ({ email, ...done.get(email.toLowerCase()) }));
}

const toIds = (rows: { id: string }[]) => rows.map(({ id }) => id);

/**
 * Users who join without an invitation: those with access to the app, or the members of the organization that shares the
 * group.
 */
async function findInsiders(ctx: GroupCtx): Promise<Set<string>> {
  if ('org' in ctx) return new Set(toIds(await listOrgMemberIds.all(ctx.db, { orgId: ctx.org.id })));
  const users = (await listAppUsers(ctx)).map(({ user }) => user);
  return new Set([...toIds(users), ...toIds(await listAppTesterRows.all(ctx.db, { appId: ctx.app.id }))]);
}

/** Runs `work` on a group with stored members, so not on the collaborators. */
const changeMembers = <C extends GroupCtx, T>(ctx: C, name: string, work: (ctx: C, group: Group) => Promise<T>) =>
  changeGroup(ctx, name, async (ctx, group) => {
    if (isCollaborators(group)) throw cannotChangeMembers(homeName(group));
    return work(ctx, group);
  });

/** A failure of one address must not abort the transaction of all. */
export const addGroupUsers = (ctx: GroupCtx, name: string, emails: string[]): Promise<UserResult[]> =>
  changeMembers(ctx, name, async (ctx, group) => {
    if (emails.length === 0) return [];
    const keys = [...new Set(emails.map((email) => email.toLowerCase()))];
    const users = new Map((await listUsersByEmail(ctx.db, keys)).map((row) => [row.email_key, row.id]));
    const insiders = await findInsiders(ctx);
    const members = new Set(toIds(await listMembers.all(ctx.db, { groupId: group.id })));
    await lockRecipients(ctx, emails);
    const crowded = await listCrowdedRecipients(ctx);
    return forEach(emails, async (email, key) => {
      if (!isEmail(email)) return { failure: badRequest(`"${email}" is not an email address.`) };
      if (isServiceAddress(email)) {
        return { failure: badRequest(`${email} is a service account and can't be a tester.`) };
      }
      const userId = users.get(key) ?? '';
      const isIn = () => ({ failure: conflict(`${email} is already in the group ${group.name}.`) });
      if (members.has(userId)) return isIn();
      if (insiders.has(userId)) {
        if (!(await insertMember.first(ctx.db, { group_id: group.id, user_id: userId }))) return isIn();
        await deleteInvitation.run(ctx.db, { groupId: group.id, key });
        await publish(ctx, groupJoined, { groupId: group.id, userId });
      } else if (crowded.has(key)) {
        return { failure: tooManyMails(email) };
      } else if (!(await invite(ctx, group, email))) {
        return {
          failure: conflict(`${email} is already invited to the group ${group.name}. Resend the invitation instead.`),
        };
      }
      const isPending = !insiders.has(userId);
      await record(ctx, 'group.add_user', groupSubject(group), { after: { email, invite_pending: isPending } });
      return { isPending };
    });
  });

async function invite(ctx: GroupCtx, group: Group, email: string): Promise<boolean> {
  const token = randomBase62(TOKEN_LENGTH);
  const now = ctx.clock.now();
  const expires_at = now + GROUP_INVITATION_LIFE;
  const row = { group_id: group.id, email, email_key: email.toLowerCase(), token_hash: sha256(token), expires_at };
  if (!(await insertInvitation.first(ctx.db, { ...row, now }))) return false;
  await mail(ctx, group, email, { token, expiresAt: expires_at });
  return true;
}

/** The token exists only in the email. With an app token, the invitation is in the name of the token's creator. */
const mail = (
  ctx: GroupCtx,
  group: Group,
  email: string,
  { token, expiresAt }: { token: string; expiresAt: number },
): Promise<void> =>
  sendMail(
    ctx,
    groupMail({
      inviter: ctx.actor.kind === 'user' ? ctx.actor.user.displayName : ctx.actor.createdBy.name,
      target: `${group.app ? 'the app' : 'apps of the organization'} ${homeName(group)}`,
      group: group.name,
      email,
      link: `${ctx.publicUrl()}/invitations/group/${token}`,
      expiresAt,
    }),
  );

const missing = (group: Group, email: string) => notFound(`member of the group ${group.name}`, email);

/** Removes members, or their pending invitations. */
export const removeGroupUsers = (ctx: GroupCtx, name: string, emails: string[]): Promise<UserResult[]> =>
  changeMembers(ctx, name, async (ctx, group) => {
    return forEach(emails, async (email, key) => {
      const who = { groupId: group.id, key };
      const member = await deleteMember.first(ctx.db, who);
      const invitation = await deleteInvitation.first(ctx.db, who);
      if (!member && !invitation) return { failure: missing(group, email) };
      await record(ctx, 'group.remove_user', groupSubject(group), { before: { email, invite_pending: !member } });
      return {};
    });
  });

/** Like `removeGroupUsers`, but all or none, for endpoints without a result per address. */
export const removeAllGroupUsers = (ctx: OrgCtx, name: string, emails: string[]): Promise<void> =>
  tx(ctx, async (ctx) => {
    const failed = (await removeGroupUsers(ctx, name, emails)).filter(({ failure }) => failure);
    if (failed.length > 0) throw notFound(`member of the group ${name}`, failed.map(({ email }) => email).join(', '));
  });

/** Users who have accepted get no email. */
export const resendGroupInvitations = (ctx: GroupCtx, name: string, emails: string[]): Promise<void> =>
  changeMembers(ctx, name, async (ctx, group) => {
    await lockRecipients(ctx, emails);
    const crowded = await listCrowdedRecipients(ctx);
    await forEach(emails, async (email, key) => {
      if (crowded.has(key)) throw tooManyMails(email);
      const who = { groupId: group.id, key };
      const token = randomBase62(TOKEN_LENGTH);
      const expiresAt = ctx.clock.now() + GROUP_INVITATION_LIFE;
      const open = await renewInvitation.first(ctx.db, { ...who, hash: sha256(token), expiresAt });
      if (open) {
        await mail(ctx, group, open.email, { token, expiresAt });
        await record(ctx, 'group.resend_invite', groupSubject(group), { after: { email: open.email } });
      } else if (!(await findMember.first(ctx.db, who))) {
        throw missing(group, email);
      }
      return {};
    });
  });

/**
 * Anyone could enter an email for an account, so it must be verified; the token of an invitation proves access to the
 * mailbox.
 */
async function proveEmail(ctx: UserCtx, token: string | undefined): Promise<void> {
  const { email } = ctx.actor.user;
  if (token === undefined) {
    if (await isEmailVerified(ctx, ctx.actor.user.id)) return;
    throw forbidden('Your email address is not verified. Open the link in the invitation email.');
  }
  const row = await findInvitationByToken.first(ctx.db, { hash: sha256(token), now: ctx.clock.now() });
  if (!row)
    throw new Failure(
      'NotFound',
      'This invitation is invalid: it was used, resent, revoked, or has expired. Ask for a new one.',
    );
  if (row.email_key !== email.toLowerCase()) {
    throw forbidden(
      `This invitation is for ${row.email}, but you are signed in as ${email}. Sign in with the invited account.`,
    );
  }
}

/** Accepts all open invitations to groups that were sent to the caller's email. */
export const acceptGroupInvitations = (ctx: UserCtx, token?: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { user } = ctx.actor;
    const emailKey = user.email.toLowerCase();
    await proveEmail(ctx, token);
    const groups = (await listGroupsInvitedTo.all(ctx.db, { emailKey })).map(toGroup);
    const taken = new Set(
      (await takeInvitations.all(ctx.db, { key: emailKey, now: ctx.clock.now() })).map(({ group_id }) => group_id),
    );
    for (const group of groups.filter(({ id }) => taken.has(id))) {
      await insertMember.first(ctx.db, { group_id: group.id, user_id: user.id });
      await publish(ctx, groupJoined, { groupId: group.id, userId: user.id });
      await record(ctx, 'group.accept', groupSubject(group), { after: { user: user.name } });
    }
  });
