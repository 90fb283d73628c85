import { isIP } from 'node:net';
import { badRequest } from '../../kernel/errors.ts';
import { createBlockList, isIn, isPublic } from '../addresses.ts';

/** Validates the URL of an endpoint. Host names are resolved and checked only when a message is sent. */
export function checkEndpointUrl(text: string, allow: readonly string[], field = 'url'): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw badRequest(`${field} must be a URL that starts with https://.`);
  if (url.username || url.password) throw badRequest(`${field} must not contain a user name or password.`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isAllowed = isIn(createBlockList(allow), host);
  if (url.protocol === 'http:' && !isAllowed) {
    throw badRequest(`${field} must start with https://. Only IP addresses in MOORING_OUTBOUND_ALLOW can use http://.`);
  }
  if (isIP(host) !== 0 && !isAllowed && !isPublic(host)) {
    throw badRequest(
      `${field}: ${host} is not a public address. To allow it, an administrator can add it to MOORING_OUTBOUND_ALLOW.`,
    );
  }
  url.hash = '';
  return url.href;
}
