import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { randomBase62 } from '../kernel/crypto.ts';

export interface BlobInfo {
  /** In bytes. */
  size: number;
  /** The content type that it was put with. */
  type: string;
}

export interface Range {
  start: number;
  end: number;
}

export interface Blob extends BlobInfo {
  /** Must be read to its end or destroyed. */
  stream: Readable;
}

export type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface PutOptions {
  type: string;
  /** More than this is refused while it arrives. */
  maxBytes: number;
  /** Nobody else has any part of the content's bytes, so what is written may be freed at once. */
  isOwned?: boolean;
}

/** Where files live. One suite holds every implementation to the same behaviour. */
export interface BlobStore {
  /** All of it or nothing: content that breaks off, or is too large, leaves whatever was there before. */
  put(key: string, content: Content, options: PutOptions): Promise<BlobInfo>;
  /**
   * Writes part of a blob into its place, for a store that can: parts come in any order, by anybody who knows that nobody else
   * writes the same bytes. What broke off may be there in part; the blob is as large as its last byte.
   */
  putPart?(key: string, content: Content, options: PutOptions & { start: number }): Promise<void>;
  /** All of it, or the bytes from `start` to `end`, both included, which must lie in it; `size` is that of the whole. */
  get(key: string, range?: Range): Promise<Blob | undefined>;
  stat(key: string): Promise<BlobInfo | undefined>;
  /** What is not there is deleted already. */
  delete(key: string): Promise<void>;
  /** Every key, in no order; what comes and goes meanwhile may be among them or not. */
  list(): AsyncIterable<string>;
  /** An address at which anybody can read the blob for a while, or nothing if this store has none. */
  signedUrl(key: string, options: { seconds: number; name?: string }): Promise<string | undefined>;
  /** How many bytes there is room for, if there is an end to it. */
  free(): Promise<number | undefined>;
  /** Writes and deletes a blob; throws with the reason when that cannot be done. */
  check(): Promise<void>;
}

export class BlobTooLarge extends Error {
  override name = 'BlobTooLarge';
  constructor(maxBytes: number) {
    super(`The content is larger than ${maxBytes} bytes.`);
  }
}

const segment = '[A-Za-z0-9_-][A-Za-z0-9._-]*';
const keyPattern = new RegExp(`^${segment}(/${segment})*$`);

/** Keys come from our own code; one that could mean another file somewhere is a fault of it. */
export function checkKey(key: string): void {
  if (key.length > 512 || !keyPattern.test(key)) throw new Error(`"${key}" cannot be the key of a blob.`);
}

export function checkType(type: string): void {
  if (!/^[\x20-\x7e]{1,127}$/.test(type)) throw new Error(`"${type}" cannot be the type of a blob.`);
}

/** Passes content on, counts it, and stops it when there is too much. */
export function limited(content: Content, maxBytes: number): AsyncIterable<Uint8Array> & { size: number } {
  const counted = {
    size: 0,
    async *[Symbol.asyncIterator]() {
      for await (const chunk of content) {
        counted.size += chunk.byteLength;
        if (counted.size > maxBytes) throw new BlobTooLarge(maxBytes);
        yield chunk;
      }
    },
  };
  return counted;
}

/** Buffers of exactly `size` bytes, and what is left at the end; at least one, if only an empty one. */
export async function* inParts(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  let isFirst = true;
  for await (const chunk of content) {
    held.push(chunk);
    length += chunk.byteLength;
    while (length >= size) {
      const all = Buffer.concat(held);
      isFirst = false;
      yield all.subarray(0, size);
      held = [all.subarray(size)];
      length -= size;
    }
  }
  if (length > 0 || isFirst) yield Buffer.concat(held);
}

export async function tryStore(store: Pick<BlobStore, 'put' | 'delete'>): Promise<void> {
  const key = `check/${randomBase62(16)}`;
  await store.put(key, [Buffer.from('ok')], { type: 'text/plain', maxBytes: 2 });
  await store.delete(key);
}
