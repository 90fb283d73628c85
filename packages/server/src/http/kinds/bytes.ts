import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import type { BytesRequest } from '@mooring/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequest, Failure, unavailable } from '../../kernel/errors.ts';
import { createSemaphore } from '../../kernel/semaphore.ts';
import type { MountRequest } from './kind.ts';
import type { SentBytes } from './sent-bytes.ts';

const inflate = promisify(gunzip);

const isTooLarge = (error: unknown): boolean => (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';

/** What is small is inflated at once: handing it to another thread costs more, and so little holds up nobody. */
const SMALL = 64 * 1024;
const SMALL_INFLATED = 256 * 1024;

function inflateSmall(bytes: Uint8Array, maxInflated: number): Uint8Array | undefined {
  if (bytes.length > SMALL) return undefined;
  try {
    return gunzipSync(bytes, { maxOutputLength: Math.min(SMALL_INFLATED, maxInflated) });
  } catch (error) {
    if (isTooLarge(error)) return undefined;
    throw error;
  }
}

/** Few at a time: each may take as much memory as the largest body, however small it came. */
const inflating = createSemaphore(4);

/** Inflates within the limit: what would be larger is given up before it is. */
async function decoded({ encoding, bytes }: SentBytes, maxInflated: number): Promise<Uint8Array> {
  if (encoding === 'identity') return bytes;
  try {
    const small = inflateSmall(bytes, maxInflated);
    return small ?? (await inflating(() => inflate(bytes, { maxOutputLength: maxInflated })));
  } catch (error) {
    if (isTooLarge(error)) {
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

const nothing: SentBytes = { encoding: 'identity', bytes: new Uint8Array() };

export const mountBytesRequest: MountRequest<BytesRequest> = ({ types, maxBytes, maxInflated }) => ({
  bodyLimit: maxBytes,
  accept(scope) {
    const held = createHeld(LARGEST_HELD * Math.max(maxBytes, maxInflated));
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
        request.sentBytes = { encoding: encodingOf(request), bytes: body };
        const inflated = await decoded(request.sentBytes, maxInflated);
        if (inflated !== body) held.take(request, inflated.length);
        return inflated;
      },
    );
  },
  read: async ({ sentBytes = nothing }) => ({ sent: sentBytes }),
  refusal: `The body must be sent with Content-Type: ${types.join(' or ')}.`,
});
