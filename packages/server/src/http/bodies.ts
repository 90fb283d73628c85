import { Socket } from 'node:net';
import { needsBody } from '@mooring/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SECOND } from '../kernel/clock.ts';
import { badRequest, Failure } from '../kernel/errors.ts';
import { describeExcess, hasNul } from '../kernel/json.ts';

/** How long whoever sends too much may go on with it. */
const GOES_BY_MS = 10 * SECOND;

const withBody = new Set(['POST', 'PUT', 'PATCH']);

const lengthRequired = () =>
  new Failure('LengthRequired', 'POST, PUT and PATCH need a body; send {} for an empty one, with its Content-Length.');

/** A chunked body tells its length only at its end, so the first chunk is awaited; it stays in the stream. */
function onceKnown({ raw }: FastifyRequest, tell: (isEmpty: boolean) => void): void {
  if (raw.readableLength > 0 || raw.readableEnded) tell(raw.readableEnded);
  else raw.once('readable', () => tell(raw.readableLength === 0));
}

function mustHaveBody(request: FastifyRequest): boolean {
  // A preflight has the endpoint that it asks about.
  if (!withBody.has(request.method)) return false;
  const { endpoint } = request.routeOptions.config ?? {};
  return endpoint === undefined || needsBody(endpoint);
}

/** JSON bodies, unless the kind of a request says otherwise; none at all is fine where none is needed, whatever its declared type. */
export function acceptBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.url.includes('%00')) return done(badRequest('The address must not contain a NUL character.'));
    if (!mustHaveBody(request)) return done();
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const judge = (isEmpty: boolean) => done(isEmpty ? lengthRequired() : undefined);
    if (encoding !== undefined) onceKnown(request, judge);
    else judge(Number(length ?? 0) === 0);
  });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
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
 * Reads what is left of a body that was refused for its size, for a while: a connection that is closed with something
 * unread in it is reset, and its sender may lose the answer that says why.
 */
export function letRestGoBy({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  // Not every request comes over a network.
  if (raw.complete || !(raw.socket instanceof Socket)) return;
  const { socket } = raw;
  raw.resume();
  const late = setTimeout(() => socket.destroy(), GOES_BY_MS);
  raw.once('close', () => clearTimeout(late));
}
