import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';

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

const WARNING_INTERVAL = 60 * 60 * 1000;

/**
 * Warns, once an hour, about a proxy that is not trusted: all its clients share its address, and with it limits and
 * lock-outs. Anyone can send the header, so nothing but the warning follows from it.
 */
export function createProxyWarning({ clock, log }: { clock: Clock; log: Pick<Log, 'warn'> }) {
  let next = 0;
  return (request: { headers: IncomingMessage['headers']; ip: string; socket: Socket }): void => {
    if (request.headers['x-forwarded-for'] === undefined) return;
    // Fastify works the address out each time it is read.
    const { ip, socket } = request;
    if (ip !== socket.remoteAddress) return;
    const now = clock.now();
    if (now < next) return;
    next = now + WARNING_INTERVAL;
    log.warn(
      { peer: ip },
      'ignored X-Forwarded-For from an untrusted peer: its clients share one address, also for limits of sign-ins. If it is your proxy, add it to MOORING_TRUSTED_PROXIES.',
    );
  };
}

/** Nothing that is no address may become the client's: it is what limits count by, and what the audit log shows. */
export function cleanForwardedFor({ headers }: IncomingMessage): void {
  const given = headers['x-forwarded-for'];
  if (given === undefined) return;
  const addresses = readForwardedFor(String(given));
  if (addresses.length > 0) headers['x-forwarded-for'] = addresses.join(', ');
  else delete headers['x-forwarded-for'];
}
