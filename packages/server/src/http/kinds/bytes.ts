import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { BytesRequest } from '@mooring/contract';
import type { FastifyRequest } from 'fastify';
import { badRequest, Failure } from '../../kernel/errors.ts';
import type { MountRequest } from './kind.ts';

const inflate = promisify(gunzip);

/** Inflates within the limit: what would be larger is given up before it is, however small it came. */
async function decoded(request: FastifyRequest, body: Buffer, maxInflated: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip') {
    const message = `The body may be sent as it is or with Content-Encoding: gzip, not ${encoding.slice(0, 50)}.`;
    throw new Failure('UnsupportedMediaType', message, { 'accept-encoding': 'gzip' });
  }
  try {
    return await inflate(body, { maxOutputLength: maxInflated });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new Failure('PayloadTooLarge', `The body is larger than ${maxInflated} bytes once inflated.`);
    }
    throw badRequest('The body is not valid gzip, although Content-Encoding says so.');
  }
}

export const mountBytesRequest: MountRequest<BytesRequest> = ({ types, maxBytes, maxInflated }) => ({
  bodyLimit: maxBytes,
  accept(scope) {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      [...types],
      { parseAs: 'buffer', bodyLimit: maxBytes },
      (request: FastifyRequest, body: Buffer) => decoded(request, body, maxInflated),
    );
  },
  refusal: `The body must be sent with Content-Type: ${types.join(' or ')}.`,
});
