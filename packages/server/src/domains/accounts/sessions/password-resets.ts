import { type Ctx, type User, type UserCtx, workOwner } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue, publish } from '../../../jobs/index.ts';
import { HOUR, toIso } from '../../../kernel/clock.ts';
import { hashPassword, randomBase62, sha256 } from '../../../kernel/crypto/crypto.ts';
import { conflict, Failure, notFound } from '../../../kernel/errors.ts';
import { formatMinute } from '../../../kernel/text/format-minute.ts';
import { record } from '../../audit/index.ts';
import { sanitizeName, sendMail } from '../../mail/index.ts';
import { tokensRevoked } from '../accounts.events.ts';
import { toUser } from '../users/user.ts';
import { findUser, findUserByEmail, saveEmailVerified, updateUser } from '../users/users.store.ts';
import { refuseGuessable } from '../users/users.ts';
import {
  deleteUserPasswordResets,
  findPasswordReset,
  findServiceOrg,
  insertPasswordReset,
  usePasswordReset,
} from './password-resets.store.ts';
import { endUserSessions } from './sessions.ts';
import { accountSubject, countAttempt, networkSubject } from './sign-in.ts';
import { deleteFailures } from './sign-in-failures.store.ts';

export const PASSWORD_RESET_LIFE = HOUR;

/** 256 bits, too long to guess. */
const TOKEN_LENGTH = 43;

interface Reset {
  link: string;
  expiresAt: number;
}

export const passwordResetSend = defineJob<{ id: string; email: string }>('password_reset.send');

/** Does the same work for every address, so that the response time does not reveal accounts. A job looks up the account. */
export async function requestPasswordReset(ctx: Ctx, email: string): Promise<void> {
  const id = ctx.newId();
  const what = 'password resets';
  await tx(ctx, async (ctx) => {
    await countAttempt(ctx, 'reset', `reset:${sha256(email.toLowerCase())}`, what);
    await countAttempt(ctx, 'address', networkSubject(ctx, 'reset-address'), what);
    await record(ctx, 'password_reset.request', { kind: 'password_reset', id, name: email });
    await enqueue(ctx, passwordResetSend, { id, email });
  });
}

/** Service accounts have no password. */
async function canSignIn(ctx: Ctx, user: User): Promise<boolean> {
  const row = await findServiceOrg.first(ctx.db, { id: user.id });
  return row !== undefined && row.service_org_id === null && row.is_disabled === 0;
}

/** Returns undefined if this reset was added before. */
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
  // Browsers do not send the fragment to servers.
  return { link: `${ctx.publicUrl()}/reset-password#token=${token}`, expiresAt };
}

/** Sends a link if the address belongs to an account. The caller can't tell whether it does. */
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
  subject: 'Reset your Mooring password',
  text: `A password reset was requested for your account ${sanitizeName(user.name)} on Mooring.

Open this link to set a new password. It works once, until ${formatMinute(expiresAt)}:

${link}

If you did not request this, ignore this email: your password stays the same.
`,
});

/** Creates a link for an administrator to pass on. It replaces all earlier links of the user. */
export async function createPasswordReset(ctx: UserCtx, userId: string): Promise<Reset> {
  return tx(ctx, async (ctx) => {
    const row = await findUser.first(ctx.db, { id: userId });
    if (!row) throw notFound('user', userId);
    const user = toUser(row);
    if (row.is_disabled)
      throw conflict(`Can't reset the password: ${user.name} is disabled. Enable the account first.`);
    if (!(await canSignIn(ctx, user)))
      throw conflict(
        `Can't reset the password: ${user.name} is a service account, and service accounts can't sign in.`,
      );
    await deleteUserPasswordResets.run(ctx.db, { userId });
    const id = ctx.newId();
    const reset = await addReset(ctx, id, user, false);
    if (!reset) throw new Error(`The new ID ${id} is taken.`);
    const after = { expires_at: toIso(reset.expiresAt) };
    await record(ctx, 'password_reset.create', { kind: 'password_reset', id, name: user.name }, { after });
    return reset;
  });
}

const refuse = () =>
  new Failure(
    'NotFound',
    'This link is invalid: it was used, replaced by a newer one, or has expired. Request a new one.',
  );

/** Sets a new password, and deletes this and all other links of the user. */
export async function usePasswordResetLink(
  ctx: Ctx,
  token: string,
  { password, revokesTokens = false }: { password: string; revokesTokens?: boolean },
): Promise<void> {
  const key = { hash: sha256(token), now: ctx.clock.now() };
  const match = await findPasswordReset.first(ctx.db, key);
  if (!match) throw refuse();
  const user = toUser(match);
  refuseGuessable(password, user);
  const passwordHash = await hashPassword(password, workOwner(ctx));
  await tx(ctx, async (ctx) => {
    const used = await usePasswordReset.first(ctx.db, key);
    if (!used) throw refuse();
    await deleteUserPasswordResets.run(ctx.db, { userId: user.id });
    await updateUser.run(ctx.db, { id: user.id, password_hash: passwordHash });
    await deleteFailures.run(ctx.db, { subject: accountSubject(user.id) });
    const subject = { kind: 'password_reset', id: match.reset_id, name: user.name } as const;
    // The address may have belonged to someone else when the account was created.
    const isNewlyVerified = used.is_mailed === 1 && (await saveEmailVerified.run(ctx.db, { id: user.id })) > 0;
    await record(ctx, 'password_reset.use', subject, isNewlyVerified ? { after: { is_email_verified: true } } : {});
    if (isNewlyVerified || revokesTokens) {
      await publish(ctx, tokensRevoked, { userId: user.id, includesAppTokens: true });
    }
    await endUserSessions(ctx, user.id);
  });
}
