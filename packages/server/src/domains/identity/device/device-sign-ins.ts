import { randomInt } from 'node:crypto';
import { DEVICE_GRANT } from '@mooring/contract';
import type { Ctx, Deps, UserCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { defineSchedule } from '../../../jobs/index.ts';
import { HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { randomBase62, sha256 } from '../../../kernel/crypto/crypto.ts';
import { forbidden, notFound, tooManyRequests } from '../../../kernel/errors.ts';
import { addressKey } from '../../../kernel/ip-address.ts';
import { accountSubject, clearAttempts, countAttempt, toUser } from '../../accounts/index.ts';
import { record } from '../../audit/index.ts';
import { createUserToken } from '../../tokens/index.ts';
import { SCOPE } from '../authorize/authorize-checks.ts';
import { oauthFailure } from '../authorize/oauth-failure.ts';
import { required, type TokenRequest, type TokenResponse } from '../authorize/token-fields.ts';
import { COMMAND_LINE, findClient } from '../clients/clients.ts';
import {
  countDeviceSignIns,
  decideDeviceSignIn,
  deleteDeviceSignIn,
  deleteOldDeviceSignIns,
  findByUserCode,
  findConfirmer,
  insertDeviceSignIn,
  lockDeviceSignIn,
  notePoll,
} from './device-sign-ins.store.ts';

export const DEVICE_PATH = '/common/oauth2/devicecode';
/** The page on which a person enters or confirms the code. */
const PAGE = '/cli-login';

const LIFETIME = 10 * MINUTE;
const INTERVAL = 5;
const MAX_INTERVAL = 60;
/** Without similar letters, and without vowels, so that codes form no words (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LENGTH = 8;

/** Anyone may start a sign-in, so their number is limited. */
const MAX_PENDING = 10_000;
const MAX_PENDING_OF_NETWORK = 50;

const createUserCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

const showUserCode = (code: string): string => `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;

const hashUserCode = (text: string): string => sha256(`user-code:${text.toUpperCase().replace(/[^A-Z]/g, '')}`);

const readDeviceName = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/\p{C}/gu, '').trim().slice(0, 100) : '';

const getNetworkKey = ({ origin }: Ctx): string => addressKey(origin?.address ?? '');

/** Only the command line: the API token that a sign-in returns does not end with a session or a consent. */
async function findCommandLine(ctx: Ctx, request: TokenRequest) {
  const client = await findClient(ctx, required(request, 'client_id'));
  if (!client) throw oauthFailure('invalid_client', 'No client is registered under this client_id.');
  if (client.id !== COMMAND_LINE) {
    throw oauthFailure('unauthorized_client', 'Only the command line of this server can sign in with a device code.');
  }
  return client;
}

export interface DeviceCode {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

/** Starts the sign-in of a machine. */
export async function startDeviceSignIn(ctx: Ctx, request: TokenRequest): Promise<DeviceCode> {
  const client = await findCommandLine(ctx, request);
  const deviceCode = randomBase62(43);
  const userCode = createUserCode();
  await tx(ctx, async (ctx) => {
    await lock(ctx, 'limits', 'device_sign_ins');
    const now = ctx.clock.now();
    const address = getNetworkKey(ctx);
    const counts = await countDeviceSignIns.first(ctx.db, { address, now });
    if (Number(counts?.count) >= MAX_PENDING || Number(counts?.same_address) >= MAX_PENDING_OF_NETWORK) {
      throw tooManyRequests('Too many machines are waiting to sign in. Try again in 10 minutes.', LIFETIME / SECOND);
    }
    await insertDeviceSignIn.run(ctx.db, {
      device_hash: sha256(deviceCode),
      user_code_hash: hashUserCode(userCode),
      client_id: client.id,
      device_name: readDeviceName(request.device_name),
      address,
      created_at: now,
      expires_at: now + LIFETIME,
      polled_at: 0,
      interval: INTERVAL,
      state: 'pending',
      user_id: null,
      session_id: null,
    });
  });
  const page = ctx.publicUrl() + PAGE;
  const shown = showUserCode(userCode);
  return {
    device_code: deviceCode,
    user_code: shown,
    verification_uri: page,
    verification_uri_complete: `${page}?code=${shown}`,
    expires_in: LIFETIME / SECOND,
    interval: INTERVAL,
  };
}

const unknownCode = () =>
  notFound('sign-in with this code. Check the code; it is valid for 10 minutes and for one decision');

/** Limits guesses of a person and their network. A decision clears those of the person; a lookup does not, because anyone can start a sign-in and look it up. */
async function countGuess(ctx: UserCtx): Promise<void> {
  await tx(ctx, async (ctx) => {
    await countAttempt(ctx, 'code', userSubject(ctx as UserCtx), 'wrong codes');
  });
}

const userSubject = ({ actor }: UserCtx): string => `device-code:${accountSubject(actor.user.id)}`;

export interface DeviceSignIn {
  clientName: string;
  deviceName: string;
  address: string;
  createdAt: number;
  expiresAt: number;
}

/** Describes the machine that a code belongs to. */
export async function getDeviceSignIn(ctx: UserCtx, userCode: string): Promise<DeviceSignIn> {
  await countGuess(ctx);
  const row = await findByUserCode.first(ctx.db, { userCodeHash: hashUserCode(userCode), now: ctx.clock.now() });
  if (!row) throw unknownCode();
  const client = await findClient(ctx, row.client_id);
  return {
    clientName: client?.name ?? row.client_id,
    deviceName: row.device_name,
    address: row.address,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** Stores the decision of a person. The first one counts. */
export async function decideDevice(ctx: UserCtx, userCode: string, isAllowed: boolean): Promise<void> {
  const { user, credential } = ctx.actor;
  if (credential.kind !== 'session') {
    throw forbidden("A token can't sign in a machine. Open the page of the code in a browser.");
  }
  await countGuess(ctx);
  await tx(ctx, async (ctx) => {
    const row = await decideDeviceSignIn.first(ctx.db, {
      userCodeHash: hashUserCode(userCode),
      now: ctx.clock.now(),
      state: isAllowed ? 'allowed' : 'denied',
      userId: user.id,
      sessionId: credential.id,
    });
    if (!row) throw unknownCode();
    await clearAttempts(ctx, userSubject(ctx as UserCtx));
    const after = { device_name: row.device_name, address: row.address };
    const subject = { kind: 'oauth_client', id: row.client_id } as const;
    await record(ctx, isAllowed ? 'oauth.allow_device' : 'oauth.deny_device', subject, { after });
  });
}

/** Exchanges a device code for an API token, as `mooring login` stores it. */
export async function exchangeDeviceCode(ctx: Ctx, request: TokenRequest): Promise<TokenResponse> {
  const client = await findCommandLine(ctx, request);
  const deviceHash = sha256(required(request, 'device_code'));
  // Errors are returned, because throwing one would undo the count of calls and the use of the code.
  const outcome = await tx(ctx, async (ctx) => {
    const now = ctx.clock.now();
    const row = await lockDeviceSignIn.first(ctx.db, { deviceHash });
    if (!row) return oauthFailure('invalid_grant', 'The device code is unknown or was already used.');
    if (row.expires_at <= now) return oauthFailure('expired_token', 'The device code has expired. Start again.');
    if (row.state === 'pending') {
      const isTooFast = now - row.polled_at < row.interval * SECOND;
      const interval = isTooFast ? Math.min(row.interval + INTERVAL, MAX_INTERVAL) : row.interval;
      await notePoll.run(ctx.db, { deviceHash, now, interval });
      return isTooFast
        ? oauthFailure('slow_down', `Wait ${interval} seconds between two calls.`)
        : oauthFailure('authorization_pending', 'No one has confirmed the code yet.');
    }
    await deleteDeviceSignIn.run(ctx.db, { deviceHash });
    if (row.state === 'denied') return oauthFailure('access_denied', 'The sign-in was refused in the browser.');
    const ids = { userId: row.user_id ?? '', sessionId: row.session_id ?? '', now };
    const person = await findConfirmer.first(ctx.db, ids);
    if (!person)
      return oauthFailure('access_denied', 'The person who confirmed the code has signed out or is disabled.');
    const user = toUser(person);
    const credential = { kind: 'session', id: ids.sessionId } as const;
    const acting: UserCtx = { ...ctx, actor: { kind: 'user', user, credential, tokenScope: 'all' } };
    const name = row.device_name;
    return createUserToken(acting, { description: name ? `mooring CLI on ${name}` : 'mooring CLI' });
  });
  if (outcome instanceof Error) throw outcome;
  ctx.log.info({ client: client.id, token: outcome.id, flow: DEVICE_GRANT }, 'API token issued');
  return { access_token: outcome.value, token_type: 'Bearer', scope: SCOPE, token_id: outcome.id };
}

export const deviceSignInsSweep = defineSchedule('device_sign_ins.sweep', HOUR);

export const sweepDeviceSignIns = (deps: Deps): Promise<void> =>
  tx(deps, async ({ db, clock }) => {
    await deleteOldDeviceSignIns.run(db, { before: clock.now() - HOUR });
  });
