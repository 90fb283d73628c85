import { decodeJwt, errors, importJWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Deps, User, UserActor } from '../../../context.ts';
import { MINUTE, SECOND, toIso } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/errors.ts';
import { toUser } from '../../accounts/index.ts';
import { SCOPE } from '../authorize/authorize-checks.ts';
import { findReuse } from '../authorize/codes.store.ts';
import { findStanding } from '../clients/consents.store.ts';
import { ALGORITHM, findVerifyingKey, getSigningKey } from './keys.ts';
import { findSubjectUser } from './subjects.ts';
import { getIssuer, getTenantId, listAudiences } from './tenant.ts';
import type { TrustedIssuer } from './trusted-issuer.ts';

export interface Holder {
  user: User;
  sessionId: string;
  clientId: string;
  audience: string;
  /** Hash of the authorization code, if the token was exchanged for one. */
  codeHash?: string;
}

/** Issues a signed access token to a signed-in user who has consented. */
export async function issueAccessToken(deps: Deps, holder: Holder): Promise<{ value: string; expiresIn: number }> {
  const { user, sessionId, clientId, audience, codeHash } = holder;
  const { kid, jwk } = await getSigningKey(deps);
  const now = Math.floor(deps.clock.now() / SECOND);
  const expiresIn = (deps.config.accessTokenMinutes * MINUTE) / SECOND;
  const claims = {
    aud: audience,
    iss: getIssuer(deps),
    iat: now,
    nbf: now,
    exp: now + expiresIn,
    appid: clientId,
    name: user.displayName,
    oid: user.id,
    scp: SCOPE,
    sid: sessionId,
    sub: user.id,
    tid: await getTenantId(deps),
    unique_name: user.email,
    upn: user.email,
    ver: '1.0',
    ...(codeHash === undefined ? {} : { code: codeHash }),
  };
  const key = await importJWK(jwk, ALGORITHM);
  const value = await new SignJWT(claims).setProtectedHeader({ typ: 'JWT', alg: ALGORITHM, kid }).sign(key);
  return { value, expiresIn };
}

export type BearerCode =
  | 'InvalidAuthenticationToken'
  | 'ExpiredAuthenticationToken'
  | 'InvalidAuthenticationTokenAudience'
  | 'InvalidAuthenticationTokenTenant';

/** The reason for refusing an access token. */
export class BearerFailure extends Failure {
  override name = 'BearerFailure';

  constructor(code: BearerCode, message: string) {
    super(code, message);
  }
}

const invalid = (message: string) => new BearerFailure('InvalidAuthenticationToken', message);

/** Formats an unverified claim for an error message. */
const shown = (claim: unknown): string =>
  (Array.isArray(claim) ? claim : [claim])
    .filter((each) => typeof each === 'string')
    .join(', ')
    .slice(0, 200);

/** Translates an error of the library into the messages that clients of the Azure API expect. */
function toBearerFailure(error: unknown, audiences: readonly string[], now: number): unknown {
  if (error instanceof errors.JWTExpired) {
    const expiry = toIso((error.payload.exp ?? 0) * SECOND);
    const message = `The access token expiry UTC time '${expiry}' is earlier than current UTC time '${toIso(now)}'.`;
    return new BearerFailure('ExpiredAuthenticationToken', message);
  }
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') {
    return new BearerFailure(
      'InvalidAuthenticationTokenAudience',
      `The access token has been obtained for wrong audience or resource '${shown(error.payload.aud)}'. It should exactly match with one of the allowed audiences '${audiences.join("', '")}'.`,
    );
  }
  return error instanceof errors.JOSEError ? invalid(`The access token is invalid: ${error.message}.`) : error;
}

/** Three parts in base64url: a signed token, not an opaque API token. */
export const isSigned = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);

/** Decodes the claims of a token without verifying them. */
function readClaims(jwt: string): JWTPayload {
  try {
    return decodeJwt(jwt);
  } catch {
    throw invalid('The access token is invalid: it is not a JSON Web Token.');
  }
}

export interface BearerDeps extends Deps {
  /** The identity provider of MOORING_OIDC_ISSUER, if configured. */
  trustedIssuer?: TrustedIssuer | undefined;
}

/**
 * Verifies an access token and returns its actor and expiry; throws `BearerFailure` if it is invalid. Looks up the user, the
 * session and the consent, so a token ends with any of them.
 */
export async function findBearerActor(deps: BearerDeps, jwt: string): Promise<{ actor: UserActor; expiresAt: number }> {
  const claims = readClaims(jwt);
  if (claims.iss === getIssuer(deps)) return findOwnActor(deps, jwt);
  if (deps.trustedIssuer && claims.iss === deps.trustedIssuer.issuer) {
    return findTrustedActor(deps, deps.trustedIssuer, jwt);
  }
  const believed = [getIssuer(deps), deps.trustedIssuer?.issuer].filter(Boolean).join("' or '");
  throw new BearerFailure(
    'InvalidAuthenticationTokenTenant',
    `The access token is from the wrong issuer '${shown(claims.iss)}'. It must match '${believed}'.`,
  );
}

type Ids = [sid: string, sub: string, appid: string, code: string];

/** Keeps unverified claims of any other shape out of the database. */
const parseId = (claim: unknown): string => (typeof claim === 'string' && /^[\w-]{1,64}$/.test(claim) ? claim : '');

async function findOwnActor(deps: Deps, jwt: string): Promise<{ actor: UserActor; expiresAt: number }> {
  const now = deps.clock.now();
  const audience = listAudiences(deps);
  const findKey = async ({ kid }: { kid?: string }) => {
    const key = await findVerifyingKey(deps, parseId(kid));
    if (!key) throw invalid('The access token is invalid: its signing key is unknown or no longer in use.');
    return key;
  };
  const options = { algorithms: [ALGORITHM], issuer: getIssuer(deps), audience, currentDate: new Date(now) };
  const { payload } = await jwtVerify(jwt, findKey, { ...options, requiredClaims: ['exp'] }).catch((error) => {
    throw toBearerFailure(error, audience, now);
  });
  const [sid, sub, appid, code] = [payload.sid, payload.sub, payload.appid, payload.code].map(parseId) as Ids;
  const row = await findStanding.first(deps.db, { sessionId: sid, userId: sub, clientId: appid });
  if (code && (await findReuse.first(deps.db, { hash: code }))) {
    throw invalid('The access token is invalid: its authorization code was sent a second time.');
  }
  if (!row || row.is_disabled || row.granted_at === null || row.expires_at <= now) {
    throw invalid('The access token is invalid: its user has signed out, is disabled, or no longer allows the client.');
  }
  const credential = { kind: 'oauth', id: sid, clientId: appid } as const;
  const actor: UserActor = { kind: 'user', user: toUser(row), credential, tokenScope: 'all' };
  return { actor, expiresAt: Math.min((payload.exp ?? 0) * SECOND, row.expires_at) };
}

/** RFC 9068: without a user, the subject is the client; Microsoft's tokens mark this in `idtyp`. */
const isClientItself = ({ sub, idtyp, azp, client_id, appid }: JWTPayload): boolean =>
  idtyp === 'app' || (sub !== undefined && [azp, client_id, appid].includes(sub));

async function findTrustedActor(
  deps: Deps,
  trusted: TrustedIssuer,
  jwt: string,
): Promise<{ actor: UserActor; expiresAt: number }> {
  const now = deps.clock.now();
  const payload = await trusted.verify(jwt, now).catch((error) => {
    throw toBearerFailure(error, trusted.audience, now);
  });
  const user = await findSubjectUser(deps, payload);
  if (typeof user === 'string') throw invalid(user);
  const credential = {
    kind: 'oauth',
    id: user.id,
    clientId: trusted.issuer,
    ...(isClientItself(payload) ? { isClientItself: true } : {}),
  } as const;
  const actor: UserActor = { kind: 'user', user, credential, tokenScope: 'all' };
  return { actor, expiresAt: (payload.exp ?? 0) * SECOND };
}
