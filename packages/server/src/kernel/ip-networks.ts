import { BlockList, isIP } from 'node:net';
import { addressKey } from './ip-address.ts';

/** Compiles networks once, so that a check per request needs no parsing. */
export function compileNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** True for an IP address, or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || address.includes('%')) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

export function isInNetworks(networks: BlockList, address: string): boolean {
  const [plain = ''] = address.split('%');
  // Sockets that listen on both families report IPv4 addresses in IPv6 notation.
  const key = isIP(plain) === 6 ? addressKey(plain) : plain;
  const [checked, family] = isIP(key) === 4 ? [key, 'ipv4' as const] : [plain, 'ipv6' as const];
  return isIP(checked) !== 0 && networks.check(checked, family);
}
