import type { Ctx, User } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { passwordRules } from '../../../extensions/password-rules.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { sha256, verifyPassword } from '../../../kernel/crypto/crypto.ts';
import { tooManyRequests } from '../../../kernel/errors.ts';
import { addressKey } from '../../../kernel/ip-address.ts';
import { toUser } from '../users/user.ts';
import { findUserByEmail, findUserByName } from '../users/users.store.ts';
import { addFailures, deleteFailures, findFailures, lockFailures, saveFailures } from './sign-in-failures.store.ts';

/** Failures allowed before the first wait, and the longest wait. */
const patience = {
  account: { free: 10, longest: 60 * SECOND },
  address: { free: 30, longest: 300 * SECOND },
  reset: { free: 3, longest: HOUR },
  signUp: { free: 10, longest: HOUR },
  code: { free: 5, longest: HOUR },
};

/** Failures expire after this long without a new one. */
export const FAILURE_MEMORY = HOUR;

/** An account stays familiar at an address for this long after it signed in there. */
export const FAMILIARITY = 30 * DAY;

/** Takes as long to check as a real hash, and matches no password. */
export const decoyHash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const wait = (failures: number, { free, longest }: { free: number; longest: number }): number =>
  failures < free ? 0 : Math.min(longest, SECOND * 2 ** (failures - free));

/** Counts the attempt as failed in advance, so that parallel attempts can't outrun the counter. */
export async function countAttempt(
  ctx: Ctx,
  kind: keyof typeof patience,
  subject: string,
  what = 'failed sign-ins',
): Promise<void> {
  // A missing row can't be locked: without an insert, parallel first attempts would each count as the first.
  await addFailures.run(ctx.db, { subject });
  const row = await lockFailures.first(ctx.db, { subject });
  // Read the time after waiting for the lock; an earlier time would be outdated.
  const now = ctx.clock.now();
  const failures = row && row.last_at > now - FAILURE_MEMORY ? row.failures : 0;
  // If the clock was set back, ignore failures from the future; the clocks of two machines differ by less than a minute.
  const last = row && row.last_at <= now + MINUTE ? row.last_at : 0;
  const until = last + wait(failures, patience[kind]);
  if (now < until) {
    throw tooManyRequests(`Too many ${what}. Try again later.`, (until - now) / SECOND);
  }
  await saveFailures.run(ctx.db, { subject, failures: failures + 1, last_at: now });
}

/** Forgets the failures of a subject. */
export const clearAttempts = async (ctx: Ctx, subject: string): Promise<void> =>
  void (await deleteFailures.run(ctx.db, { subject }));

async function returnAttempt(ctx: Ctx, subject: string): Promise<void> {
  const row = await lockFailures.first(ctx.db, { subject });
  if (row) await saveFailures.run(ctx.db, { ...row, failures: Math.max(0, row.failures - 1) });
}

/** Counter for a network. Hashed, because the table does not need to reveal addresses. */
export const networkSubject = ({ origin }: Ctx, what: string): string =>
  `${what}:${sha256(addressKey(origin?.address ?? ''))}`;

/** Counter for an account: the user's ID, so that name and email share it, or the unknown name in lower case. */
export const accountSubject = (idOrKey: string): string => `account:${sha256(idOrKey)}`;

/** Marks accounts that have signed in from a network; `sweepSignIns` retains these rows longer. */
export const FAMILIAR = 'familiar:';
const familiarSubject = ({ origin }: Ctx, userId: string): string =>
  `${FAMILIAR}${sha256(`${userId} ${addressKey(origin?.address ?? '')}`)}`;

async function isFamiliar(ctx: Ctx, subject: string): Promise<boolean> {
  const row = await findFailures.first(ctx.db, { subject });
  return row !== undefined && row.last_at > ctx.clock.now() - FAMILIARITY;
}

/** Returns the user if name or email and password match. Takes the same time whether the user or the password is wrong. */
export async function checkPassword(ctx: Ctx, login: string, password: string): Promise<User | undefined> {
  const key = login.trim().toLowerCase();
  // A name can't contain "@", so names and emails never collide.
  const row = await (key.includes('@') ? findUserByEmail : findUserByName).first(ctx.db, { key });
  const account = accountSubject(row?.id ?? key);
  const address = networkSubject(ctx, 'address');
  const familiar = familiarSubject(ctx, row?.id ?? key);
  // Many people may share an address, such as that of a proxy: an attacker there must not lock out the others.
  const counted = (await isFamiliar(ctx, familiar)) ? [] : [address];
  const owner = counted.length === 0 ? account : address;
  await tx(ctx, async (ctx) => {
    await countAttempt(ctx, 'account', account);
    for (const subject of counted) await countAttempt(ctx, 'address', subject);
  });
  const matches = await verifyPassword(password, row?.password_hash ?? decoyHash, owner).catch(
    async (error: unknown) => {
      // The password was not checked, so the attempt does not count as failed.
      await tx(ctx, async (ctx) => {
        for (const subject of [account, ...counted]) await returnAttempt(ctx, subject);
      });
      throw error;
    },
  );
  // Service accounts can't sign in, even if the hash matches.
  if (!row || !matches || row.is_disabled || row.service_org_id !== null) return undefined;
  await tx(ctx, async (ctx) => {
    await deleteFailures.run(ctx.db, { subject: account });
    for (const subject of counted) await returnAttempt(ctx, subject);
    await saveFailures.run(ctx.db, { subject: familiar, failures: 0, last_at: ctx.clock.now() });
  });
  return toUser(row);
}

/** The same for a sign-in: throws if the user may not sign in with their password. */
export async function checkSignIn(
  ctx: Ctx,
  login: string,
  password: string,
  code: string | undefined,
): Promise<User | undefined> {
  const user = await checkPassword(ctx, login, password);
  if (user) for (const checkRule of passwordRules.list(ctx)) await checkRule(ctx, user, code);
  return user;
}
