import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  gunzip,
  gunzipSync,
} from 'node:zlib';
import type { ContentEncoding } from '@mooring/contract';
import { createFairPool } from '../concurrency/fair-pool.ts';
import { badRequest, Failure } from '../errors.ts';

const gunzipApart = promisify(gunzip);

/** A request body as received. */
export interface SentBytes {
  encoding: 'identity' | ContentEncoding;
  bytes: Uint8Array;
  /** Maximum size once inflated. */
  maxInflated: number;
}

const isTooLarge = (error: unknown): boolean => (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';

/** Small bodies are inflated on this thread: handing them to another one costs more, and they block it only briefly. */
const SMALL = 64 * 1024;
const SMALL_INFLATED = 256 * 1024;

/**
 * Buffer size to inflate `size` bytes in one chunk, because discarded memory keeps the garbage collector busy. One byte
 * more, because zlib takes another chunk as soon as one is full.
 */
export const chunkSizeFor = (size: number): number => Math.max(64, size + 1);

/** The inflated size that gzip declares in its last bytes. A wrong number only costs time. */
function readDeclaredSize(bytes: Uint8Array): number {
  if (bytes.length < 4) return 0;
  const declared = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(bytes.length - 4, true);
  return Math.min(declared, SMALL_INFLATED);
}

const isSmall = (size: number): boolean => size <= SMALL_INFLATED;

function gunzipSmall(bytes: Uint8Array, maxInflated: number): Uint8Array | undefined {
  if (bytes.length > SMALL) return undefined;
  try {
    const maxOutputLength = Math.min(SMALL_INFLATED, maxInflated);
    return gunzipSync(bytes, { maxOutputLength, chunkSize: chunkSizeFor(readDeclaredSize(bytes)) });
  } catch (error) {
    if (isTooLarge(error)) return undefined;
    throw error;
  }
}

/** Few run in parallel: each may use as much memory as the largest body, however small the compressed one is. */
const inflating = createFairPool({ slots: 4 });

const invalidGzip = () => badRequest('The body is not valid gzip. Compress it, or send it without Content-Encoding.');

/** The bytes of a small body; undefined for a large one, or one that inflates to more than 256 KiB. */
export function inflateSmall({ encoding, bytes, maxInflated }: SentBytes): Uint8Array | undefined {
  if (encoding === 'identity') return isSmall(bytes.length) ? bytes : undefined;
  try {
    return encoding === 'gzip' ? gunzipSmall(bytes, maxInflated) : undefined;
  } catch {
    throw invalidGzip();
  }
}

/** Inflates on another thread, and stops at the limit. Owners take turns. */
export async function inflateLarge({ encoding, bytes, maxInflated }: SentBytes, owner: string): Promise<Uint8Array> {
  if (encoding === 'identity') return bytes;
  if (encoding !== 'gzip') throw new Error(`${encoding} can only be inflated as a stream`);
  try {
    return await inflating(owner, () => gunzipApart(bytes, { maxOutputLength: maxInflated }));
  } catch (error) {
    if (isTooLarge(error)) {
      throw new Failure('PayloadTooLarge', `The body exceeds ${maxInflated} bytes once inflated. Send less.`);
    }
    throw invalidGzip();
  }
}

/** Inflates a body, up to its limit. */
export const inflate = async (sent: SentBytes, owner: string): Promise<Uint8Array> =>
  inflateSmall(sent) ?? inflateLarge(sent, owner);

const CHUNK_SIZE = 64 * 1024;

const inflaters = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
} as const;

const tooLarge = (most: number) =>
  new Failure('PayloadTooLarge', `The body exceeds ${most} bytes once inflated. Send less.`);

/**
 * Inflates chunk by chunk, and stops at the limit, so that a reader can skip what it does not need. A small body is one
 * chunk.
 */
export async function* inflateChunks(sent: SentBytes): AsyncGenerator<Uint8Array> {
  const { encoding, bytes, maxInflated } = sent;
  const small = inflateSmall(sent);
  if (small || encoding === 'identity') {
    if ((small ?? bytes).length > maxInflated) throw tooLarge(maxInflated);
    yield small ?? bytes;
    return;
  }
  let size = 0;
  const inflater = inflaters[encoding]({ chunkSize: CHUNK_SIZE });
  const source = Readable.from([bytes]);
  source.pipe(inflater);
  try {
    for await (const chunk of inflater) {
      size += (chunk as Buffer).length;
      if (size > maxInflated) throw tooLarge(maxInflated);
      yield chunk as Buffer;
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw badRequest(`The body is not valid ${encoding}. Compress it again, or send it without Content-Encoding.`);
  } finally {
    inflater.destroy();
    source.destroy();
  }
}
