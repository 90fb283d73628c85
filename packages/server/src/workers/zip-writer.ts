import { crc32, deflateRawSync } from 'node:zlib';

const UTF8_NAMES = 0x0800;
const STORED = 0;
const DEFLATED = 8;
/** Below it, starting to compress costs more than it saves. */
const MIN_COMPRESSED = 512;
/** 1980-01-01, the first date an archive can hold, so the same files give the same bytes. */
const FIRST_DATE = 0x0021;
const MAX_PLAIN_ENTRIES = 0xffff;

interface Entry {
  name: Buffer;
  sum: number;
  method: number;
  packed: number;
  size: number;
  at: number;
}

/** The fields that stand both before a file and in the list at the end. */
function writeFields(target: Buffer, at: number, { name, sum, method, packed, size }: Entry): void {
  target.writeUInt16LE(20, at);
  target.writeUInt16LE(UTF8_NAMES, at + 2);
  target.writeUInt16LE(method, at + 4);
  target.writeUInt16LE(FIRST_DATE, at + 8);
  target.writeUInt32LE(sum, at + 10);
  target.writeUInt32LE(packed, at + 14);
  target.writeUInt32LE(size, at + 18);
  target.writeUInt16LE(name.length, at + 22);
}

function localHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeFields(header, 4, entry);
  return header;
}

function listed(entry: Entry): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  writeFields(header, 6, entry);
  header.writeUInt32LE(entry.at, 42);
  return header;
}

function endOfList(count: number, size: number, at: number): Buffer[] {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  const plainCount = Math.min(count, MAX_PLAIN_ENTRIES);
  end.writeUInt16LE(plainCount, 8);
  end.writeUInt16LE(plainCount, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  if (count < MAX_PLAIN_ENTRIES) return [end];
  const large = Buffer.alloc(56 + 20);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(45, 12);
  large.writeUInt16LE(45, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(size), 40);
  large.writeBigUInt64LE(BigInt(at), 48);
  large.writeUInt32LE(0x07064b50, 56);
  large.writeBigUInt64LE(BigInt(at + size), 64);
  large.writeUInt32LE(1, 72);
  return [large, end];
}

/**
 * Packs small files into an archive in linear time; yazl searches all entries for each of them. Synchronous: use it in a
 * separate process, or for small archives.
 */
export function writeZip(files: Iterable<readonly [name: string, text: string]>): Buffer {
  const chunks: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const [path, text] of files) {
    const content = Buffer.from(text);
    const isSmall = content.length < MIN_COMPRESSED;
    const packed = isSmall ? content : deflateRawSync(content);
    const name = Buffer.from(path);
    const method = isSmall ? STORED : DEFLATED;
    const entry = { name, sum: crc32(content), method, packed: packed.length, size: content.length, at };
    chunks.push(localHeader(entry), name, packed);
    list.push(listed(entry), name);
    at += 30 + name.length + packed.length;
  }
  const size = list.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([...chunks, ...list, ...endOfList(list.length / 2, size, at)]);
}
