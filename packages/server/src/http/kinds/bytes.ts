import type { BytesRequest, ContentEncoding } from '@mooring/contract';
import type { FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/errors.ts';
import type { SentBytes } from '../../kernel/files/inflate.ts';
import { createHeldBodies, holdBodies } from './held-bodies.ts';
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
    scope.decorateRequest('sentBytes', undefined);
    scope.removeAllContentTypeParsers();
    if (isAnyType) {
      // Fastify rejects a malformed type before it looks for a parser.
      scope.addHook('preParsing', (request: FastifyRequest, _reply, payload, done) => {
        delete request.raw.headers['content-type'];
        done(null, payload);
      });
    }
    holdBodies(scope, createHeldBodies(MAX_BODIES_IN_MEMORY * maxBytes), maxBytes);
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
