import type { IncomingHttpHeaders } from 'node:http';

/** Properties of a connection that tell which listener a request was sent to. */
export interface Connection {
  encrypted?: boolean | undefined;
  localAddress?: string | undefined;
  localPort?: number | undefined;
}

export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  httpVersion: string;
  socket: Connection;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

const isLoopbackAddress = (address = ''): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);

/**
 * Any of these headers shows that the request passed a proxy, so the caller can't reach the address that the proxy
 * used.
 */
const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
];

/** NOTE: nginx uses HTTP/1.0 by default, and sends no header with the caller's address. */
const isProxied = ({ headers, httpVersion }: ReceivedRequest): boolean =>
  httpVersion === '1.0' || forwardingHeaders.some((name) => headers[name] !== undefined);

function originsAt(scheme: 'http' | 'https', port: number): Map<string, string> {
  const isDefault = port === (scheme === 'http' ? 80 : 443);
  return new Map(
    LOOPBACK_NAMES.flatMap((name) => {
      const withPort = `${name}:${port}`;
      const url = `${scheme}://${isDefault ? name : withPort}`;
      return isDefault ? [[withPort, url] as const, [name, url] as const] : [[withPort, url] as const];
    }),
  );
}

/**
 * Finds the origin that a caller used if it is a listener of this server on the loopback. The Host header alone is not
 * enough: the connection must have arrived at that listener, and not from a proxy.
 */
export function createCallerOrigins() {
  let plain = new Map<string, string>();
  let encrypted = new Map<string, string>();
  let ports: { httpPort: number; httpsPort: number } | undefined;
  /** Result per connection: most send many requests to the same host. */
  const lastOriginBySocket = new WeakMap<Connection, { host: string; url: string | undefined }>();

  function findAt(socket: Connection, host: string): string | undefined {
    const isEncrypted = socket.encrypted === true;
    const url = (isEncrypted ? encrypted : plain).get(host);
    if (url === undefined) return undefined;
    if (socket.localPort !== (isEncrypted ? ports?.httpsPort : ports?.httpPort)) return undefined;
    return isLoopbackAddress(socket.localAddress) ? url : undefined;
  }

  return {
    listenAt(listening: { httpPort: number; httpsPort: number }): void {
      ports = listening;
      plain = originsAt('http', listening.httpPort);
      encrypted = originsAt('https', listening.httpsPort);
    },
    find(request: ReceivedRequest): string | undefined {
      const { headers, socket } = request;
      const host = headers.host ?? '';
      let cached = lastOriginBySocket.get(socket);
      if (cached?.host !== host) {
        cached = { host, url: findAt(socket, host) };
        lastOriginBySocket.set(socket, cached);
      }
      return cached.url === undefined || isProxied(request) ? undefined : cached.url;
    },
  };
}

export type CallerOrigins = ReturnType<typeof createCallerOrigins>;
