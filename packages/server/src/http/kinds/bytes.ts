import type { BytesRequest } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure, unavailable } from '../../kernel/errors.ts';
import type { SentBytes } from '../../kernel/inflate.ts';
import type { MountRequest } from './kind.ts';

function encodingOf({ headers }: FastifyRequest): SentBytes['encoding'] {
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    const message = `The body may be sent as it is or with Content-Encoding: gzip, not ${encoding.slice(0, 50)}.`;
    throw new Failure('UnsupportedMediaType', message, { 'accept-encoding': 'gzip' });
  }
  return encoding;
}

/** So many of the largest bodies are in memory at once; whoever comes beyond that is asked to come back. */
const LARGEST_HELD = 16;

/** Counts what bodies take in memory until their requests are answered. */
function createHeld(most: number) {
  const held = new WeakMap<FastifyRequest, number>();
  let all = 0;
  return {
    take(request: FastifyRequest, bytes: number): void {
      if (all + bytes > most) throw unavailable('This server is busy with what others send; send it again later.');
      all += bytes;
      held.set(request, (held.get(request) ?? 0) + bytes);
    },
    give(request: FastifyRequest): void {
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

export const mountBytesRequest: MountRequest<BytesRequest> = ({ types, maxBytes, maxInflated }) => ({
  bodyLimit: maxBytes,
  accept(scope) {
    const held = createHeld(LARGEST_HELD * maxBytes);
    scope.decorateRequest('sentBytes', undefined);
    scope.removeAllContentTypeParsers();
    scope.addHook('preParsing', (request: FastifyRequest, reply: FastifyReply, payload, done) => {
      reply.raw.once('close', () => held.give(request));
      const length = Number(request.headers['content-length'] ?? 0);
      try {
        if (length <= maxBytes) held.take(request, length);
        // One that does not tell its length is counted as it comes, and cut off where there is no room for more.
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
      [...types],
      { parseAs: 'buffer', bodyLimit: maxBytes },
      async (request: FastifyRequest, body: Buffer) => {
        request.sentBytes = { encoding: encodingOf(request), bytes: body, maxInflated };
        return body;
      },
    );
  },
  read: async ({ sentBytes = { encoding: 'identity', bytes: new Uint8Array(), maxInflated } }) => ({ sent: sentBytes }),
  refusal: `The body must be sent with Content-Type: ${types.join(' or ')}.`,
});
