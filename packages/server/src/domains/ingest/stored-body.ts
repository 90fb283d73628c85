import { promisify } from 'node:util';
import { constants, gunzip, zstdCompress, zstdDecompress } from 'node:zlib';

const inflate = promisify(gunzip);
const decompress = promisify(zstdDecompress);
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

export async function fromStored({ encoding, body, size }: StoredBody): Promise<Uint8Array> {
  if (encoding === 'identity') return body;
  return (encoding === 'gzip' ? inflate : decompress)(body, { maxOutputLength: Math.max(1, size) });
}
