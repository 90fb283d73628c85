import { createHash, timingSafeEqual } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { AuthorizationServer } from 'oauth4webapi';
import { MINUTE, SECOND } from '../../../kernel/clock.ts';
import type { Directory, ProviderMetadata } from './directory.ts';

/** Signatures with public keys only: with HS256, the public key of a provider could be taken for a secret. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
/** Tolerance for clock differences, in seconds. */
export const TOLERANCE = 60;
/** A token arrives right after it was issued. */
export const MAX_AGE = 10 * MINUTE;

/** A token that must not be trusted. */
export class InvalidIdToken extends Error {
  override name = 'InvalidIdToken';
}

export const must = (condition: boolean, problem: string): void => {
  if (!condition) throw new InvalidIdToken(problem);
};

export interface ExpectedIdToken {
  clientId: string;
  nonce: string;
  /** The access token of the same response. */
  accessToken: string;
  now: number;
}

export interface IdTokenClaims extends JWTPayload {
  sub: string;
}

function hashAccessToken(accessToken: string, alg: string): string {
  const digest = createHash(alg.startsWith('Ed') ? 'sha512' : 'sha256')
    .update(accessToken)
    .digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

function isSame(a: unknown, b: string): boolean {
  if (typeof a !== 'string') return false;
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The algorithms that the provider declares; without a declaration, the one that every provider supports. */
export const allowedAlgorithms = ({
  id_token_signing_alg_values_supported: declared = ['RS256'],
}: AuthorizationServer) => ALGORITHMS.filter((alg) => declared.includes(alg));

async function verify(
  token: string,
  { server, keys }: ProviderMetadata,
  { clientId, nonce, accessToken, now }: ExpectedIdToken,
): Promise<IdTokenClaims> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    algorithms: allowedAlgorithms(server),
    issuer: server.issuer,
    audience: clientId,
    currentDate: new Date(now),
    clockTolerance: TOLERANCE,
    maxTokenAge: MAX_AGE / SECOND,
    requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
  });
  const { sub, aud, azp, at_hash } = payload;
  must(typeof sub === 'string' && /^[\x20-\x7e]{1,255}$/.test(sub), 'sub is not a text of up to 255 ASCII characters');
  must(isSame(payload.nonce, nonce), 'nonce is not the one of this sign-in');
  must(!Array.isArray(aud) || aud.length === 1 || azp !== undefined, 'azp is missing, but there are several audiences');
  must(azp === undefined || azp === clientId, 'azp is another client');
  const isAccessToken = at_hash === undefined || isSame(at_hash, hashAccessToken(accessToken, protectedHeader.alg));
  must(isAccessToken, 'at_hash is not of the access token');
  return payload as IdTokenClaims;
}

/** Looks up an unknown key once, because the provider may have rotated its keys. */
export async function withCurrentKeys<T>(
  directory: Directory,
  metadata: ProviderMetadata,
  verifyWith: (metadata: ProviderMetadata) => Promise<T>,
): Promise<T> {
  try {
    return await verifyWith(metadata);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    const renewed = await directory.renew(metadata.server.issuer);
    if (renewed === metadata) throw error;
    return verifyWith(renewed);
  }
}

export const verifyIdToken = (
  token: string,
  directory: Directory,
  metadata: ProviderMetadata,
  expected: ExpectedIdToken,
): Promise<IdTokenClaims> => withCurrentKeys(directory, metadata, (current) => verify(token, current, expected));
