import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { ApiSurfaces } from '../api-surfaces.ts';
import { mayTakeLong } from './long-requests.ts';

/** How long a refused sender may continue to send while it reads the response. */
const LINGER_MS = 2000;

const refusals: Record<string, [status: string, failure: Failure]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    new Failure('HeadersTooLarge', 'The headers exceed the limit of this server. Send fewer or shorter headers.'),
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    new Failure('RequestTimeout', 'The request took too long to arrive. Retry on a faster connection.'),
  ],
};
const unreadable: (typeof refusals)[string] = [
  '400 Bad Request',
  new Failure('BadRequest', 'This is not a valid HTTP request.'),
];

/** The path in the first line of an incomplete request. */
function addressIn(packet: unknown): string | undefined {
  const line = packet instanceof Uint8Array ? Buffer.from(packet.subarray(0, 2000)).toString('latin1') : '';
  return /^[A-Z]+ (?:https?:\/\/[^/\s]*)?(\/[^\s?#]*)/i.exec(line)?.[1];
}

/** The response in the format of the path's API surface. Without a path it has the fields of all formats. */
function bodyFor({ at, all }: ApiSurfaces, address: string | undefined, failure: Failure, requestId: string): object {
  if (address !== undefined) return at(address).error(failure, requestId);
  return Object.assign({}, ...all.map((surface) => surface.error(failure, requestId)));
}

/** The last request that was read on a connection, and its response. */
const exchanges = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();

interface BrokenRequest extends Error {
  code?: string;
  /** The invalid bytes, in a Buffer; they may start in the middle of the request. */
  rawPacket?: unknown;
}

export type BrokenRequestHandler = (error: BrokenRequest, socket: Duplex) => void;

/** Responds to requests that are not valid HTTP, in the error format of their path. */
export const respondToBrokenRequests =
  (surfaces: ApiSurfaces): BrokenRequestHandler =>
  (error, socket) =>
    respondToBrokenRequest(surfaces, error, socket);

function respondToBrokenRequest(surfaces: ApiSurfaces, error: BrokenRequest, socket: Duplex): void {
  // Data after a refused request raises the same error again, which must not truncate the response.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { request, response } = exchanges.get(socket) ?? {};
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayTakeLong(request)) return;
  // A complete request gets its response, even if garbage follows it.
  if (request?.complete && response && !response.writableFinished) {
    if (!response.headersSent) response.setHeader('connection', 'close');
    response.once('finish', () => linger(socket)).once('close', () => socket.destroy());
    return;
  }
  // A response that was already started can't be replaced.
  if (response?.headersSent && !response.writableFinished) {
    socket.destroy();
    return;
  }
  const [status, failure] = refusals[error.code ?? ''] ?? unreadable;
  const requestId = newId();
  const address = addressIn(error.rawPacket);
  const isKnown = address !== undefined || failure === unreadable[1];
  const text = JSON.stringify(bodyFor(surfaces, isKnown ? (address ?? '/') : undefined, failure, requestId));
  linger(
    socket,
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nx-request-id: ${requestId}\r\nConnection: close\r\n\r\n${text}`,
  );
}

/** Ends this side of the connection, and lets the sender read the response before it is closed. */
function linger(socket: Duplex, last = ''): void {
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(last);
}

/** Remembers the current request and response of each connection. */
export const noteExchanges = (server: Server): Server =>
  server.on('request', (request, response) => {
    exchanges.set(request.socket, { request, response });
  });
