import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Failure } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import type { Families } from './families.ts';
import { mayTakeLong } from './long-requests.ts';

/** How long a refused sender may go on sending while it reads the answer. */
const LINGER_MS = 2000;

const refusals: Record<string, [status: string, failure: Failure]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    new Failure('HeadersTooLarge', 'The headers are larger than this server takes.'),
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    new Failure('RequestTimeout', 'The request took too long to arrive.'),
  ],
};
const unreadable: (typeof refusals)[string] = [
  '400 Bad Request',
  new Failure('BadRequest', 'This is not a readable HTTP request.'),
];

/** The address in the first line of a request that could not be read to its end. */
function addressIn(packet: unknown): string | undefined {
  const line = packet instanceof Uint8Array ? Buffer.from(packet.subarray(0, 2000)).toString('latin1') : '';
  return /^[A-Z]+ (?:https?:\/\/[^/\s]*)?(\/[^\s?#]*)/i.exec(line)?.[1];
}

/** The answer in the shape of the address. Without one it has every shape, so that each client finds its own fields. */
function bodyFor({ at, all }: Families, address: string | undefined, failure: Failure, requestId: string): object {
  if (address !== undefined) return at(address).error(failure, requestId);
  return Object.assign({}, ...all.map((family) => family.error(failure, requestId)));
}

/** The last request that was read on a connection, and its answer. */
const exchanges = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();

interface BrokenRequest extends Error {
  code?: string;
  /** The bytes that could not be read, a Buffer; not always from the beginning of the request. */
  rawPacket?: unknown;
}

export type AnswerBrokenRequest = (error: BrokenRequest, socket: Duplex) => void;

/** Answers what could not even be read as HTTP, in the same shape as everything else at its address. */
export const answerBrokenRequests =
  (families: Families): AnswerBrokenRequest =>
  (error, socket) =>
    answerBrokenRequest(families, error, socket);

function answerBrokenRequest(families: Families, error: BrokenRequest, socket: Duplex): void {
  // What follows a refused request raises the same error again; the answer must not be cut off by it.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { request, response } = exchanges.get(socket) ?? {};
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayTakeLong(request)) return;
  // A request that was read to its end gets its answer, whatever comes after it.
  if (request?.complete && response && !response.writableFinished) {
    if (!response.headersSent) response.setHeader('connection', 'close');
    response.once('finish', () => linger(socket)).once('close', () => socket.destroy());
    return;
  }
  // In the middle of an answer there is no room for another.
  if (response?.headersSent && !response.writableFinished) {
    socket.destroy();
    return;
  }
  const [status, failure] = refusals[error.code ?? ''] ?? unreadable;
  const requestId = newId();
  const address = addressIn(error.rawPacket);
  const isKnown = address !== undefined || failure === unreadable[1];
  const text = JSON.stringify(bodyFor(families, isKnown ? (address ?? '/') : undefined, failure, requestId));
  linger(
    socket,
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nx-request-id: ${requestId}\r\nConnection: close\r\n\r\n${text}`,
  );
}

/** Ends our side, and lets the sender read what was written before the connection is gone. */
function linger(socket: Duplex, last = ''): void {
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(last);
}

/** For both of Node's servers: notes which answer each connection waits for. */
export const noteExchanges = (server: Server): Server =>
  server.on('request', (request, response) => {
    exchanges.set(request.socket, { request, response });
  });
