import { isIPv4, isIPv6 } from 'node:net';
import { der } from '../../kernel/crypto/der.ts';

/** Extension of an authority that limits the names and addresses it may sign (RFC 5280, 4.2.1.10). */
export const NAME_CONSTRAINTS = '2.5.29.30';
const oid = Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x1e]);

const SEQUENCE = 0x30;
const PERMITTED = 0xa0;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

function ipv6Bytes(address: string): number[] {
  // The URL parser normalizes every spelling, and writes an IPv4 part in hexadecimal.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const parseGroups = (text: string) => (text ? text.split(':').map((group) => Number.parseInt(group, 16)) : []);
  const left = parseGroups(head);
  const right = parseGroups(tail ?? '');
  const groups = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  return groups.flatMap((group) => [group >> 8, group & 0xff]);
}

/** Exactly this name with its subdomains, or exactly this address. All of 127.0.0.0/8 is this machine. */
function subtree(host: string): Buffer {
  if (isIPv6(host)) return der(SEQUENCE, der(IP_ADDRESS, Buffer.from([...ipv6Bytes(host), ...Array(16).fill(0xff)])));
  if (!isIPv4(host)) return der(SEQUENCE, der(DNS_NAME, Buffer.from(host, 'latin1')));
  const bytes = host.split('.').map(Number);
  const [base, mask] =
    bytes[0] === 127
      ? [
          [127, 0, 0, 0],
          [255, 0, 0, 0],
        ]
      : [bytes, [255, 255, 255, 255]];
  return der(SEQUENCE, der(IP_ADDRESS, Buffer.from([...base, ...mask])));
}

/** Value of the extension: only these hosts. */
export const permitOnly = (hosts: readonly string[]): Buffer<ArrayBuffer> =>
  der(SEQUENCE, der(PERMITTED, ...hosts.map(subtree)));

/** True if a certificate of this server is constrained, and covers at least these hosts. */
export const permits = (certificate: Buffer, hosts: readonly string[]): boolean =>
  certificate.includes(oid) && hosts.every((host) => certificate.includes(subtree(host)));
