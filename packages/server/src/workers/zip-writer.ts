import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';

const UTF8_NAMES = 0x0800;
/** CRC and sizes follow the content. */
const SIZES_AFTER = 0x0008;
const STORED = 0;
const DEFLATED = 8;
/** Compressing smaller files costs more than it saves. */
const MIN_COMPRESSED = 512;
/** Files up to this size are compressed in one call, which takes a few milliseconds. */
const MAX_WHOLE = 64 * 1024;
/** 1980-01-01, the first date that an archive supports, so that the same files produce the same bytes. */
const FIRST_DATE = 0x0021;
const MAX_PLAIN_ENTRIES = 0xffff;
/** Larger numbers are stored in zip64 fields. */
const MAX_PLAIN = 0xffffffff;

interface Entry {
  name: Buffer;
  flags: number;
  sum: number;
  method: number;
  packed: number;
  size: number;
  at: number;
}

const isLarge = ({ packed, size, at }: Entry): boolean => Math.max(packed, size, at) >= MAX_PLAIN;

/** Writes the fields that both the local header and the central directory contain. */
function writeFields(target: Buffer, at: number, { name, flags, sum, method, packed, size }: Entry): void {
  target.writeUInt16LE(20, at);
  target.writeUInt16LE(flags, at + 2);
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
  return Buffer.concat([header, entry.name]);
}

/** Data descriptor, which follows a file whose sizes were not known before. */
function descriptor(entry: Entry): Buffer {
  const fields = Buffer.alloc(isLarge(entry) ? 24 : 16);
  fields.writeUInt32LE(0x08074b50, 0);
  fields.writeUInt32LE(entry.sum, 4);
  if (isLarge(entry)) {
    fields.writeBigUInt64LE(BigInt(entry.packed), 8);
    fields.writeBigUInt64LE(BigInt(entry.size), 16);
  } else {
    fields.writeUInt32LE(entry.packed, 8);
    fields.writeUInt32LE(entry.size, 12);
  }
  return fields;
}

function listed(entry: Entry): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  if (!isLarge(entry)) {
    writeFields(header, 6, entry);
    header.writeUInt32LE(entry.at, 42);
    return Buffer.concat([header, entry.name]);
  }
  writeFields(header, 6, { ...entry, packed: MAX_PLAIN, size: MAX_PLAIN });
  header.writeUInt16LE(45, 6);
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  for (const [index, value] of [entry.size, entry.packed, entry.at].entries())
    extra.writeBigUInt64LE(BigInt(value), 4 + index * 8);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(MAX_PLAIN, 42);
  return Buffer.concat([header, entry.name, extra]);
}

function buildEndRecord(count: number, size: number, at: number): Buffer[] {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  const entryCount = Math.min(count, MAX_PLAIN_ENTRIES);
  end.writeUInt16LE(entryCount, 8);
  end.writeUInt16LE(entryCount, 10);
  end.writeUInt32LE(Math.min(size, MAX_PLAIN), 12);
  end.writeUInt32LE(Math.min(at, MAX_PLAIN), 16);
  if (count < MAX_PLAIN_ENTRIES && Math.max(size, at) < MAX_PLAIN) return [end];
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

export interface StreamedFile {
  name: string;
  content: AsyncIterable<Uint8Array>;
  /** Stored without compression; for files that are compressed already. */
  isStored?: boolean;
}

/** Writes an archive file by file, in linear time. */
function createZip() {
  const list: Buffer[] = [];
  let at = 0;

  const begin = (name: string, flags: number, method: number): Entry => ({
    name: Buffer.from(name),
    flags: UTF8_NAMES | flags,
    sum: 0,
    method,
    packed: 0,
    size: 0,
    at,
  });
  const finish = (entry: Entry, before: number, after: number): void => {
    list.push(listed(entry));
    at += before + entry.packed + after;
  };

  function addWhole(name: string, content: Uint8Array, isStored = false): Buffer[] {
    const isSmall = isStored || content.length < MIN_COMPRESSED;
    const packed = isSmall ? Buffer.from(content) : deflateRawSync(content);
    const entry = begin(name, 0, isSmall ? STORED : DEFLATED);
    Object.assign(entry, { sum: crc32(content), packed: packed.length, size: content.length });
    const header = localHeader(entry);
    finish(entry, header.length, 0);
    return [header, packed];
  }

  return {
    addWhole,
    async *add({ name, content, isStored = false }: StreamedFile): AsyncGenerator<Buffer> {
      const chunks = content[Symbol.asyncIterator]();
      const first: Uint8Array[] = [];
      let length = 0;
      let next = await chunks.next();
      for (; !next.done && length + next.value.length <= MAX_WHOLE; next = await chunks.next()) {
        first.push(next.value);
        length += next.value.length;
      }
      if (next.done) return yield* addWhole(name, Buffer.concat(first), isStored);
      const entry = begin(name, SIZES_AFTER, isStored ? STORED : DEFLATED);
      const header = localHeader(entry);
      yield header;
      async function* summed(): AsyncGenerator<Uint8Array> {
        try {
          for (const chunk of first) yield count(chunk);
          for (; !next.done; next = await chunks.next()) yield count(next.value);
        } finally {
          await chunks.return?.();
        }
      }
      const count = (chunk: Uint8Array): Uint8Array => {
        entry.sum = crc32(chunk, entry.sum);
        entry.size += chunk.length;
        return chunk;
      };
      for await (const chunk of isStored ? summed() : deflated(summed())) {
        entry.packed += chunk.length;
        yield Buffer.from(chunk);
      }
      const after = descriptor(entry);
      finish(entry, header.length, after.length);
      yield after;
    },
    end(): Buffer[] {
      const size = list.reduce((sum, { length }) => sum + length, 0);
      return [...list, ...buildEndRecord(list.length, size, at)];
    },
  };
}

async function* deflated(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw();
  const fed = pipeline(Readable.from(content, { objectMode: false }), deflate);
  // An error of the content also ends the stream that is read below.
  fed.catch(() => undefined);
  yield* deflate as AsyncIterable<Uint8Array>;
  await fed;
}

/** Packs files of any size into an archive, one after the other. */
export async function* streamZip(files: Iterable<StreamedFile> | AsyncIterable<StreamedFile>): AsyncGenerator<Buffer> {
  const zip = createZip();
  for await (const file of files) yield* zip.add(file);
  yield* zip.end();
}

/** An archive that the caller adds files to, one by one. */
export function createZipFile(write: (chunk: Buffer) => Promise<unknown>) {
  const zip = createZip();
  return {
    async add(file: StreamedFile): Promise<void> {
      for await (const chunk of zip.add(file)) await write(chunk);
    },
    async end(): Promise<void> {
      await write(Buffer.concat(zip.end()));
    },
  };
}

/**
 * Packs small files into an archive in linear time. Synchronous: use it in a separate process, or for small archives.
 */
export function writeZip(files: Iterable<readonly [name: string, text: string]>): Buffer {
  const zip = createZip();
  const chunks: Buffer[] = [];
  for (const [path, text] of files) chunks.push(...zip.addWhole(path, Buffer.from(text)));
  return Buffer.concat([...chunks, ...zip.end()]);
}
