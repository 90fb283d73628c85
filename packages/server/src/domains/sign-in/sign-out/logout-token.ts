import { jwtVerify } from 'jose';
import { SECOND } from '../../../kernel/clock.ts';
import type { Directory, ProviderMetadata } from '../oidc/directory.ts';
import { allowedAlgorithms, MAX_AGE, must, TOLERANCE, withCurrentKeys } from '../oidc/id-token.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** The session at the provider that has ended, or its user, whose sessions have all ended. */
export interface EndedSession {
  jti: string;
  subject: string | undefined;
  sid: string | undefined;
}

const isId = (value: unknown): boolean => typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value);
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function verify(
  token: string,
  { server, keys }: ProviderMetadata,
  { clientId, now }: { clientId: string; now: number },
): Promise<EndedSession> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    algorithms: allowedAlgorithms(server),
    issuer: server.issuer,
    audience: clientId,
    currentDate: new Date(now),
    clockTolerance: TOLERANCE,
    maxTokenAge: MAX_AGE / SECOND,
    requiredClaims: ['iat', 'jti', 'events'],
  });
  const { jti, sub, sid, events, nonce } = payload;
  const { typ } = protectedHeader;
  must(typ === undefined || /^(logout\+jwt|jwt)$/i.test(typ), 'typ is not logout+jwt');
  // An ID token must not end sessions.
  must(nonce === undefined, 'nonce is present');
  must(isObject(events) && isObject((events as Record<string, unknown>)[EVENT]), `events has no ${EVENT}`);
  must(isId(jti), 'jti is not a text of up to 255 ASCII characters');
  must(sub === undefined || isId(sub), 'sub is not a text of up to 255 ASCII characters');
  must(sid === undefined || isId(sid), 'sid is not a text of up to 255 ASCII characters');
  must(sub !== undefined || sid !== undefined, 'sub and sid are missing');
  return { jti: jti as string, subject: sub, sid: sid as string | undefined };
}

/** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6), except that it is used once. */
export const verifyLogoutToken = (
  token: string,
  directory: Directory,
  metadata: ProviderMetadata,
  expected: { clientId: string; now: number },
): Promise<EndedSession> => withCurrentKeys(directory, metadata, (current) => verify(token, current, expected));
