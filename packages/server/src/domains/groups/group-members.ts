import type { AppPermission } from '@mooring/contract';
import type { AppCtx, OrgCtx, User, UserCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { publish } from '../../jobs/index.ts';
import { DAY } from '../../kernel/clock.ts';
import { randomBase62, sha256 } from '../../kernel/crypto.ts';
import { isEmail } from '../../kernel/email.ts';
import { badRequest, conflict, type Failure, forbidden, notFound } from '../../kernel/errors.ts';
import { type ListInput, type Page, readList, type Sorts } from '../../kernel/paging.ts';
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
  listInvitations,
  listMembers,
  listOrgMemberIds,
  listTestersOfApp,
  listTestersOfOrg,
  listUsersByEmail,
  pageTesters,
  renewInvitation,
  takeInvitations,
} from './group-members.store.ts';
import { groupJoined } from './groups.events.ts';
import { listGroupsInvitedTo } from './groups.store.ts';
import { changeGroup, type Group, type GroupCtx, getGroup, groupSubject, homeName, toGroup } from './groups.ts';

/** How long a link works. */
export const GROUP_INVITATION_LIFE = 7 * DAY;

/** Longer than any guess: 256 bits. */
const TOKEN_LENGTH = 43;

/** Somebody in a group; without a user they have not accepted yet. */
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

export type TesterSort = 'email' | 'display_name';
const testerSorts: Sorts<TesterSort> = { email: 'name', display_name: 'name' };

/** The same in pages, searched and sorted. */
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

/** What the link in a mail offers, for whoever holds it. */
export async function findGroupOffer(
  ctx: Pick<UserCtx, 'db' | 'clock'>,
  token: string,
): Promise<{ email: string; target: string; expiresAt: number } | undefined> {
  const row = await findOfferByToken.first(ctx.db, { hash: sha256(token), now: ctx.clock.now() });
  const target = `${row?.app ?? row?.org}, as a tester in the group ${row?.group}`;
  return row && { email: row.email, target, expiresAt: row.expires_at };
}

export interface Tester {
  user: User;
  permission: AppPermission;
}

/** Everybody in a group of the app, and who was made a tester of it otherwise. */
export async function listTesters(ctx: AppCtx): Promise<Tester[]> {
  const users = new Map((await listAppUsers(ctx)).map((entry) => [entry.user.id, entry]));
  const inGroups = (await listTestersOfApp.all(ctx.db, { appId: ctx.app.id })).map(toUser);
  const known = new Set(inGroups.map(({ id }) => id));
  const testers = [
    ...inGroups.map((user): Tester => users.get(user.id) ?? { user, permission: 'tester' }),
    ...[...users.values()].filter(({ user, permission }) => permission === 'tester' && !known.has(user.id)),
  ];
  return testers.sort((a, b) => a.user.name.localeCompare(b.user.name, 'en'));
}

export const listOrgTesters = async (ctx: OrgCtx): Promise<User[]> =>
  (await listTestersOfOrg.all(ctx.db, { orgId: ctx.org.id })).map(toUser);

/** What became of one address of many: one that fails leaves the others alone. */
export interface UserResult {
  email: string;
  isPending?: boolean;
  failure?: Failure;
}

/** Does `work` once for each address, however often and in whatever case it was sent; answers in the order sent. */
async function forEach(emails: string[], work: (email: string, key: string) => Promise<Omit<UserResult, 'email'>>) {
  const done = new Map<string, Omit<UserResult, 'email'>>();
  for (const email of emails) {
    const key = email.toLowerCase();
    if (!done.has(key)) done.set(key, await work(email, key));
  }
  return emails.map((email): UserResult => ({ email, ...done.get(email.toLowerCase()) }));
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

/** Who joins without being asked: whoever has access to the app, or is in the organization that shares the group. */
async function findInsiders(ctx: GroupCtx): Promise<Set<string>> {
  if ('org' in ctx) return new Set(idsOf(await listOrgMemberIds.all(ctx.db, { orgId: ctx.org.id })));
  const users = (await listAppUsers(ctx)).map(({ user }) => user);
  return new Set([...idsOf(users), ...idsOf(await listTestersOfApp.all(ctx.db, { appId: ctx.app.id }))]);
}

/** Runs `work` on a group whose members people choose. */
const changeMembers = <C extends GroupCtx, T>(ctx: C, name: string, work: (ctx: C, group: Group) => Promise<T>) =>
  changeGroup(ctx, name, async (ctx, group) => {
    if (isCollaborators(group)) throw cannotChangeMembers(homeName(group));
    return work(ctx, group);
  });

/** Each address for itself: nothing that can be wrong with one stops the transaction of all. */
export const addGroupUsers = (ctx: GroupCtx, name: string, emails: string[]): Promise<UserResult[]> =>
  changeMembers(ctx, name, async (ctx, group) => {
    if (emails.length === 0) return [];
    const keys = [...new Set(emails.map((email) => email.toLowerCase()))];
    const users = new Map((await listUsersByEmail(ctx.db, keys)).map((row) => [row.email_key, row.id]));
    const insiders = await findInsiders(ctx);
    const members = new Set(idsOf(await listMembers.all(ctx.db, { groupId: group.id })));
    await lockRecipients(ctx, emails);
    const crowded = await listCrowdedRecipients(ctx);
    return forEach(emails, async (email, key) => {
      if (!isEmail(email)) return { failure: badRequest(`"${email}" is not an e-mail address.`) };
      if (isServiceAddress(email)) {
        return { failure: badRequest(`${email} is a service account; testers are people.`) };
      }
      const userId = users.get(key) ?? '';
      const isIn = () => ({ failure: conflict(`${email} is in the group ${group.name} already.`) });
      if (members.has(userId)) return isIn();
      if (insiders.has(userId)) {
        if (!(await insertMember.first(ctx.db, { group_id: group.id, user_id: userId }))) return isIn();
        await deleteInvitation.run(ctx.db, { groupId: group.id, key });
        await publish(ctx, groupJoined, { groupId: group.id, userId });
      } else if (crowded.has(key)) {
        return { failure: tooManyMails(email) };
      } else if (!(await invite(ctx, group, email))) {
        return { failure: conflict(`${email} is invited to the group ${group.name} already; resend the invitation.`) };
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

/** The token is in the mail and nowhere else. An app token invites in the name of whoever made it. */
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

/** Takes people out of a group, or their invitations back. */
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

/** The same where the answer has no room for one result each: all of them, or none. */
export const removeAllGroupUsers = (ctx: OrgCtx, name: string, emails: string[]): Promise<void> =>
  tx(ctx, async (ctx) => {
    const failed = (await removeGroupUsers(ctx, name, emails)).filter(({ failure }) => failure);
    if (failed.length > 0) throw notFound(`member of the group ${name}`, failed.map(({ email }) => email).join(', '));
  });

/** Who has accepted needs no mail. */
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

/** An account's e-mail may be anybody's until it is verified; the token from a mail shows that its reader asks. */
async function proveEmail(ctx: UserCtx, token: string | undefined): Promise<void> {
  const { email } = ctx.actor.user;
  if (token === undefined) {
    if (await isEmailVerified(ctx, ctx.actor.user.id)) return;
    throw forbidden('Your e-mail is not verified; use the link in the mail that invites you.');
  }
  const row = await findInvitationByToken.first(ctx.db, { hash: sha256(token), now: ctx.clock.now() });
  if (!row) throw notFound('invitation; it may have been used, sent again or taken back, or have expired');
  if (row.email_key !== email.toLowerCase()) {
    throw forbidden(`This invitation is for ${row.email}; you are signed in as ${email}.`);
  }
}

/** Accepts every invitation to a group that was sent to the caller's e-mail and has not expired. */
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
