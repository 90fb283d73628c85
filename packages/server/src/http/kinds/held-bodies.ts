import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, unavailable } from '../../kernel/errors.ts';

/** Counts the memory of bodies until their requests are answered. */
function createHeld(most: number) {
  const held = new WeakMap<FastifyRequest, number>();
  let all = 0;
  return {
    take(request: FastifyRequest, bytes: number): void {
      if (all + bytes > most) throw unavailable('The server is receiving too much data. Retry later.');
      all += bytes;
      held.set(request, (held.get(request) ?? 0) + bytes);
    },
    release(request: FastifyRequest): void {
      all -= held.get(request) ?? 0;
      held.delete(request);
    },
  };
}

/** Limits the memory of all bodies of a scope that are read as a whole: refuses further ones with 503. */
export function holdBodies(scope: FastifyInstance, { maxBytes, bodies }: { maxBytes: number; bodies: number }): void {
  const held = createHeld(bodies * maxBytes);
  scope.addHook('preParsing', (request: FastifyRequest, reply: FastifyReply, payload, done) => {
    reply.raw.once('close', () => held.release(request));
    const length = Number(request.headers['content-length'] ?? 0);
    try {
      if (length <= maxBytes) held.take(request, length);
      // A body without a declared length is counted as it arrives, and cut off at the limit.
      if (request.headers['content-length'] === undefined) {
        payload.on('data', (chunk: Buffer) => {
          try {
            held.take(request, chunk.length);
          } catch (error) {
            request.raw.destroy(error as Failure);
          }
        });
      }
      done(null, payload);
    } catch (error) {
      done(error as Failure);
    }
  });
}
