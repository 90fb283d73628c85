import { isIP } from 'node:net';
import { isLoopback } from '../setting-kinds.ts';
import { createBlockList, isIn, isPublic } from './addresses.ts';

/** Why an issuer cannot be used, or nothing. The text continues "The issuer". */
export function issuerProblem(issuer: string, allow: readonly string[]): string | undefined {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be a URL such as https://login.example.com.';
  if (/[?#@\s]/.test(issuer)) return 'must not contain a query, a fragment, a user name or spaces.';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAllowed = isIn(createBlockList(allow), host);
  if (url.protocol === 'http:' && !(isLoopback(url) && isAllowed)) {
    return 'must start with https://. http is accepted only for a loopback address in MOORING_OUTBOUND_ALLOW.';
  }
  if (isIP(host) !== 0 && !isAllowed && !isPublic(host)) {
    return 'is not a public address. To allow it, an administrator can add it to MOORING_OUTBOUND_ALLOW.';
  }
  return undefined;
}
