import { promisify } from 'node:util';
import { constants, gunzip, gunzipSync, zstdCompress, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { chunkSizeFor } from '../../../kernel/inflate.ts';

const inflaters = {
  gzip: { atOnce: gunzipSync, apart: promisify(gunzip) },
  zstd: { atOnce: zstdDecompressSync, apart: promisify(zstdDecompress) },
};
const compress = promisify(zstdCompress);

export type Encoding = 'identity' | 'gzip' | 'zstd';

/** The bytes of a batch as they are kept. */
export interface StoredBody {
  encoding: Encoding;
  body: Uint8Array;
  /** Once inflated. */
  size: number;
}

/** SDKs compress from here on; what is smaller gains nothing. */
const WORTH_COMPRESSING = 1400;

/** For what came as it is, or is not kept as it came. */
export async function toStored(plain: Uint8Array): Promise<StoredBody> {
  const size = plain.length;
  if (size < WORTH_COMPRESSING) return { encoding: 'identity', body: plain, size };
  const body = await compress(plain, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  return { encoding: 'zstd', body, size };
}

/** As text, without the mark of byte order that some senders put in front. */
export function textOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Handing less than this to another thread costs several times what inflating it does. */
const WORTH_ANOTHER_THREAD = 256 * 1024;

export async function fromStored({ encoding, body, size }: StoredBody): Promise<Uint8Array> {
  if (encoding === 'identity') return body;
  const { atOnce, apart } = inflaters[encoding];
  const options = { maxOutputLength: Math.max(1, size) };
  if (size > WORTH_ANOTHER_THREAD) return apart(body, options);
  return atOnce(body, { ...options, chunkSize: chunkSizeFor(size) });
}
