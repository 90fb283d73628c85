import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { newId } from '../kernel/ids.ts';
import { errorBody } from './errors.ts';
import { mayTakeLong } from './long-requests.ts';

/** How long a refused sender may go on sending while it reads the answer. */
const LINGER_MS = 2000;

const refusals: Record<string, [status: string, body: ReturnType<typeof errorBody>]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    errorBody('HeadersTooLarge', 'The headers are larger than this server takes.'),
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    errorBody('RequestTimeout', 'The request took too long to arrive.'),
  ],
};

/** The last request that was read on a connection, and its answer. */
const exchanges = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();

/** Answers what could not even be read as HTTP, in the same shape as everything else. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
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
  const [status, body] = refusals[error.code ?? ''] ?? [
    '400 Bad Request',
    errorBody('BadRequest', 'This is not a readable HTTP request.'),
  ];
  const text = JSON.stringify(body);
  linger(
    socket,
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nx-request-id: ${newId()}\r\nConnection: close\r\n\r\n${text}`,
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
