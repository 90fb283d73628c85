import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isIn, isPublic, networksOf } from './addresses.ts';
import { OutboundError } from './fetch.ts';

/**
 * The addresses of a host that may be reached, for programs that connect by themselves: they must be told to connect to one of
 * these, so that a name which changes its address in between gains nothing.
 */
export async function reachableAddresses(host: string, allow: readonly string[]): Promise<string[]> {
  const allowed = networksOf(allow);
  const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
  if (found.length === 0) throw new OutboundError('unreachable', `${host} cannot be found.`);
  const addresses = found.map(({ address }) => address).filter((one) => isPublic(one) || isIn(allowed, one));
  if (addresses.length > 0) return addresses;
  throw new OutboundError(
    'refused_address',
    `${host} is not a public address; MOORING_OUTBOUND_ALLOW names those that may be reached all the same.`,
  );
}
