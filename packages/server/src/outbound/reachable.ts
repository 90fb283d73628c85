import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { createBlockList, isIn, isPublic } from './addresses.ts';
import { OutboundError } from './fetch.ts';

/**
 * Addresses of a host that may be accessed, for programs that open connections themselves. They must connect to one of
 * these, so that a name can't change its address after the check.
 */
export async function reachableAddresses(host: string, allow: readonly string[]): Promise<string[]> {
  const allowed = createBlockList(allow);
  const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
  if (found.length === 0) throw new OutboundError('unreachable', `The host ${host} was not found.`);
  const addresses = found.map(({ address }) => address).filter((one) => isPublic(one) || isIn(allowed, one));
  if (addresses.length > 0) return addresses;
  throw new OutboundError(
    'refused_address',
    `${host} is not a public address. To allow it, an administrator can add it to MOORING_OUTBOUND_ALLOW.`,
  );
}
