import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, unavailable } from '../../kernel/errors.ts';

/** Counts the memory of bodies until their requests are answered. */
export interface HeldBodies {
  /** Throws if the memory limit does not allow this number of further bytes. */
  check(bytes: number): void;
  take(request: FastifyRequest, bytes: number): void;
  release(request: FastifyRequest): void;
}

/** Memory for bodies, up to a number of bytes. */
export function createHeldBodies(most: number): HeldBodies {
  const held = new WeakMap<FastifyRequest, number>();
  let all = 0;
  const check = (bytes: number): void => {
    if (all >= most || all + bytes > most) throw unavailable('The server is receiving too much data. Retry later.');
  };
  return {
    check,
    take(request, bytes) {
      check(bytes);
      all += bytes;
      held.set(request, (held.get(request) ?? 0) + bytes);
    },
    release(request) {
      all -= held.get(request) ?? 0;
      held.delete(request);
    },
  };
}

/**
 * Limits the memory of all bodies of a scope that are read as a whole: refuses further ones with 503. Only bytes that
 * arrived count: idle connections that declared a length must not keep others out.
 */
export function holdBodies(scope: FastifyInstance, held: HeldBodies, maxBytes: number): void {
  scope.addHook('preParsing', (request: FastifyRequest, reply: FastifyReply, payload, done) => {
    reply.raw.once('close', () => held.release(request));
    const length = Number(request.headers['content-length'] ?? 0);
    try {
      if (length <= maxBytes) held.check(length);
      payload.on('data', (chunk: Buffer) => {
        try {
          held.take(request, chunk.length);
        } catch (error) {
          request.raw.destroy(error as Failure);
        }
      });
      done(null, payload);
    } catch (error) {
      done(error as Failure);
    }
  });
}
