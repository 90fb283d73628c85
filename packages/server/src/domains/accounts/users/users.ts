import { type Ctx, type User, type UserCtx, workOwner } from '../../../context.ts';
import { claim } from '../../../db/rows/claim.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { hashPassword, randomBase62 } from '../../../kernel/crypto/crypto.ts';
import { badRequest, conflict, forbidden, notFound } from '../../../kernel/errors.ts';
import { type ListInput, type Page, readList, type Sorts } from '../../../kernel/paging.ts';
import { refuseDots } from '../../../kernel/text/names.ts';
import { searchKey } from '../../../kernel/text/search-key.ts';
import { auditFields, record } from '../../audit/index.ts';
import { tokensRevoked, userDisabled } from '../accounts.events.ts';
import { deletePreviousName } from '../orgs/orgs.store.ts';
import { refuseServiceAddress } from '../orgs/service-address.ts';
import { deleteUserPasswordResets } from '../sessions/password-resets.store.ts';
import { endUserSessions } from '../sessions/sessions.ts';
import { checkPassword, countAttempt, networkSubject } from '../sessions/sign-in.ts';
import { toUser } from './user.ts';
import {
  findUser,
  findUserByEmail,
  findUserByName,
  insertOwner,
  insertUser,
  lockActiveAdmins,
  lockUsers,
  pageUsers,
  type UserRow,
  updateOwner,
  updateUser,
} from './users.store.ts';

/** An account as administrators see it. */
export interface Account extends User {
  isDisabled: boolean;
  /** An administrator vouches for the address, or the user opened a link sent to it. */
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

/** Locks these accounts until the transaction ends. */
export async function lockAccounts(ctx: Pick<Ctx, 'db'>, ids: readonly string[]): Promise<void> {
  await lockUsers.all(ctx.db, { ids: JSON.stringify(ids) });
}

async function lockAccount(ctx: Ctx, id: string): Promise<Account> {
  await lockAccounts(ctx, [id]);
  return getAccount(ctx, id);
}

export const isEmailVerified = async (ctx: Ctx, id: string): Promise<boolean> =>
  (await getAccount(ctx, id)).isEmailVerified;

/** Returns nothing for disabled accounts. */
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

/** The actor was read for this request, so no query is needed. */
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
  /** Includes app tokens that the account created: an intruder who knew the password may have created them. */
  revokesTokens?: boolean;
}

export async function changePassword(ctx: UserCtx, input: PasswordChange): Promise<void> {
  const { user, credential } = ctx.actor;
  // Throttles guesses like sign-ins, so that a stolen token does not help to find the password.
  if (!(await checkPassword(ctx, user.name, input.current)))
    throw forbidden('current_password is wrong. Enter the password that you sign in with.');
  refuseGuessable(input.next, user);
  const passwordHash = await hashPassword(input.next, workOwner(ctx));
  await tx(ctx, async (ctx) => {
    await updateUser.run(ctx.db, { id: user.id, password_hash: passwordHash });
    await deleteUserPasswordResets.run(ctx.db, { userId: user.id });
    await record(ctx, 'user.change_password', { kind: 'user', id: user.id, name: user.name });
    if (input.revokesTokens) await publish(ctx, tokensRevoked, { userId: user.id, includesAppTokens: true });
    await endUserSessions(ctx, user.id, credential.kind === 'session' ? credential.id : undefined);
  });
}

export interface NewUser {
  email: string;
  name?: string;
  displayName?: string;
  password: string;
  isAdmin?: boolean;
  /** False unless the creator of the account vouches for the address. */
  isEmailVerified?: boolean;
}

/** A name made of the part of an email before the @. */
const nameFromEmail = (email: string): string =>
  (email.split('@')[0] ?? '').replace(/[^a-zA-Z0-9-_.]/g, '-').slice(0, 90) || 'user';

export function refuseGuessable(password: string, { name, email }: { name: string; email: string }): void {
  const guess = password.toLowerCase();
  if (guess === name.toLowerCase() || guess === email.toLowerCase() || new Set(password).size < 4) {
    throw badRequest(
      'password is too easy to guess. Use one that is not your name, your email or a single repeated character.',
    );
  }
}

/** Creates an account as an administrator, who vouches for the email. */
export const createUser = (ctx: Ctx, input: NewUser): Promise<Account> =>
  signUp(ctx, { ...input, isEmailVerified: true });

async function signUp(ctx: Ctx, input: NewUser): Promise<Account> {
  const ready = await withPasswordHash(ctx, input);
  return tx(ctx, (ctx) => addUser(ctx, ready));
}

/** A new user with a hashed password. Hashing is slow, so it happens before the transaction. */
export type ReadyUser = Omit<NewUser, 'password'> & { passwordHash: string };

export async function withPasswordHash(ctx: object, { password, ...person }: NewUser): Promise<ReadyUser> {
  refuseDots(person.name);
  refuseGuessable(password, { name: person.name ?? nameFromEmail(person.email), email: person.email });
  return { ...person, passwordHash: await hashPassword(password, workOwner(ctx)) };
}

/** Adds a user. The caller has checked that this is allowed. */
export async function addUser(ctx: Ctx, person: ReadyUser): Promise<Account> {
  const { email, isAdmin = false, isEmailVerified = false, passwordHash } = person;
  refuseServiceAddress(email);
  const requestedName = person.name ?? nameFromEmail(email);
  const id = ctx.newId();
  const addName = (name: string) =>
    insertOwner.first(ctx.db, {
      id,
      kind: 'user',
      name,
      name_key: name.toLowerCase(),
      display_name: person.displayName ?? requestedName,
      display_name_key: searchKey(person.displayName ?? requestedName),
      avatar_url: null,
      created_at: ctx.clock.now(),
      updated_at: ctx.clock.now(),
    });
  let name = requestedName;
  if (!(await addName(name))) {
    if (person.name) throw conflict(`The name "${name}" is taken. Choose another.`, 'name');
    name = `${requestedName}-${randomBase62(6)}`;
    await addName(name);
  }
  await deletePreviousName.run(ctx.db, { key: name.toLowerCase() });
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

/** Self-registration, if the operator allows it. */
export async function registerUser(ctx: Ctx, input: Omit<NewUser, 'isAdmin'>): Promise<Account> {
  if (!ctx.config.openSignUp)
    throw forbidden('Sign-up is disabled on this server. Ask an administrator for an account.');
  await tx(ctx, (ctx) => countAttempt(ctx, 'signUp', networkSubject(ctx, 'sign-up'), 'sign-ups from your network'));
  return signUp(ctx, { ...input, isAdmin: false, isEmailVerified: false });
}

const userSorts = { name: 'name', display_name: 'name', email: 'name', created_at: 'time' } satisfies Sorts<string>;
export type UserSort = keyof typeof userSorts;

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

/** Service accounts can't sign in or be administrators; they only have the rights in their organization. */
function refuseForServiceAccount({ name }: Account, change: AccountChange): void {
  const refused = {
    'become an administrator': change.isAdmin === true,
    'have a password': change.password !== undefined,
    'have another email address': change.email !== undefined || change.isEmailVerified === true,
  };
  for (const [what, isRequested] of Object.entries(refused)) {
    if (isRequested) throw conflict(`${name} is a service account and can't ${what}. Use a personal account.`);
  }
}

export async function updateAccount(ctx: Ctx, id: string, change: AccountChange): Promise<Account> {
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
      // An administrator who sets an address vouches for it.
      isEmailVerified: change.isEmailVerified ?? (change.email !== undefined || before.isEmailVerified),
      displayName: change.displayName ?? before.displayName,
    };
    const loses = (!after.isAdmin || after.isDisabled) && admins.some((admin) => admin.id === id);
    if (loses && admins.length === 1) {
      throw conflict(`${before.name} is the last administrator. Promote another user first.`);
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
    // Links that were sent to a previous address must stop working too.
    if (passwordHash !== undefined || after.isDisabled || after.email !== before.email) {
      await deleteUserPasswordResets.run(ctx.db, { userId: id });
    }
    await saveChange(ctx, before, after);
    // Otherwise the tokens would work again as soon as the account is enabled.
    if (change.revokesTokens || after.isDisabled) {
      await publish(ctx, tokensRevoked, { userId: id, includesAppTokens: true });
    }
    if (change.isDisabled) await publish(ctx, userDisabled, { userId: id });
    if (passwordHash !== undefined || after.isDisabled) await endUserSessions(ctx, id);
    return after;
  });
}

const userEmail = { table: 'users', columns: ['email_key'] };
const takenEmail = (email: string) =>
  conflict(`Another account uses the email ${email}. Use a different address.`, 'email');
const audited = auditFields('displayName', 'avatarUrl', 'email', 'isAdmin', 'isDisabled', 'isEmailVerified');

/** Saves and records the differences, if there are any. */
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
