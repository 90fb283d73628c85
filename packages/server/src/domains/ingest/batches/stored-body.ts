import { promisify } from 'node:util';
import { constants, gunzip, gunzipSync, zstdCompress, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { chunkSizeFor } from '../../../kernel/files/inflate.ts';

const inflaters = {
  gzip: { atOnce: gunzipSync, apart: promisify(gunzip) },
  zstd: { atOnce: zstdDecompressSync, apart: promisify(zstdDecompress) },
};
const compress = promisify(zstdCompress);

export type Encoding = 'identity' | 'gzip' | 'zstd';

/** The stored bytes of a batch. */
export interface StoredBody {
  encoding: Encoding;
  body: Uint8Array;
  /** Size after decompression. */
  size: number;
}

/** SDKs compress above this size; smaller bodies do not get smaller. */
const WORTH_COMPRESSING = 1400;

/** Stores a body that arrived uncompressed or was changed. */
export async function toStored(plain: Uint8Array): Promise<StoredBody> {
  const size = plain.length;
  if (size < WORTH_COMPRESSING) return { encoding: 'identity', body: plain, size };
  const body = await compress(plain, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  return { encoding: 'zstd', body, size };
}

/** Below this size, another thread costs several times more than decompressing here. */
const WORTH_ANOTHER_THREAD = 256 * 1024;

export async function fromStored({ encoding, body, size }: StoredBody): Promise<Uint8Array> {
  if (encoding === 'identity') return body;
  const { atOnce, apart } = inflaters[encoding];
  const options = { maxOutputLength: Math.max(1, size) };
  if (size > WORTH_ANOTHER_THREAD) return apart(body, options);
  return atOnce(body, { ...options, chunkSize: chunkSizeFor(size) });
}
