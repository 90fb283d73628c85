import { type Ctx, type User, type UserCtx, workOwner } from '../../../context.ts';
import { claim } from '../../../db/claim.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { hashPassword, randomBase62 } from '../../../kernel/crypto.ts';
import { badRequest, conflict, forbidden, notFound } from '../../../kernel/errors.ts';
import { refuseDots } from '../../../kernel/names.ts';
import { type ListInput, type Page, readList, type Sorts } from '../../../kernel/paging.ts';
import { searchKey } from '../../../kernel/search-key.ts';
import { auditFields, record } from '../../audit/index.ts';
import { tokensRevoked, userDisabled } from '../accounts.events.ts';
import { deleteFormerName } from '../orgs/orgs.store.ts';
import { refuseServiceAddress } from '../orgs/service-address.ts';
import { deletePasswordResetsOfUser } from '../sessions/password-resets.store.ts';
import { endSessionsOf } from '../sessions/sessions.ts';
import { checkPassword, countAttempt, networkSubject } from '../sessions/sign-in.ts';
import { toUser } from './user.ts';
import {
  findUser,
  findUserByEmail,
  findUserByName,
  insertOwner,
  insertUser,
  lockActiveAdmins,
  lockUser,
  pageUsers,
  type UserRow,
  updateOwner,
  updateUser,
} from './users.store.ts';

/** A person as administrators see them. */
export interface Account extends User {
  isDisabled: boolean;
  /** Somebody vouches that the e-mail is theirs: an administrator, or a link that was mailed there. */
  isEmailVerified: boolean;
  isServiceAccount: boolean;
  createdAt: number;
}

const toAccount = (row: UserRow): Account => ({
  ...toUser(row),
  isDisabled: row.is_disabled === 1,
  isEmailVerified: row.is_email_verified === 1,
  isServiceAccount: row.service_org_id !== null,
  createdAt: row.created_at,
});

export async function getAccount(ctx: Ctx, id: string): Promise<Account> {
  const row = await findUser.first(ctx.db, { id });
  if (!row) throw notFound('user', id);
  return toAccount(row);
}

/** The same, and until the transaction ends nobody else changes it. */
async function lockAccount(ctx: Ctx, id: string): Promise<Account> {
  await lockUser.first(ctx.db, { id });
  return getAccount(ctx, id);
}

export const isEmailVerified = async (ctx: Ctx, id: string): Promise<boolean> =>
  (await getAccount(ctx, id)).isEmailVerified;

/** Nobody, once they are disabled. */
export async function findActiveUser(ctx: Pick<Ctx, 'db'>, id: string): Promise<User | undefined> {
  const row = await findUser.first(ctx.db, { id });
  return row && row.is_disabled === 0 ? toUser(row) : undefined;
}

export async function findPerson(ctx: Pick<Ctx, 'db'>, name: string): Promise<User | undefined> {
  const row = await findUserByName.first(ctx.db, { key: name.toLowerCase() });
  return row && toUser(row);
}

export async function findPersonByEmail(ctx: Pick<Ctx, 'db'>, email: string): Promise<User | undefined> {
  const row = await findUserByEmail.first(ctx.db, { key: email.toLowerCase() });
  return row && toUser(row);
}

/** The actor was read with the credential, and is as new as this request: no query is needed. */
export const getProfile = (ctx: UserCtx): User => ctx.actor.user;

export async function updateProfile(
  ctx: UserCtx,
  change: { displayName?: string; avatarUrl?: string | null },
): Promise<User> {
  return tx(ctx, async (ctx) => {
    const before = await lockAccount(ctx, ctx.actor.user.id);
    const after = {
      ...before,
      displayName: change.displayName ?? before.displayName,
      avatarUrl: change.avatarUrl === undefined ? before.avatarUrl : (change.avatarUrl ?? undefined),
    };
    await saveChange(ctx, before, after);
    return after;
  });
}

export interface PasswordChange {
  current: string;
  next: string;
  /** Also those that the account made for apps: whoever had the password may have made them. */
  revokesTokens?: boolean;
}

export async function changePassword(ctx: UserCtx, input: PasswordChange): Promise<void> {
  const { user, credential } = ctx.actor;
  // Guesses are slowed down like any others: a stolen token must not help to find the password.
  if (!(await checkPassword(ctx, user.name, input.current))) throw forbidden('current_password is not your password.');
  refuseGuessable(input.next, user);
  const passwordHash = await hashPassword(input.next, workOwner(ctx));
  await tx(ctx, async (ctx) => {
    await updateUser.run(ctx.db, { id: user.id, password_hash: passwordHash });
    await deletePasswordResetsOfUser.run(ctx.db, { userId: user.id });
    await record(ctx, 'user.change_password', { kind: 'user', id: user.id, name: user.name });
    if (input.revokesTokens) await publish(ctx, tokensRevoked, { userId: user.id, alsoOfApps: true });
    await endSessionsOf(ctx, user.id, credential.kind === 'session' ? credential.id : undefined);
  });
}

export interface NewUser {
  email: string;
  name?: string;
  displayName?: string;
  password: string;
  isAdmin?: boolean;
  /** Nobody's is, unless whoever makes the account knows it. */
  isEmailVerified?: boolean;
}

/** The part of an e-mail before the @, as a name. */
const nameFromEmail = (email: string): string =>
  (email.split('@')[0] ?? '').replace(/[^a-zA-Z0-9-_.]/g, '-').slice(0, 90) || 'user';

export function refuseGuessable(password: string, { name, email }: { name: string; email: string }): void {
  const guess = password.toLowerCase();
  if (guess === name.toLowerCase() || guess === email.toLowerCase() || new Set(password).size < 4) {
    throw badRequest(
      'password is too easy to guess: use one that is not your name or e-mail, nor one repeated character.',
    );
  }
}

/** What an administrator does, who vouches for the e-mail. */
export const createUser = (ctx: Ctx, input: NewUser): Promise<Account> =>
  signUp(ctx, { ...input, isEmailVerified: true });

async function signUp(ctx: Ctx, input: NewUser): Promise<Account> {
  const ready = await withPasswordHash(ctx, input);
  return tx(ctx, (ctx) => addUser(ctx, ready));
}

/** A new person whose password has been hashed, which is slow and so happens before the transaction. */
export type ReadyUser = Omit<NewUser, 'password'> & { passwordHash: string };

export async function withPasswordHash(ctx: object, { password, ...person }: NewUser): Promise<ReadyUser> {
  refuseDots(person.name);
  refuseGuessable(password, { name: person.name ?? nameFromEmail(person.email), email: person.email });
  return { ...person, passwordHash: await hashPassword(password, workOwner(ctx)) };
}

/** Adds a person. Whoever calls it has decided that this may be done. */
export async function addUser(ctx: Ctx, person: ReadyUser): Promise<Account> {
  const { email, isAdmin = false, isEmailVerified = false, passwordHash } = person;
  refuseServiceAddress(email);
  const wanted = person.name ?? nameFromEmail(email);
  const id = ctx.newId();
  const addName = (name: string) =>
    insertOwner.first(ctx.db, {
      id,
      kind: 'user',
      name,
      name_key: name.toLowerCase(),
      display_name: person.displayName ?? wanted,
      display_name_key: searchKey(person.displayName ?? wanted),
      avatar_url: null,
      created_at: ctx.clock.now(),
      updated_at: ctx.clock.now(),
    });
  let name = wanted;
  if (!(await addName(name))) {
    if (person.name) throw conflict(`The name "${name}" is taken; choose another.`);
    name = `${wanted}-${randomBase62(6)}`;
    await addName(name);
  }
  await deleteFormerName.run(ctx.db, { key: name.toLowerCase() });
  const added = await insertUser.first(ctx.db, {
    id,
    email,
    email_key: email.toLowerCase(),
    password_hash: passwordHash,
    is_admin: isAdmin ? 1 : 0,
    is_disabled: 0,
    service_org_id: null,
    is_email_verified: isEmailVerified ? 1 : 0,
  });
  if (!added) throw takenEmail(email);
  const after = { email, is_admin: isAdmin, is_email_verified: isEmailVerified };
  await record(ctx, 'user.create', { kind: 'user', id, name }, { after });
  return getAccount(ctx, id);
}

/** Open sign-up, where the operator allows it. */
export async function registerUser(ctx: Ctx, input: Omit<NewUser, 'isAdmin'>): Promise<Account> {
  if (!ctx.config.openSignUp) throw forbidden('Sign-up is closed here; ask an administrator for an account.');
  await tx(ctx, (ctx) => countAttempt(ctx, 'signUp', networkSubject(ctx, 'sign-up'), 'sign-ups from your network'));
  return signUp(ctx, { ...input, isAdmin: false, isEmailVerified: false });
}

export type UserSort = 'name' | 'display_name' | 'email' | 'created_at';
const userSorts: Sorts<UserSort> = { name: 'name', display_name: 'name', email: 'name', created_at: 'time' };

export const listUsers = (ctx: Ctx, input: ListInput<UserSort>): Promise<Page<Account>> =>
  readList(
    input,
    userSorts,
    (listing) => pageUsers(ctx.db, listing),
    (row) => toAccount(row),
  );

export interface AccountChange {
  isAdmin?: boolean;
  isDisabled?: boolean;
  isEmailVerified?: boolean;
  email?: string;
  displayName?: string;
  password?: string;
  revokesTokens?: boolean;
}

/** Nobody signs in as one, and it administers nothing but what its organization gives it. */
function refuseForServiceAccount({ name }: Account, change: AccountChange): void {
  const refused = {
    'be made an administrator': change.isAdmin === true,
    'have a password': change.password !== undefined,
    'have another e-mail': change.email !== undefined || change.isEmailVerified === true,
  };
  for (const [what, isAsked] of Object.entries(refused)) {
    if (isAsked) throw conflict(`${name} is a service account and cannot ${what}; use a person's account.`);
  }
}

/** What an administrator may change about anybody. */
export async function updateAccount(ctx: UserCtx, id: string, change: AccountChange): Promise<Account> {
  const { password } = change;
  const account = await getAccount(ctx, id);
  if (account.isServiceAccount) refuseForServiceAccount(account, change);
  if (password !== undefined) refuseGuessable(password, account);
  const passwordHash = password === undefined ? undefined : await hashPassword(password, workOwner(ctx));
  return tx(ctx, async (ctx) => {
    const admins = await lockActiveAdmins.all(ctx.db);
    const before = await lockAccount(ctx, id);
    const after = {
      ...before,
      isAdmin: change.isAdmin ?? before.isAdmin,
      isDisabled: change.isDisabled ?? before.isDisabled,
      email: change.email ?? before.email,
      // Whoever sets an address vouches for it.
      isEmailVerified: change.isEmailVerified ?? (change.email !== undefined || before.isEmailVerified),
      displayName: change.displayName ?? before.displayName,
    };
    const loses = (!after.isAdmin || after.isDisabled) && admins.some((admin) => admin.id === id);
    if (loses && admins.length === 1) {
      throw conflict(`${before.name} is the last administrator; make somebody else one first.`);
    }
    if (after.email.toLowerCase() !== before.email.toLowerCase()) {
      refuseServiceAddress(after.email);
      const taken = await findUserByEmail.first(ctx.db, { key: after.email.toLowerCase() });
      if (taken) throw takenEmail(after.email);
    }
    if (passwordHash !== undefined) {
      await updateUser.run(ctx.db, { id, password_hash: passwordHash });
      await record(ctx, 'user.change_password', { kind: 'user', id, name: before.name });
    }
    // A link that went to an address that is no longer theirs must not work either.
    if (passwordHash !== undefined || after.isDisabled || after.email !== before.email) {
      await deletePasswordResetsOfUser.run(ctx.db, { userId: id });
    }
    await saveChange(ctx, before, after);
    // Otherwise enabling the account would bring them back, without a word.
    if (change.revokesTokens || after.isDisabled) {
      await publish(ctx, tokensRevoked, { userId: id, alsoOfApps: true });
    }
    if (after.isDisabled) await publish(ctx, userDisabled, { userId: id });
    if (passwordHash !== undefined || after.isDisabled) await endSessionsOf(ctx, id);
    return after;
  });
}

const userEmail = { table: 'users', columns: ['email_key'] };
const takenEmail = (email: string) => conflict(`The e-mail ${email} belongs to another account.`);
const audited = auditFields('displayName', 'avatarUrl', 'email', 'isAdmin', 'isDisabled', 'isEmailVerified');

/** Writes what differs and records it; nothing happens when nothing differs. */
async function saveChange(ctx: Ctx, before: Account, after: Account): Promise<void> {
  const was = audited(before);
  const is = audited(after);
  const changed = Object.keys(is).filter((key) => was[key] !== is[key]);
  if (changed.length === 0) return;
  const only = (all: typeof is) => Object.fromEntries(changed.map((key) => [key, all[key] ?? null]));
  await updateOwner.run(ctx.db, {
    id: after.id,
    display_name: after.displayName,
    display_name_key: searchKey(after.displayName),
    avatar_url: after.avatarUrl ?? null,
  });
  const row = {
    id: after.id,
    email: after.email,
    email_key: after.email.toLowerCase(),
    is_admin: after.isAdmin ? 1 : 0,
    is_disabled: after.isDisabled ? 1 : 0,
    is_email_verified: after.isEmailVerified ? 1 : 0,
  } as const;
  await claim(userEmail, takenEmail(after.email), updateUser.run(ctx.db, row));
  const subject = { kind: 'user', id: after.id, name: after.name } as const;
  await record(ctx, 'user.update', subject, { before: only(was), after: only(is) });
}
