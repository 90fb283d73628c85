import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { BytesRequest } from '@mooring/contract';
import type { FastifyRequest } from 'fastify';
import { badRequest, Failure } from '../../kernel/errors.ts';
import type { MountRequest } from './kind.ts';
import type { SentBytes } from './sent-bytes.ts';

const inflate = promisify(gunzip);

/** Inflates within the limit: what would be larger is given up before it is, however small it came. */
async function decoded({ encoding, bytes }: SentBytes, maxInflated: number): Promise<Uint8Array> {
  if (encoding === 'identity') return bytes;
  try {
    return await inflate(bytes, { maxOutputLength: maxInflated });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new Failure('PayloadTooLarge', `The body is larger than ${maxInflated} bytes once inflated.`);
    }
    throw badRequest('The body is not valid gzip, although Content-Encoding says so.');
  }
}

function encodingOf({ headers }: FastifyRequest): SentBytes['encoding'] {
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    const message = `The body may be sent as it is or with Content-Encoding: gzip, not ${encoding.slice(0, 50)}.`;
    throw new Failure('UnsupportedMediaType', message, { 'accept-encoding': 'gzip' });
  }
  return encoding;
}

declare module 'fastify' {
  interface FastifyRequest {
    sentBytes: SentBytes | undefined;
  }
}

export const mountBytesRequest: MountRequest<BytesRequest> = ({ types, maxBytes, maxInflated }) => ({
  bodyLimit: maxBytes,
  accept(scope) {
    scope.decorateRequest('sentBytes', undefined);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      [...types],
      { parseAs: 'buffer', bodyLimit: maxBytes },
      async (request: FastifyRequest, body: Buffer) => {
        request.sentBytes = { encoding: encodingOf(request), bytes: body };
        return decoded(request.sentBytes, maxInflated);
      },
    );
  },
  read: async ({ sentBytes = nothing }) => ({ sent: sentBytes }),
  refusal: `The body must be sent with Content-Type: ${types.join(' or ')}.`,
});

const nothing: SentBytes = { encoding: 'identity', bytes: new Uint8Array() };
