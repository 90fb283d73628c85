import type { Ctx, User } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { sha256, verifyPassword } from '../../../kernel/crypto.ts';
import { tooManyRequests } from '../../../kernel/errors.ts';
import { addressKey } from '../../../kernel/ip-address.ts';
import { toUser } from '../users/user.ts';
import { findUserByEmail, findUserByName } from '../users/users.store.ts';
import { addFailures, deleteFailures, findFailures, lockFailures, saveFailures } from './sign-in-failures.store.ts';

/** How many failures are free, and how long the wait after further ones may become. */
const patience = {
  account: { free: 10, longest: 60 * SECOND },
  address: { free: 30, longest: 300 * SECOND },
  reset: { free: 3, longest: HOUR },
  signUp: { free: 10, longest: HOUR },
};

/** Failures are forgotten after this long without a new one. */
export const FAILURE_MEMORY = HOUR;

/** An account stays familiar at an address for this long after a sign-in there. */
export const FAMILIARITY = 30 * DAY;

/** Costs what checking a real hash costs, and matches no password. */
export const nobodysHash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const wait = (failures: number, { free, longest }: { free: number; longest: number }): number =>
  failures < free ? 0 : Math.min(longest, SECOND * 2 ** (failures - free));

/** Counts the attempt as failed before it is made, so that many at once cannot outrun the count. */
export async function countAttempt(
  ctx: Ctx,
  kind: keyof typeof patience,
  subject: string,
  what = 'failed sign-ins',
): Promise<void> {
  // What is not there cannot be locked, and the first attempts, made at once, would each count as the first.
  await addFailures.run(ctx.db, { subject });
  const row = await lockFailures.first(ctx.db, { subject });
  // Not before: whoever waited for the lock would come with a time that is over.
  const now = ctx.clock.now();
  const failures = row && row.last_at > now - FAILURE_MEMORY ? row.failures : 0;
  // After the clock was set back nobody waits until it is that late again; clocks of two machines differ by less.
  const last = row && row.last_at <= now + MINUTE ? row.last_at : 0;
  const until = last + wait(failures, patience[kind]);
  if (now < until) {
    throw tooManyRequests(`Too many ${what}; wait and try again.`, (until - now) / SECOND);
  }
  await saveFailures.run(ctx.db, { subject, failures: failures + 1, last_at: now });
}

async function returnAttempt(ctx: Ctx, subject: string): Promise<void> {
  const row = await lockFailures.first(ctx.db, { subject });
  if (row) await saveFailures.run(ctx.db, { ...row, failures: Math.max(0, row.failures - 1) });
}

/** What is counted for whoever asks from one network; hashed, because an address is nobody's business there. */
export const networkSubject = ({ origin }: Ctx, what: string): string =>
  `${what}:${sha256(addressKey(origin?.address ?? ''))}`;

/** What failures are counted by: a user's id, so that name and e-mail share a count, or what no user has, in lower case. */
export const accountSubject = (idOrKey: string): string => `account:${sha256(idOrKey)}`;

/** Marks rows of accounts that have signed in from a network; `sweepSignIns` keeps them longer than others. */
export const FAMILIAR = 'familiar:';
const familiarSubject = ({ origin }: Ctx, userId: string): string =>
  `${FAMILIAR}${sha256(`${userId} ${addressKey(origin?.address ?? '')}`)}`;

async function isFamiliar(ctx: Ctx, subject: string): Promise<boolean> {
  const row = await findFailures.first(ctx.db, { subject });
  return row !== undefined && row.last_at > ctx.clock.now() - FAMILIARITY;
}

/** The user with this name or e-mail and this password; the same answer, in the same time, when either is wrong. */
export async function checkPassword(ctx: Ctx, login: string, password: string): Promise<User | undefined> {
  const key = login.trim().toLowerCase();
  // A name cannot hold an "@", so the two never collide.
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
  const matches = await verifyPassword(password, row?.password_hash ?? nobodysHash, owner).catch(
    async (error: unknown) => {
      // It was not even looked at, so it did not fail.
      await tx(ctx, async (ctx) => {
        for (const subject of [account, ...counted]) await returnAttempt(ctx, subject);
      });
      throw error;
    },
  );
  // Nobody is a service account, whatever its hash says.
  if (!row || !matches || row.is_disabled || row.service_org_id !== null) return undefined;
  await tx(ctx, async (ctx) => {
    await deleteFailures.run(ctx.db, { subject: account });
    for (const subject of counted) await returnAttempt(ctx, subject);
    await saveFailures.run(ctx.db, { subject: familiar, failures: 0, last_at: ctx.clock.now() });
  });
  return toUser(row);
}
