import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { EndpointSpec } from '@mooring/contract';
import { isRead } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Smaller responses fit the first packets anyway. */
const MIN_COMPRESSED_BYTES = 1024;

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
const [zstd, brotli, gzipped] = [promisify(zstdCompress), promisify(brotliCompress), promisify(gzip)];

/** Preferred encodings first: those with the lowest cost for their savings. */
const encodings: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  zstd: (bytes) => zstd(bytes),
  br: (bytes) => brotli(bytes, { params: { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes) => gzipped(bytes),
};

const refused = /;\s*q=0(\.0*)?\s*$/;

/** The best encoding that the client accepts, if any. */
export function encodingFor(accepted: string | undefined): string | undefined {
  if (!accepted) return undefined;
  const names = accepted
    .toLowerCase()
    .split(',')
    .filter((one) => !refused.test(one))
    .map((one) => one.split(';', 1)[0]?.trim());
  return Object.keys(encodings).find((name) => names.includes(name));
}

/** A page of another site must not learn the length of a response that it makes the browser request. */
const isForeign = ({ headers }: FastifyRequest): boolean => {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
};

/** Responses to changes may contain a secret that is shown once, so they are never compressed; see ADR 0021. */
export const isCompressed = (endpoint: EndpointSpec): boolean => isRead(endpoint) && endpoint.response.kind === 'json';

/** Encoding of a response, if it should be compressed. An ETag identifies the uncompressed bytes. */
function chooseEncoding(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const isPlain = request.method === 'HEAD' || isForeign(request) || reply.hasHeader('etag');
  return isPlain ? undefined : encodingFor(request.headers['accept-encoding']);
}

/** Compresses a large response if the client accepts it. For routes; streams are never compressed. */
export function compressResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  const isText = typeof payload === 'string';
  const isLarge = (isText || Buffer.isBuffer(payload)) && payload.length >= MIN_COMPRESSED_BYTES;
  if (isLarge) {
    const vary = reply.getHeader('vary');
    reply.header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding');
  }
  const encoding = isLarge ? chooseEncoding(request, reply) : undefined;
  const compress = encoding === undefined ? undefined : encodings[encoding];
  if (!isLarge || !compress) {
    done(null, payload);
    return;
  }
  compress(isText ? Buffer.from(payload) : payload).then(
    (bytes) => {
      reply.header('content-encoding', encoding).removeHeader('content-length');
      done(null, bytes);
    },
    (error: Error) => done(error),
  );
}
