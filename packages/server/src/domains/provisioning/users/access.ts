import type { OrgRole } from '@mooring/contract';
import { conflict, forbidden } from '../../../kernel/errors.ts';
import {
  type Account,
  addMember,
  endMembership,
  findMember,
  getAccount,
  lockAccounts,
  updateAccount,
} from '../../accounts/index.ts';
import type { DirectoryCtx } from '../directory.scope.ts';
import { ownsAddress } from '../org-domains.ts';
import { saveMarks } from './scim-users.store.ts';

/** Access that the directory has ended, and may restore. */
export interface Marks {
  hasDisabled: boolean;
  removedRole: string | null;
}

/**
 * True if the organization manages the account itself: its verified address is in a domain of the organization. Anyone can sign
 * up with an unverified address of an employee. Never an administrator of the server or a service account. The directory
 * controls only the membership of all others.
 */
export const isManaged = async (
  ctx: DirectoryCtx,
  {
    email,
    isEmailVerified,
    isAdmin,
    isServiceAccount,
  }: Pick<Account, 'email' | 'isEmailVerified' | 'isAdmin' | 'isServiceAccount'>,
): Promise<boolean> => isEmailVerified && !(isAdmin || isServiceAccount) && (await ownsAddress(ctx, ctx.org.id, email));

const save = (ctx: DirectoryCtx, id: string, { hasDisabled, removedRole }: Marks) =>
  saveMarks.run(ctx.db, {
    orgId: ctx.org.id,
    id,
    has_disabled: hasDisabled ? 1 : 0,
    removed_role: removedRole,
  });

/** Locked, because an administrator may promote the user meanwhile. */
export async function lockAccount(ctx: DirectoryCtx, id: string): Promise<Account> {
  await lockAccounts(ctx, [id]);
  return getAccount(ctx, id);
}

/** Ends all access of a user: of a managed account everywhere, otherwise in this organization. */
export async function withdrawAccess(ctx: DirectoryCtx, id: string, marks: Marks): Promise<void> {
  const account = await lockAccount(ctx, id);
  if (await isManaged(ctx, account)) {
    if (account.isDisabled) return;
    await updateAccount(ctx, id, { isDisabled: true });
    await save(ctx, id, { ...marks, hasDisabled: true });
    return;
  }
  const member = await findMember(ctx, ctx.org.id, account);
  if (!member) return;
  await endMembership(ctx, member);
  await save(ctx, id, { ...marks, removedRole: member.role });
}

/** Restores the access that the directory has ended, or adds a new user to the organization. */
export async function grantAccess(ctx: DirectoryCtx, id: string, marks: Marks, isNew: boolean): Promise<void> {
  const account = await lockAccount(ctx, id);
  const { name: orgName } = ctx.org;
  if (account.isServiceAccount) {
    throw conflict(`${account.email} is the address of a service account. Use the address of a person.`);
  }
  const manages = await isManaged(ctx, account);
  if (account.isDisabled) {
    if (!(manages && marks.hasDisabled)) {
      throw forbidden(
        `An administrator of the server has disabled ${account.email}. Ask an administrator to enable it.`,
      );
    }
    await updateAccount(ctx, id, { isDisabled: false });
  }
  const member = await findMember(ctx, ctx.org.id, account);
  if (!member) {
    if (!manages && marks.removedRole === null) {
      const reason = `${account.email} has an account that ${orgName} doesn't manage, and is not a member`;
      throw isNew
        ? conflict(`${reason}. Invite the person to ${orgName}; once the invitation is accepted, provision again.`)
        : forbidden(`${reason}. Invite the person to ${orgName}.`);
    }
    // An admin of the organization must appoint other admins.
    const role: OrgRole = marks.removedRole === 'collaborator' ? 'collaborator' : 'member';
    await addMember(ctx, ctx.org, account, role);
  }
  await save(ctx, id, { hasDisabled: false, removedRole: null });
}
