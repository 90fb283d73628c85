import { type Ctx, type User, type UserCtx, workOwner } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue, publish } from '../../../jobs/index.ts';
import { HOUR, toIso } from '../../../kernel/clock.ts';
import { hashPassword, randomBase62, sha256 } from '../../../kernel/crypto.ts';
import { conflict, Failure, notFound } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { asWords, sendMail } from '../../mail/index.ts';
import { tokensRevoked } from '../accounts.events.ts';
import { toUser } from '../users/user.ts';
import { findUser, findUserByEmail, saveEmailVerified, updateUser } from '../users/users.store.ts';
import { refuseGuessable } from '../users/users.ts';
import {
  deletePasswordResetsOfUser,
  findPasswordReset,
  findServiceOrg,
  insertPasswordReset,
  usePasswordReset,
} from './password-resets.store.ts';
import { endSessionsOf } from './sessions.ts';
import { accountSubject, countAttempt, networkSubject } from './sign-in.ts';
import { deleteFailures } from './sign-in-failures.store.ts';

/** How long a link works. */
export const PASSWORD_RESET_LIFE = HOUR;

/** Longer than any guess: 256 bits. */
const TOKEN_LENGTH = 43;

interface Reset {
  link: string;
  expiresAt: number;
}

export const passwordResetSend = defineJob<{ id: string; email: string }>('password_reset.send');

/** The same work for every address; only the job afterwards looks whether an account has it. */
export async function requestPasswordReset(ctx: Ctx, email: string): Promise<void> {
  const id = ctx.newId();
  const what = 'requests for a new password';
  await tx(ctx, async (ctx) => {
    await countAttempt(ctx, 'reset', `reset:${sha256(email.toLowerCase())}`, what);
    await countAttempt(ctx, 'address', networkSubject(ctx, 'reset-address'), what);
    await record(ctx, 'password_reset.request', { kind: 'password_reset', id, name: email });
    await enqueue(ctx, passwordResetSend, { id, email });
  });
}

/** Whether somebody can sign in with a password at all. */
async function canSignIn(ctx: Ctx, user: User): Promise<boolean> {
  const row = await findServiceOrg.first(ctx.db, { id: user.id });
  return row !== undefined && row.service_org_id === null && row.is_disabled === 0;
}

/** Writes a link; undefined if this one was written before. */
async function addReset(ctx: Ctx, id: string, user: User, isMailed: boolean): Promise<Reset | undefined> {
  const token = randomBase62(TOKEN_LENGTH);
  const expiresAt = ctx.clock.now() + PASSWORD_RESET_LIFE;
  const row = {
    id,
    token_hash: sha256(token),
    user_id: user.id,
    expires_at: expiresAt,
    is_mailed: isMailed ? 1 : 0,
  } as const;
  if (!(await insertPasswordReset.first(ctx.db, row))) return undefined;
  // After the #, which browsers keep to themselves.
  return { link: `${ctx.publicUrl()}/reset-password#token=${token}`, expiresAt };
}

/** Mails a link to whoever has the address; nobody learns whether that is anybody. */
export async function mailPasswordReset(ctx: Ctx, { id, email }: { id: string; email: string }): Promise<void> {
  await tx(ctx, async (ctx) => {
    const row = await findUserByEmail.first(ctx.db, { key: email.toLowerCase() });
    const user = row && toUser(row);
    if (!user || !(await canSignIn(ctx, user))) return;
    const reset = await addReset(ctx, id, user, true);
    if (reset) await sendMail(ctx, resetMail(user, reset), { isSecret: true });
  });
}

const resetMail = (user: User, { link, expiresAt }: Reset) => ({
  to: user.email,
  subject: 'A new password for Mooring',
  text: `Somebody, probably you, asked for a new password of the account ${asWords(user.name)} on Mooring.

Set one until ${toIso(expiresAt).slice(0, 16).replace('T', ' ')} UTC:

${link}

The link works once. If it was not you, you need not do anything: your password stays as it is.
`,
});

/** A link that an administrator passes on by hand; it takes the place of any before it. */
export async function createPasswordReset(ctx: UserCtx, userId: string): Promise<Reset> {
  return tx(ctx, async (ctx) => {
    const row = await findUser.first(ctx.db, { id: userId });
    if (!row) throw notFound('user', userId);
    const user = toUser(row);
    if (row.is_disabled) throw conflict(`${user.name} is disabled; enable them first.`);
    if (!(await canSignIn(ctx, user))) throw conflict(`${user.name} is a service account; nobody signs in as it.`);
    await deletePasswordResetsOfUser.run(ctx.db, { userId });
    const id = ctx.newId();
    const reset = await addReset(ctx, id, user, false);
    if (!reset) throw new Error(`The new id ${id} is taken.`);
    const after = { expires_at: toIso(reset.expiresAt) };
    await record(ctx, 'password_reset.create', { kind: 'password_reset', id, name: user.name }, { after });
    return reset;
  });
}

const refuse = () =>
  new Failure('NotFound', 'This link was used already, was replaced or is older than an hour; ask for a new one.');

/** Sets a new password with a link, which is used up then, as are all others of this user. */
export async function usePasswordResetLink(
  ctx: Ctx,
  token: string,
  { password, revokesTokens = false }: { password: string; revokesTokens?: boolean },
): Promise<void> {
  const key = { hash: sha256(token), now: ctx.clock.now() };
  const found = await findPasswordReset.first(ctx.db, key);
  if (!found) throw refuse();
  const user = toUser(found);
  refuseGuessable(password, user);
  const passwordHash = await hashPassword(password, workOwner(ctx));
  await tx(ctx, async (ctx) => {
    const used = await usePasswordReset.first(ctx.db, key);
    if (!used) throw refuse();
    await deletePasswordResetsOfUser.run(ctx.db, { userId: user.id });
    await updateUser.run(ctx.db, { id: user.id, password_hash: passwordHash });
    await deleteFailures.run(ctx.db, { subject: accountSubject(user.id) });
    const subject = { kind: 'password_reset', id: found.reset_id, name: user.name } as const;
    // Whoever made the account first may not have been whom the address belongs to.
    const isNewlyVerified = used.is_mailed === 1 && (await saveEmailVerified.run(ctx.db, { id: user.id })) > 0;
    await record(ctx, 'password_reset.use', subject, isNewlyVerified ? { after: { is_email_verified: true } } : {});
    if (isNewlyVerified || revokesTokens) {
      await publish(ctx, tokensRevoked, { userId: user.id, alsoOfApps: true });
    }
    await endSessionsOf(ctx, user.id);
  });
}
