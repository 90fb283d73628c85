import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';

/**
 * IP address of one entry of X-Forwarded-For, without the port that some proxies add, and without a zone, which is
 * meaningless on another machine.
 */
function readEntry(entry: string): string | undefined {
  const text = entry.trim();
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  const [address = ''] = (bracketed ?? dotted ?? text).split('%');
  return isIP(address) === 0 ? undefined : address;
}

/** Valid entries of a header, starting from the right, where the nearest proxy writes, up to the first invalid one. */
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
 * Warns hourly about an untrusted proxy: all its clients share its address, and with it limits and lockouts. Any client
 * can send the header, so it has no other effect.
 */
export function createProxyWarning({ clock, log }: { clock: Clock; log: Pick<Log, 'warn'> }) {
  let next = 0;
  return (request: { headers: IncomingMessage['headers']; ip: string; socket: Socket }): void => {
    if (request.headers['x-forwarded-for'] === undefined) return;
    // Fastify computes the address on each access.
    const { ip, socket } = request;
    if (ip !== socket.remoteAddress) return;
    const now = clock.now();
    if (now < next) return;
    next = now + WARNING_INTERVAL;
    log.warn(
      { peer: ip },
      'ignored X-Forwarded-For from an untrusted peer: its clients share one address and its limits. If it is your proxy, add it to MOORING_TRUSTED_PROXIES',
    );
  };
}

/** Only a valid IP address may become the client's: limits count by it, and the audit log shows it. */
export function cleanForwardedFor({ headers }: IncomingMessage): void {
  const forwardedFor = headers['x-forwarded-for'];
  if (forwardedFor === undefined) return;
  const addresses = readForwardedFor(String(forwardedFor));
  if (addresses.length > 0) headers['x-forwarded-for'] = addresses.join(', ');
  else delete headers['x-forwarded-for'];
}
