import { isIPv6 } from 'node:net';

/**
 * A key for a client's address. An IPv6 connection usually has a whole /64, which would otherwise provide endless new
 * keys.
 */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return plain;
  // The URL parser normalizes the spelling of an address.
  const [head = '', tail = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const parts = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return isMapped(parts) ? toIPv4(parts) : `${parts.slice(0, 4).join(':')}::/64`;
}

/** An IPv4 address in IPv6 notation, which sockets that listen on both report. */
const isMapped = (parts: string[]): boolean => parts.slice(0, 6).join(':') === '0:0:0:0:0:ffff';

const toIPv4 = (parts: string[]): string =>
  parts
    .slice(6)
    .map((part) => Number.parseInt(part, 16))
    .flatMap((part) => [part >> 8, part & 255])
    .join('.');
