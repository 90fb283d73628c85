import { Unreadable } from '../../../../workers/unreadable.ts';

/** A chunk of a compiled Android file: compiled XML and resource tables consist of them. */
export interface Chunk {
  bytes: Buffer;
  at: number;
  type: number;
  headerSize: number;
  size: number;
}

/** Far more than the largest apps have; each costs an object. */
const MAX_CHUNKS = 200_000;

export function* eachChunk(bytes: Buffer, from: number, to: number): Generator<Chunk> {
  let count = 0;
  for (let at = from; at + 8 <= to; ) {
    count += 1;
    if (count > MAX_CHUNKS) throw new Unreadable(`A compiled file in the package has more than ${MAX_CHUNKS} chunks.`);
    const chunk = {
      bytes,
      at,
      type: bytes.readUInt16LE(at),
      headerSize: bytes.readUInt16LE(at + 2),
      size: bytes.readUInt32LE(at + 4),
    };
    if (chunk.size < 8 || chunk.headerSize < 8 || chunk.headerSize > chunk.size || at + chunk.size > to) {
      throw new Unreadable('A compiled file in the package is damaged.');
    }
    yield chunk;
    at += chunk.size;
  }
}

const UTF8 = 0x100;

/** A length takes one unit, or two if the highest bit of the first is set. */
function readUtf8(bytes: Buffer, at: number, end: number): string {
  const skip = (from: number) => from + ((bytes[from] ?? 0) & 0x80 ? 2 : 1);
  const afterCharacters = skip(at);
  const start = skip(afterCharacters);
  const first = bytes[afterCharacters] ?? 0;
  const length = first & 0x80 ? ((first & 0x7f) << 8) | (bytes[afterCharacters + 1] ?? 0) : first;
  return bytes.toString('utf8', start, Math.min(end, start + length));
}

function readUtf16(bytes: Buffer, at: number, end: number): string {
  const first = bytes.readUInt16LE(at);
  const isLong = (first & 0x8000) !== 0;
  const length = isLong ? ((first & 0x7fff) << 16) | bytes.readUInt16LE(at + 2) : first;
  const start = at + (isLong ? 4 : 2);
  return bytes.toString('utf16le', start, Math.min(end, start + length * 2));
}

const MAX_POOL_LENGTH = 32 * 1024 * 1024;

/** Decodes texts on demand: a table has many, and only a few are needed. */
export function lazyStringPool(
  { bytes, at, headerSize, size }: Chunk,
  longest = size,
): (index: number) => string | undefined {
  const count = bytes.readUInt32LE(at + 8);
  const isUtf8 = (bytes.readUInt32LE(at + 16) & UTF8) !== 0;
  const start = at + bytes.readUInt32LE(at + 20);
  const end = at + size;
  return (index) => {
    const entry = at + headerSize + index * 4;
    if (index < 0 || index >= count || entry + 4 > end) return undefined;
    const place = start + bytes.readUInt32LE(entry);
    if (place + 2 > end) return undefined;
    const last = Math.min(end, place + longest);
    return isUtf8 ? readUtf8(bytes, place, last) : readUtf16(bytes, place, last);
  };
}

export function readStringPool(chunk: Chunk): string[] {
  const count = chunk.bytes.readUInt32LE(chunk.at + 8);
  if (count * 4 > chunk.size || chunk.size > MAX_POOL_LENGTH)
    throw new Unreadable('A compiled file in the package is damaged.');
  const textAt = lazyStringPool(chunk);
  let total = 0;
  return Array.from({ length: count }, (_, index) => {
    const text = textAt(index) ?? '';
    total += text.length;
    // Entries can all point at the same long text.
    if (total > MAX_POOL_LENGTH) throw new Unreadable('A compiled file in the package is damaged.');
    return text;
  });
}
