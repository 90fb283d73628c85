import { randomBytes } from 'node:crypto';
import { SECOND_FACTOR_HEADER } from '@mooring/contract';
import type { Ctx, User, UserCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { sha256 } from '../../../kernel/crypto/crypto.ts';
import { open, seal } from '../../../kernel/crypto/sealed.ts';
import { badRequest, conflict, Failure, forbidden, notFound } from '../../../kernel/errors.ts';
import {
  accountSubject,
  checkPassword,
  clearAttempts,
  countAttempt,
  endUserSessions,
  getAccount,
} from '../../accounts/index.ts';
import { record } from '../../audit/index.ts';
import { findRequiredFrom, isFactorRequired } from '../factor-rules/factor-rules.ts';
import { deleteUserPasskeys, listUserPasskeys } from '../passkeys/passkeys.store.ts';
import {
  consumeRecoveryCode,
  consumeStep,
  countRecoveryCodes,
  deleteFactor,
  deleteRecoveryCodes,
  enableFactor,
  findFactor,
  insertRecoveryCode,
  saveFactor,
} from './second-factor.store.ts';
import { findStep, toBase32, toOtpauthUrl } from './totp.ts';

const PURPOSE = 'second-factor';
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

export interface SecondFactor {
  enabledAt: number | undefined;
  recoveryCodesLeft: number;
  /** When a rule requires it. */
  requiredFrom: number | undefined;
}

export async function getSecondFactor(ctx: UserCtx): Promise<SecondFactor> {
  const { db, actor } = ctx;
  const userId = actor.user.id;
  const row = await findFactor.first(db, { userId });
  const enabledAt = row?.enabled_at ?? undefined;
  const requiredFrom = await findRequiredFrom(ctx, actor.user);
  if (enabledAt === undefined) return { enabledAt, recoveryCodesLeft: 0, requiredFrom };
  const left = await countRecoveryCodes.first(db, { userId });
  return { enabledAt, recoveryCodesLeft: Number(left?.count), requiredFrom };
}

async function refuseWrongPassword(ctx: UserCtx, password: string): Promise<void> {
  // A stolen session or token must not be able to change the second factor.
  if (!(await checkPassword(ctx, ctx.actor.user.name, password))) {
    throw forbidden('password is wrong. Enter the password that you sign in with.');
  }
}

const notEnabled = () => conflict('Your account has no second factor. Set one up first.');

export async function startSecondFactor(ctx: UserCtx, password: string): Promise<{ secret: string; url: string }> {
  await refuseWrongPassword(ctx, password);
  return issueSecret(ctx);
}

/** Stores a new secret that does nothing until a code of it is confirmed. */
export async function issueSecret(ctx: UserCtx): Promise<{ secret: string; url: string }> {
  const { user } = ctx.actor;
  const secret = toBase32(randomBytes(SECRET_BYTES));
  await tx(ctx, async (ctx) => {
    const row = {
      user_id: user.id,
      sealed_secret: seal(ctx.secretKey, PURPOSE, secret),
      last_step: 0,
      enabled_at: null,
    };
    if (!(await saveFactor.first(ctx.db, row))) {
      throw conflict('Your account already has a second factor. Turn it off first.');
    }
    await record(ctx, 'second_factor.start', { kind: 'user', id: user.id, name: user.name });
  });
  const { host } = new URL(ctx.publicUrl());
  return { secret, url: toOtpauthUrl(`Mooring ${host}`, user.email, secret) };
}

const wrongCode = 'The code is wrong, or was used before. Enter the current code of your authenticator app.';

/** Users type recovery codes with or without dashes, in any case. */
const hashRecoveryCode = (userId: string, code: string): string =>
  sha256(`${userId} ${code.toUpperCase().replace(/[^A-Z2-7]/g, '')}`);

const attemptSubject = (userId: string): string => accountSubject(`${userId} second factor`);

/** Checks a code and marks it as used. Counts attempts before the check, so that parallel guesses can't outrun the count. */
async function checkCode(
  ctx: Ctx,
  { id: userId, name }: Pick<User, 'id' | 'name'>,
  code: string,
  takesRecoveryCode: boolean,
): Promise<boolean> {
  const subject = attemptSubject(userId);
  await tx(ctx, (ctx) => countAttempt(ctx, 'code', subject, 'wrong codes'));
  const row = await findFactor.first(ctx.db, { userId });
  if (!row) return false;
  const secret = open(ctx.secretKey, PURPOSE, row.sealed_secret);
  if (secret === undefined) throw new Error('A second factor was sealed with another MOORING_SECRET_KEY.');
  return tx(ctx, async (ctx) => {
    const step = findStep(secret, code.replace(/\s/g, ''), ctx.clock.now());
    const changed =
      step !== undefined
        ? await consumeStep.run(ctx.db, { userId, step })
        : takesRecoveryCode
          ? await consumeRecoveryCode.run(ctx.db, { userId, hash: hashRecoveryCode(userId, code) })
          : 0;
    if (changed === 0) return false;
    await clearAttempts(ctx, subject);
    if (step === undefined) await record(ctx, 'second_factor.use_recovery_code', { kind: 'user', id: userId, name });
    return true;
  });
}

async function createRecoveryCodes(ctx: Ctx, userId: string): Promise<string[]> {
  await deleteRecoveryCodes.run(ctx.db, { userId });
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    (toBase32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-'),
  );
  for (const code of codes) {
    await insertRecoveryCode.run(ctx.db, { user_id: userId, hash: hashRecoveryCode(userId, code) });
  }
  return codes;
}

/** Turns the second factor on, and returns recovery codes. */
export async function confirmSecondFactor(ctx: UserCtx, code: string): Promise<string[]> {
  const { user, credential } = ctx.actor;
  const row = await findFactor.first(ctx.db, { userId: user.id });
  if (!row || row.enabled_at !== null)
    throw conflict('There is no second factor to confirm. Start to set one up first.');
  if (!(await checkCode(ctx, user, code, false))) throw badRequest(wrongCode);
  return tx(ctx, async (ctx) => {
    if ((await enableFactor.run(ctx.db, { userId: user.id, now: ctx.clock.now() })) === 0) {
      throw conflict('The second factor was confirmed by another request.');
    }
    const codes = await createRecoveryCodes(ctx, user.id);
    await record(ctx, 'second_factor.enable', { kind: 'user', id: user.id, name: user.name });
    // They were opened without it.
    await endUserSessions(ctx, user.id, credential.kind === 'session' ? credential.id : undefined);
    return codes;
  });
}

async function refuseWithoutBoth(ctx: UserCtx, { password, code }: { password: string; code: string }): Promise<void> {
  const { user } = ctx.actor;
  if ((await findFactor.first(ctx.db, { userId: user.id }))?.enabled_at == null) throw notEnabled();
  await refuseWrongPassword(ctx, password);
  if (!(await checkCode(ctx, user, code, true))) throw badRequest(wrongCode);
}

export async function renewRecoveryCodes(ctx: UserCtx, proof: { password: string; code: string }): Promise<string[]> {
  await refuseWithoutBoth(ctx, proof);
  const { user } = ctx.actor;
  return tx(ctx, async (ctx) => {
    const codes = await createRecoveryCodes(ctx, user.id);
    await record(ctx, 'second_factor.renew_codes', { kind: 'user', id: user.id, name: user.name });
    return codes;
  });
}

export async function disableSecondFactor(ctx: UserCtx, proof: { password: string; code: string }): Promise<void> {
  const { user } = ctx.actor;
  const passkeys = await listUserPasskeys.all(ctx.db, { userId: user.id });
  if (passkeys.length === 0 && (await isFactorRequired(ctx, user))) {
    throw conflict('Your account needs a second factor. Add a passkey before you turn off the authenticator app.');
  }
  await refuseWithoutBoth(ctx, proof);
  await tx(ctx, (ctx) => removeFactor(ctx, user));
}

async function removeFactor(ctx: Ctx, { id, name }: Pick<User, 'id' | 'name'>): Promise<void> {
  await deleteRecoveryCodes.run(ctx.db, { userId: id });
  if ((await deleteFactor.run(ctx.db, { userId: id })) === 0) throw notFound('second factor');
  await record(ctx, 'second_factor.disable', { kind: 'user', id, name });
}

/** For a user who has lost the app and the recovery codes. */
export const removeLostFactor = (ctx: Ctx, userId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const account = await getAccount(ctx, userId);
    // A lost device may be the one with the passkeys.
    const passkeys = await deleteUserPasskeys.run(ctx.db, { userId });
    const hasFactor = (await findFactor.first(ctx.db, { userId })) !== undefined;
    if (hasFactor || passkeys === 0) await removeFactor(ctx, account);
    else await record(ctx, 'second_factor.disable', { kind: 'user', id: userId, name: account.name });
    await clearAttempts(ctx, attemptSubject(userId));
    await endUserSessions(ctx, userId);
  });

/** Refuses the password of a user who needs a second factor, but has no authenticator app. */
async function refuseUnprotected(ctx: Ctx, user: User): Promise<void> {
  if (!(await isFactorRequired(ctx, user))) return;
  const hasPasskey = (await listUserPasskeys.all(ctx.db, { userId: user.id })).length > 0;
  throw new Failure(
    'Unauthorized',
    hasPasskey
      ? 'This account needs more than a password. Sign in with your passkey; scripts need an API token.'
      : 'This account needs a second factor. Sign in to the console to set one up; scripts need an API token.',
    { [SECOND_FACTOR_HEADER]: hasPasskey ? 'passkey' : 'setup' },
  );
}

/** For `passwordRules`: a password alone is not enough for an account with a second factor. */
export async function requireSecondFactor(ctx: Ctx, user: User, code: string | undefined): Promise<void> {
  const row = await findFactor.first(ctx.db, { userId: user.id });
  if (row?.enabled_at == null) return refuseUnprotected(ctx, user);
  const needs = { [SECOND_FACTOR_HEADER]: 'required' };
  if (code === undefined) {
    throw new Failure(
      'Unauthorized',
      'This account needs a code of its authenticator app, or a recovery code. Scripts send it in the header X-Second-Factor, or use an API token.',
      needs,
    );
  }
  if (!(await checkCode(ctx, user, code, true))) throw new Failure('Unauthorized', wrongCode, needs);
}
