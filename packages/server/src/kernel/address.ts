import { isIPv6 } from 'node:net';

/** One key for one customer: an IPv6 line usually holds a whole /64, which would otherwise be endless fresh keys. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const middle = address.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  return `${[...left, ...middle, ...right].slice(0, 4).join(':')}::/64`;
}
