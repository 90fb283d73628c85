import type { Ctx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineSchedule } from '../../../jobs/index.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';
import { sha256 } from '../../../kernel/crypto.ts';
import { toUser } from '../../accounts/index.ts';
import { record } from '../../audit/index.ts';
import { findClient, listClients } from '../clients/clients.ts';
import { findStanding } from '../clients/consents.store.ts';
import { isOriginOf } from '../clients/redirect-uris.ts';
import { issueAccessToken } from '../tokens/access-tokens.ts';
import { SCOPE } from './authorize-checks.ts';
import { deleteOldCodes, findCode, noteReuse, takeCode } from './codes.store.ts';
import { oauthFailure } from './oauth-failure.ts';

/** How long a used code is remembered, so that its second use is noticed. */
const CODE_MEMORY = DAY;

export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope: string;
}

/** What a token request says, by the names of the standard; whatever is not text is not there. */
export type TokenRequest = Partial<Record<string, unknown>>;

function required(request: TokenRequest, name: string): string {
  const value = Object.hasOwn(request, name) ? request[name] : undefined;
  if (typeof value !== 'string' || value === '') throw oauthFailure('invalid_request', `${name} is missing.`);
  if (value.length > 2000) throw oauthFailure('invalid_request', `${name} is longer than 2000 characters.`);
  return value;
}

const invalidGrant = (description: string) => oauthFailure('invalid_grant', description);

type Taken = NonNullable<Awaited<ReturnType<typeof takeCode.first>>>;

/** A code works once. It is used up by the attempt, right or wrong, before anything else is looked at. */
async function redeemCode(ctx: Ctx, code: string): Promise<Taken> {
  const hash = sha256(code);
  const taken = await tx(ctx, async (ctx) => {
    const row = await takeCode.first(ctx.db, { hash, now: ctx.clock.now() });
    const used = row ? undefined : await findCode.first(ctx.db, { hash });
    if (used) {
      // Someone else has the code, and may have been first (RFC 6749, section 4.1.2).
      await noteReuse.run(ctx.db, { hash, now: ctx.clock.now() });
      await record(ctx, 'oauth.reuse_code', { kind: 'oauth_client', id: used.client_id });
    }
    return row;
  });
  if (!taken) throw invalidGrant('The code is unknown, or was used already.');
  return taken;
}

/** Changes an authorization code into an access token. */
export async function exchangeCode(ctx: Ctx, request: TokenRequest): Promise<TokenAnswer> {
  if (required(request, 'grant_type') !== 'authorization_code') {
    throw oauthFailure('unsupported_grant_type', 'grant_type must be authorization_code.');
  }
  const code = required(request, 'code');
  const redirectUri = required(request, 'redirect_uri');
  const verifier = required(request, 'code_verifier');
  const client = await findClient(ctx, required(request, 'client_id'));
  if (!client) throw oauthFailure('invalid_client', 'No client is registered under this client_id.');

  const taken = await redeemCode(ctx, code);
  if (taken.expires_at <= ctx.clock.now()) throw invalidGrant('The code has expired.');
  if (taken.client_id !== client.id) throw invalidGrant('The code was made for another client.');
  if (taken.redirect_uri !== redirectUri) throw invalidGrant('redirect_uri is not the one that the code was sent to.');
  if (!/^[\w.~-]{43,128}$/.test(verifier) || sha256(verifier) !== taken.challenge) {
    throw invalidGrant('code_verifier does not fit the code_challenge.');
  }
  const ids = { sessionId: taken.session_id, userId: taken.user_id, clientId: client.id };
  const row = await findStanding.first(ctx.db, ids);
  if (!row || row.is_disabled || row.granted_at === null) {
    throw invalidGrant('The person has signed out, or no longer allows this.');
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

/** Whether a page of this origin belongs to a client, and so may exchange codes from the browser. */
export async function isClientOrigin(deps: Deps, origin: string): Promise<boolean> {
  const clients = await listClients(deps);
  return clients.some(({ redirectUris }) => isOriginOf(redirectUris, origin));
}

export const codesSweep = defineSchedule('oauth_codes.sweep', HOUR);

export const sweepCodes = (deps: Deps): Promise<void> =>
  tx(deps, async ({ db, clock }) => {
    await deleteOldCodes.run(db, { before: clock.now() - CODE_MEMORY });
  });
