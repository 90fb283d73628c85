import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';
import { parseOwnJson } from '../../../kernel/text/json.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** More than any stored log decompresses to. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Handing smaller values to another thread costs more than compressing them; most are a few kilobytes. */
const WORTH_ANOTHER_THREAD = 64 * 1024;

export async function packJson(value: unknown): Promise<Uint8Array> {
  const plain = Buffer.from(JSON.stringify(value));
  // With a known size, the compressor allocates less memory.
  const options = { params: { [constants.ZSTD_c_compressionLevel]: 3 }, pledgedSrcSize: plain.length };
  return plain.length > WORTH_ANOTHER_THREAD ? compress(plain, options) : zstdCompressSync(plain, options);
}

/** Values with a small compressed size are usually small. */
const SMALL_PACKED = 8 * 1024;
/** Limit for decompression in this thread: a few bytes may become megabytes, which another thread handles. */
const SMALL_UNPACKED = 256 * 1024;

function unpackSmall(bytes: Uint8Array): Buffer | undefined {
  if (bytes.length > SMALL_PACKED) return undefined;
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: SMALL_UNPACKED });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}

export async function unpackText(bytes: Uint8Array): Promise<string> {
  const plain = unpackSmall(bytes) ?? (await decompress(bytes, { maxOutputLength: MAX_BYTES }));
  return plain.toString('utf8');
}

export const unpackJson = async <T>(bytes: Uint8Array): Promise<T> => parseOwnJson<T>(await unpackText(bytes));

const LARGE_LOG = 256 * 1024;
const MAX_ITEMS = 1000;
const MAX_TEXT_LENGTH = 64 * 1024;

/** Shortens long lists and texts, keeping their beginnings and ends. */
function shorten(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT_LENGTH ? value.slice(0, MAX_TEXT_LENGTH).toWellFormed() : value;
  if (Array.isArray(value)) {
    const items = value.length > MAX_ITEMS ? [...value.slice(0, MAX_ITEMS / 2), ...value.slice(-MAX_ITEMS / 2)] : value;
    return items.map(shorten);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .map(([name, each]) => [name, shorten(each)]),
  );
}

export const CUT_NOTE = 'The log was too large: long lists and texts in the stored copy were cut.';

/** The log to store: as received, or shortened if it is very large. */
export function shortenLog(log: object): { log: unknown; isCut: boolean; isLarge: boolean } {
  const { length } = JSON.stringify(log);
  const isCut = length > LARGE_LOG;
  return { log: isCut ? shorten(log) : log, isCut, isLarge: length > WORTH_ANOTHER_THREAD };
}
