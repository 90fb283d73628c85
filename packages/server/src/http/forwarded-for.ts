import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** The address in one entry of X-Forwarded-For: some proxies add the port, and a zone means nothing on another machine. */
function readEntry(entry: string): string | undefined {
  const text = entry.trim();
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  const [address = ''] = (bracketed ?? dotted ?? text).split('%');
  return isIP(address) === 0 ? undefined : address;
}

/** What is left of a header: the entries from the right, where the nearest proxy wrote, up to one that is no address. */
export function readForwardedFor(header: string): string[] {
  const addresses: string[] = [];
  for (const entry of header.split(',').reverse()) {
    const address = readEntry(entry);
    if (!address) break;
    addresses.unshift(address);
  }
  return addresses;
}

/** Nothing that is no address may become the client's: it is what limits count by, and what the audit log shows. */
export function cleanForwardedFor({ headers }: IncomingMessage): void {
  const given = headers['x-forwarded-for'];
  if (given === undefined) return;
  const addresses = readForwardedFor(String(given));
  if (addresses.length > 0) headers['x-forwarded-for'] = addresses.join(', ');
  else delete headers['x-forwarded-for'];
}
