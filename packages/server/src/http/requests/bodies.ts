import { Socket } from 'node:net';
import { needsBody } from '@mooring/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SECOND } from '../../kernel/clock.ts';
import { badRequest, Failure } from '../../kernel/errors.ts';
import { describeExcess, hasNul } from '../../kernel/text/json.ts';

/** How long the sender of a body that is too large may continue. */
const DRAIN_MS = 10 * SECOND;

const withBody = new Set(['POST', 'PUT', 'PATCH']);

const lengthRequired = () =>
  new Failure('LengthRequired', 'POST, PUT and PATCH require a body. Send {} with its Content-Length if it is empty.');

/** A chunked body has no declared length, so wait for the first chunk, which stays in the stream. */
function onceKnown({ raw }: FastifyRequest, callback: (isEmpty: boolean) => void): void {
  if (raw.readableLength > 0 || raw.readableEnded) callback(raw.readableEnded);
  else raw.once('readable', () => callback(raw.readableLength === 0));
}

function mustHaveBody(request: FastifyRequest): boolean {
  // A preflight request has the endpoint that it asks about.
  if (!withBody.has(request.method)) return false;
  const { endpoint } = request.routeOptions.config ?? {};
  return endpoint === undefined || needsBody(endpoint);
}

/**
 * Parses JSON bodies, unless the kind of a request says otherwise. If no body is required, a missing one is accepted
 * with any declared type.
 */
export function acceptBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.url.includes('%00')) return done(badRequest('The URL must not contain a NUL character.'));
    if (!mustHaveBody(request)) return done();
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const checkEmpty = (isEmpty: boolean) => done(isEmpty ? lengthRequired() : undefined);
    if (encoding !== undefined) onceKnown(request, checkEmpty);
    else checkEmpty(Number(length ?? 0) === 0);
  });
  app.removeAllContentTypeParsers();
  acceptJson(app, 'application/json');
}

/** Parses bodies of this media type as JSON. */
export function acceptJson(app: FastifyInstance, mediaType: string): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(mediaType, { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) return done(null, undefined);
    const excess = describeExcess(String(text));
    if (excess) return done(badRequest(`The body ${excess}. Send it in smaller parts.`));
    return parse(request, String(text), (error, body) => {
      const isRefused = !error && hasNul(String(text), body);
      done(isRefused ? badRequest('The body must not contain a NUL character.') : error, body);
    });
  });
}

/**
 * Reads the rest of a body that was refused for its size, for a while. Otherwise the connection is reset, and the
 * sender may never see the response with the reason.
 */
export function drainRest({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  // Injected requests of tests have no socket.
  if (raw.complete || !(raw.socket instanceof Socket)) return;
  const { socket } = raw;
  raw.resume();
  const late = setTimeout(() => socket.destroy(), DRAIN_MS);
  raw.once('close', () => clearTimeout(late));
}
