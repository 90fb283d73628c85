import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { DAY, SECOND } from '../../../kernel/clock.ts';
import { sha256 } from '../../../kernel/crypto/crypto.ts';
import type { createIssuerKeys } from './issuer-keys.ts';

/** Signatures with public keys only: with HS256, the public key of an issuer could be taken for a secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Tolerance for clock differences, in seconds. */
export const TOLERANCE = 60;
const MAX_LIFETIME = DAY / SECOND;
export const MAX_ID_TOKEN = 24_000;

/** The ID token itself is wrong; the message says how and can be shown to anyone who has it. */
export class InvalidIdToken extends Error {
  override name = 'InvalidIdToken';
}

const must = (condition: boolean, problem: string): void => {
  if (!condition) throw new InvalidIdToken(problem);
};

export interface ClaimedIdToken {
  issuer: string;
  claims: JWTPayload;
}

const isSeconds = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

/**
 * Reads an ID token without verifying it, and refuses it if its own content is enough to do so. Nothing here depends on data of
 * this server, so the messages reveal none.
 */
export function readIdToken(token: string, { audience, now }: { audience: string; now: number }): ClaimedIdToken {
  must(token.length <= MAX_ID_TOKEN && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token), 'it is not a signed JSON Web Token');
  let claims: JWTPayload;
  let header: { alg?: unknown; typ?: unknown };
  try {
    claims = decodeJwt(token);
    header = decodeProtectedHeader(token);
  } catch {
    throw new InvalidIdToken('it is not a signed JSON Web Token');
  }
  must(typeof header.alg === 'string' && ALGORITHMS.includes(header.alg), 'its algorithm is not accepted');
  must(header.typ === undefined || String(header.typ).toUpperCase() === 'JWT', 'its type is not JWT');
  const { iss, aud, exp, iat, nbf } = claims;
  const seconds = Math.floor(now / SECOND);
  must(typeof iss === 'string' && iss.length <= 500, 'it has no issuer');
  // A token for several audiences could be sent here by any of the others.
  const audiences = [aud ?? []].flat();
  must(audiences.length === 1 && audiences[0] === audience, `its audience is not ${audience}`);
  if (!isSeconds(exp) || !isSeconds(iat)) throw new InvalidIdToken('exp or iat is missing');
  must(exp - iat <= MAX_LIFETIME, 'it is valid for more than a day');
  must(exp + TOLERANCE > seconds, 'it has expired');
  must(iat - TOLERANCE <= seconds, 'it was issued in the future');
  must(nbf === undefined || (isSeconds(nbf) && nbf - TOLERANCE <= seconds), 'it is not valid yet');
  return { issuer: iss as string, claims };
}

type Directory = ReturnType<typeof createIssuerKeys>;

/** True if the issuer has signed the token. Throws if its keys cannot be fetched. Looks up an unknown key once. */
export async function isSignedByIssuer(
  directory: Directory,
  token: string,
  { issuer }: ClaimedIdToken,
  now: number,
): Promise<boolean> {
  const options = { algorithms: ALGORITHMS, issuer, currentDate: new Date(now), clockTolerance: TOLERANCE };
  const keys = await directory.find(issuer);
  for (let current = keys; ; ) {
    try {
      await jwtVerify(token, current, options);
      return true;
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || current !== keys) return false;
      const renewed = await directory.renew(issuer);
      if (renewed === keys) return false;
      current = renewed;
    }
  }
}

/** Identifies a token whose signature may be encoded in several ways. */
export function getProof(token: string, { issuer, claims }: ClaimedIdToken): string {
  const isNamed = typeof claims.jti === 'string' && claims.jti !== '';
  return `ci ${issuer} ${isNamed ? `jti ${sha256(String(claims.jti))}` : sha256(token.slice(0, token.lastIndexOf('.')))}`;
}
