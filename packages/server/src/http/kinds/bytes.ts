import type { BytesRequest, ContentEncoding } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure, unavailable } from '../../kernel/errors.ts';
import type { SentBytes } from '../../kernel/files/inflate.ts';
import type { MountRequest } from './kind.ts';

function parseEncoding({ headers }: FastifyRequest, encodings: readonly ContentEncoding[]): SentBytes['encoding'] {
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const accepted = encoding === 'identity' ? encoding : encodings.find((each) => each === encoding);
  if (accepted === undefined) {
    const message = `Content-Encoding ${encoding.slice(0, 50)} is not supported. Send the body uncompressed or with ${encodings.join(', ')}.`;
    throw new Failure('UnsupportedMediaType', message, { 'accept-encoding': encodings.join(', ') });
  }
  return accepted;
}

/** Number of bodies of the maximum size that memory may hold; further ones are refused with 503. */
const MAX_BODIES_IN_MEMORY = 16;

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

declare module 'fastify' {
  interface FastifyRequest {
    sentBytes: SentBytes | undefined;
  }
}

export const mountBytesRequest: MountRequest<BytesRequest> = ({
  types,
  isAnyType,
  encodings = ['gzip'],
  maxBytes,
  maxInflated,
}) => ({
  bodyLimit: maxBytes,
  accept(scope) {
    const held = createHeld(MAX_BODIES_IN_MEMORY * maxBytes);
    scope.decorateRequest('sentBytes', undefined);
    scope.removeAllContentTypeParsers();
    scope.addHook('preParsing', (request: FastifyRequest, reply: FastifyReply, payload, done) => {
      reply.raw.once('close', () => held.release(request));
      // Fastify rejects a malformed type before it looks for a parser.
      if (isAnyType) delete request.raw.headers['content-type'];
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
    scope.addContentTypeParser(
      isAnyType ? '*' : [...types],
      { parseAs: 'buffer', bodyLimit: maxBytes },
      async (request: FastifyRequest, body: Buffer) => {
        request.sentBytes = { encoding: parseEncoding(request, encodings), bytes: body, maxInflated };
        return body;
      },
    );
  },
  read: async ({ sentBytes = { encoding: 'identity', bytes: new Uint8Array(), maxInflated } }) => ({ sent: sentBytes }),
  refusal: `The body must be sent with Content-Type: ${types.join(' or ')}.`,
});
