import { isIP } from 'node:net';
import { badRequest } from '../../kernel/errors.ts';
import { isIn, isPublic, networksOf } from '../addresses.ts';

/** An address that messages may go to. Whether a name leads to a public address is decided when something is sent. */
export function checkEndpointUrl(text: string, allow: readonly string[], field = 'url'): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw badRequest(`${field} must be an address that begins with https://.`);
  if (url.username || url.password) throw badRequest(`${field} must not contain a name or a password.`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAllowed = isIn(networksOf(allow), host);
  if (url.protocol === 'http:' && !isAllowed) {
    throw badRequest(`${field} must begin with https://; http:// works only for addresses in MOORING_OUTBOUND_ALLOW.`);
  }
  if (isIP(host) !== 0 && !isAllowed && !isPublic(host)) {
    throw badRequest(
      `${field}: ${host} is not a public address; MOORING_OUTBOUND_ALLOW names those that are reached too.`,
    );
  }
  url.hash = '';
  return url.href;
}
