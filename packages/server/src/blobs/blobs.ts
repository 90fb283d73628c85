import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { randomBase62 } from '../kernel/crypto/crypto.ts';

export interface BlobInfo {
  size: number;
  /** The content type it was stored with. */
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
  /** Larger content is refused while it arrives. */
  maxBytes: number;
  /** No other code uses the content's buffers, so their memory may be freed as soon as they are written. */
  isOwned?: boolean;
}

/** Storage for files. One conformance suite tests all implementations. */
export interface BlobStore {
  /** Stores all of the content or nothing: if it breaks off or is too large, the previous blob stays. */
  put(key: string, content: Content, options: PutOptions): Promise<BlobInfo>;
  /**
   * Writes part of a blob in place, if the store supports it. Parts may come in any order and from several callers, as
   * long as no two write the same bytes. An interrupted write may leave part of its content; the blob ends at its last
   * byte.
   */
  putPart?(key: string, content: Content, options: PutOptions & { start: number }): Promise<void>;
  /**
   * Reads all of it, or the bytes from `start` to `end` (inclusive), which must be within it. `size` is that of the
   * whole blob.
   */
  get(key: string, range?: Range): Promise<Blob | undefined>;
  stat(key: string): Promise<BlobInfo | undefined>;
  /** Succeeds if there is no such blob. */
  delete(key: string): Promise<void>;
  /** Lists every key, unordered. Blobs that are added or deleted meanwhile may be missing. */
  list(): AsyncIterable<string>;
  /** A temporary URL that reads the blob without credentials; undefined if the store has none. */
  signedUrl(key: string, options: { seconds: number; name?: string }): Promise<string | undefined>;
  /** Free bytes; undefined if unlimited. */
  free(): Promise<number | undefined>;
  /** Writes and deletes a blob; throws the reason if that fails. */
  check(): Promise<void>;
}

export class BlobTooLarge extends Error {
  override name = 'BlobTooLarge';
  constructor(maxBytes: number) {
    super(`The content exceeds ${maxBytes} bytes.`);
  }
}

const segment = '[A-Za-z0-9_-][A-Za-z0-9._-]*';
const keyPattern = new RegExp(`^${segment}(/${segment})*$`);

/** Keys come from the server's own code, so an unsafe one is a bug. */
export function checkKey(key: string): void {
  if (key.length > 512 || !keyPattern.test(key)) throw new Error(`"${key}" is not a valid blob key.`);
}

export function checkType(type: string): void {
  if (!/^[\x20-\x7e]{1,127}$/.test(type)) throw new Error(`"${type}" is not a valid blob type.`);
}

/** Passes content on, counts its bytes, and throws if there are too many. */
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

/** Yields buffers of exactly `size` bytes and the rest; at least one, even if it is empty. */
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
