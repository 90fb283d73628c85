import { BlockList, isIP, isIPv4 } from 'node:net';

/** Matches IP addresses against a list of addresses and networks (`10.0.0.7`, `10.0.0.0/8`). */
export function createBlockList(items: readonly string[]): BlockList {
  const list = new BlockList();
  for (const item of items) {
    const [address = '', bits] = item.split('/');
    const family = getIpFamily(address);
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return list;
}

const getIpFamily = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** Special-purpose addresses of the IANA registry: this network, private, shared, loopback, link-local, … */
const special4 = createBlockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

/** Only this eighth of IPv6 is public. Mapped IPv4, loopback, local and multicast addresses are outside. */
const public6 = createBlockList(['2000::/3']);
/** Not public within it: tunnels that embed any IPv4 address, documentation, and protocol assignments. */
const special6 = createBlockList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** True if an address belongs to the public Internet. */
export function isPublic(address: string): boolean {
  const [plain = ''] = address.split('%');
  if (isIP(plain) === 0) return false;
  if (isIPv4(plain)) return !special4.check(plain, 'ipv4');
  return public6.check(plain, 'ipv6') && !special6.check(plain, 'ipv6');
}

export function isIn(list: BlockList, address: string): boolean {
  const [plain = ''] = address.split('%');
  return isIP(plain) !== 0 && list.check(plain, getIpFamily(plain));
}
