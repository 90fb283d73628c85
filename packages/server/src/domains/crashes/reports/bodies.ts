import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** More than any log of ours inflates to. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Handing less than this to another thread costs many times what compressing it does; most are some kilobytes. */
const WORTH_ANOTHER_THREAD = 64 * 1024;

export async function packJson(value: unknown): Promise<Uint8Array> {
  const plain = Buffer.from(JSON.stringify(value));
  // What knows its size takes memory for no more.
  const options = { params: { [constants.ZSTD_c_compressionLevel]: 3 }, pledgedSrcSize: plain.length };
  return plain.length > WORTH_ANOTHER_THREAD ? compress(plain, options) : zstdCompressSync(plain, options);
}

/** Compressed, a log as small as this is mostly small, too. */
const SMALL_PACKED = 8 * 1024;
/** Inflated here, and no more: a few bytes may become megabytes, which another thread inflates. */
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
  const plain = unpackSmall(bytes) ?? (await decompress(bytes, { maxOutputLength: MOST_BYTES }));
  return plain.toString('utf8');
}

export const unpackJson = async <T>(bytes: Uint8Array): Promise<T> => JSON.parse(await unpackText(bytes)) as T;

const LARGE_LOG = 256 * 1024;
const MOST_ITEMS = 1000;
const LONGEST_TEXT = 64 * 1024;

/** The same with long lists and long texts cut short: the first and the last of them tell enough. */
function shorten(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > LONGEST_TEXT ? value.slice(0, LONGEST_TEXT).toWellFormed() : value;
  if (Array.isArray(value)) {
    const kept =
      value.length > MOST_ITEMS ? [...value.slice(0, MOST_ITEMS / 2), ...value.slice(-MOST_ITEMS / 2)] : value;
    return kept.map(shorten);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_ITEMS)
      .map(([name, each]) => [name, shorten(each)]),
  );
}

export const CUT_NOTE = 'The log was very large; long lists and texts in what is kept of it were cut short.';

/** A log as it is kept: as it came, or cut short if it is very large. */
export function keptLog(log: object): { log: unknown; isCut: boolean; isLarge: boolean } {
  const { length } = JSON.stringify(log);
  const isCut = length > LARGE_LOG;
  return { log: isCut ? shorten(log) : log, isCut, isLarge: length > WORTH_ANOTHER_THREAD };
}
