import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { badRequest, Failure } from './errors.ts';
import { createFairPool } from './fair-pool.ts';

const gunzipApart = promisify(gunzip);

/** A body as it came over the wire. */
export interface SentBytes {
  encoding: 'identity' | 'gzip';
  bytes: Uint8Array;
  /** What it may be once inflated. */
  maxInflated: number;
}

const isTooLarge = (error: unknown): boolean => (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';

/** What is small is inflated at once: handing it to another thread costs more, and so little holds up nobody. */
const SMALL = 64 * 1024;
const SMALL_INFLATED = 256 * 1024;

/**
 * Room to inflate so much at once: memory that is thrown away again keeps the collector busy. One more, because zlib takes
 * another piece as soon as one is full.
 */
export const chunkSizeFor = (size: number): number => Math.max(64, size + 1);

/** What gzip says at its end that it is once inflated; a wrong number only costs time. */
function toldSize(bytes: Uint8Array): number {
  if (bytes.length < 4) return 0;
  const told = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(bytes.length - 4, true);
  return Math.min(told, SMALL_INFLATED);
}

const isSmall = (size: number): boolean => size <= SMALL_INFLATED;

function gunzipSmall(bytes: Uint8Array, maxInflated: number): Uint8Array | undefined {
  if (bytes.length > SMALL) return undefined;
  try {
    const maxOutputLength = Math.min(SMALL_INFLATED, maxInflated);
    return gunzipSync(bytes, { maxOutputLength, chunkSize: chunkSizeFor(toldSize(bytes)) });
  } catch (error) {
    if (isTooLarge(error)) return undefined;
    throw error;
  }
}

/** Few concurrently: each may take as much memory as the largest body, however small the compressed one is. */
const inflating = createFairPool({ slots: 4 });

const invalidGzip = () => badRequest('The body is not valid gzip, although Content-Encoding says so.');

/** The bytes of a small body; undefined for one that is large, or that inflates to more than 256 KiB. */
export function inflateSmall({ encoding, bytes, maxInflated }: SentBytes): Uint8Array | undefined {
  if (encoding === 'identity') return isSmall(bytes.length) ? bytes : undefined;
  try {
    return gunzipSmall(bytes, maxInflated);
  } catch {
    throw invalidGzip();
  }
}

/** Inflates within the limit, off this thread: what would be larger is given up before it is. Owners take turns. */
export async function inflateLarge({ encoding, bytes, maxInflated }: SentBytes, owner: string): Promise<Uint8Array> {
  if (encoding === 'identity') return bytes;
  try {
    return await inflating(owner, () => gunzipApart(bytes, { maxOutputLength: maxInflated }));
  } catch (error) {
    if (isTooLarge(error)) {
      throw new Failure('PayloadTooLarge', `The body is larger than ${maxInflated} bytes once inflated.`);
    }
    throw invalidGzip();
  }
}

/** Inflates within the limit. */
export const inflate = async (sent: SentBytes, owner: string): Promise<Uint8Array> =>
  inflateSmall(sent) ?? inflateLarge(sent, owner);
