import { DEVICE_GRANT, EXCHANGE_GRANT } from '@mooring/contract';
import type { Ctx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineSchedule } from '../../../jobs/index.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';
import { sha256 } from '../../../kernel/crypto/crypto.ts';
import { toUser } from '../../accounts/index.ts';
import { record } from '../../audit/index.ts';
import { findClient, listClients } from '../clients/clients.ts';
import { findStanding } from '../clients/consents.store.ts';
import { isRegisteredOrigin } from '../clients/redirect-uris.ts';
import { exchangeDeviceCode } from '../device/device-sign-ins.ts';
import { issueAccessToken } from '../tokens/access-tokens.ts';
import { SCOPE } from './authorize-checks.ts';
import { exchangeIdToken } from './ci-exchange.ts';
import { deleteOldCodes, findCode, noteReuse, takeCode } from './codes.store.ts';
import { oauthFailure } from './oauth-failure.ts';
import { required, type TokenRequest, type TokenResponse } from './token-fields.ts';

/** Used codes are stored for this time, to detect a second use. */
const CODE_MEMORY = DAY;

const invalidGrant = (description: string) => oauthFailure('invalid_grant', description);

type Taken = NonNullable<Awaited<ReturnType<typeof takeCode.first>>>;

/** A code works once: the attempt uses it up, before anything else is checked. */
async function redeemCode(ctx: Ctx, code: string): Promise<Taken> {
  const hash = sha256(code);
  const taken = await tx(ctx, async (ctx) => {
    const row = await takeCode.first(ctx.db, { hash, now: ctx.clock.now() });
    const used = row ? undefined : await findCode.first(ctx.db, { hash });
    if (used) {
      // Another party has the code, and may have used it first (RFC 6749, section 4.1.2).
      await noteReuse.run(ctx.db, { hash, now: ctx.clock.now() });
      await record(ctx, 'oauth.reuse_code', { kind: 'oauth_client', id: used.client_id });
    }
    return row;
  });
  if (!taken) throw invalidGrant('The code is unknown or was already used.');
  return taken;
}

/** Responds to a request to the token endpoint. */
export function exchange(ctx: Ctx, request: TokenRequest): Promise<TokenResponse> {
  const grantType = required(request, 'grant_type');
  if (grantType === DEVICE_GRANT) return exchangeDeviceCode(ctx, request);
  if (grantType === EXCHANGE_GRANT) return exchangeIdToken(ctx, request);
  if (grantType === 'authorization_code') return exchangeCode(ctx, request);
  throw oauthFailure(
    'unsupported_grant_type',
    `grant_type must be authorization_code, ${DEVICE_GRANT} or ${EXCHANGE_GRANT}.`,
  );
}

/** Exchanges an authorization code for an access token. */
async function exchangeCode(ctx: Ctx, request: TokenRequest): Promise<TokenResponse> {
  const code = required(request, 'code');
  const redirectUri = required(request, 'redirect_uri');
  const verifier = required(request, 'code_verifier');
  const client = await findClient(ctx, required(request, 'client_id'));
  if (!client) throw oauthFailure('invalid_client', 'No client is registered under this client_id.');

  const taken = await redeemCode(ctx, code);
  if (taken.expires_at <= ctx.clock.now()) throw invalidGrant('The code has expired.');
  if (taken.client_id !== client.id) throw invalidGrant('The code was issued to another client.');
  if (taken.redirect_uri !== redirectUri)
    throw invalidGrant('redirect_uri differs from the one in the authorization request.');
  if (!/^[\w.~-]{43,128}$/.test(verifier) || sha256(verifier) !== taken.challenge) {
    throw invalidGrant('code_verifier does not match the code_challenge.');
  }
  const ids = { sessionId: taken.session_id, userId: taken.user_id, clientId: client.id };
  const row = await findStanding.first(ctx.db, ids);
  if (!row || row.is_disabled || row.granted_at === null) {
    throw invalidGrant('The user has signed out, is disabled, or no longer allows this client.');
  }
  const holder = {
    user: toUser(row),
    sessionId: taken.session_id,
    clientId: client.id,
    audience: taken.audience,
    codeHash: sha256(code),
  };
  const { value, expiresIn } = await issueAccessToken(ctx, holder);
  ctx.log.info({ client: client.id, user: row.id, flow: 'code' }, 'access token issued');
  return { access_token: value, token_type: 'Bearer', expires_in: expiresIn, scope: SCOPE };
}

/** Checks whether an origin belongs to a client, whose pages may then exchange codes from the browser. */
export async function isClientOrigin(deps: Deps, origin: string): Promise<boolean> {
  const clients = await listClients(deps);
  return clients.some(({ redirectUris }) => isRegisteredOrigin(redirectUris, origin));
}

export const codesSweep = defineSchedule('oauth_codes.sweep', HOUR);

export const sweepCodes = (deps: Deps): Promise<void> =>
  tx(deps, async ({ db, clock }) => {
    await deleteOldCodes.run(db, { before: clock.now() - CODE_MEMORY });
  });
