import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { DialectName } from '../db/connection.ts';

/**
 * A backup is gzip over lines of JSON, so that `zcat` shows it: a header; frames, each a line that describes it, so many
 * bytes, and a line with their sha256; and a last line with the sha256 of everything before it. Tables come before blobs.
 */
export interface Header {
  format: 'mooring-backup';
  version: 1;
  made_at: string;
  program: string;
  source: DialectName;
  migrations: string[];
  /** In the order in which they can be loaded. */
  tables: { name: string; rows: number }[];
}

/** Rows of one table, each a JSON object on a line of its own. */
export interface RowsFrame {
  table: string;
  rows: number;
  bytes: number;
}

export interface BlobFrame {
  blob: string;
  type: string;
  bytes: number;
}

export type Frame = RowsFrame | BlobFrame;

interface Footer {
  end: true;
  frames: number;
  sha256: string;
}

/** The file is no backup, or not the whole of one, or not what was written. */
export class DamagedBackup extends Error {
  override name = 'DamagedBackup';
}

const MAX_LINE = 1024 * 1024;
const MAX_FRAME = 64 * 1024 * 1024;

const lineOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

export interface Content {
  frame: Frame;
  content: Iterable<Buffer> | AsyncIterable<Buffer>;
}

/** The bytes of a backup, before compression. */
export async function* writeArchive(header: Header, frames: AsyncIterable<Content>): AsyncGenerator<Buffer> {
  const total = createHash('sha256');
  const counted = (bytes: Buffer): Buffer => {
    total.update(bytes);
    return bytes;
  };
  let count = 0;
  yield counted(lineOf(header));
  for await (const { frame, content } of frames) {
    count += 1;
    yield counted(lineOf(frame));
    const own = createHash('sha256');
    let missing = frame.bytes;
    for await (const chunk of content) {
      own.update(chunk);
      missing -= chunk.length;
      yield counted(chunk);
    }
    if (missing !== 0)
      throw new Error(`Content of ${frame.bytes} bytes was announced; ${missing} of them are missing.`);
    yield counted(lineOf({ sha256: own.digest('hex') }));
  }
  yield lineOf({ end: true, frames: count, sha256: total.digest('hex') } satisfies Footer);
}

/** Lines and runs of bytes out of a stream, holding no more of it than that. */
class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private held: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.chunks = stream[Symbol.asyncIterator]();
  }

  private async more(): Promise<boolean> {
    const { done, value } = await this.chunks.next();
    if (done) return false;
    this.held = this.held.length === 0 ? value : Buffer.concat([this.held, value]);
    return true;
  }

  /** With its end; nothing at the end of the stream. */
  async line(): Promise<Buffer | undefined> {
    for (;;) {
      const end = this.held.indexOf(0x0a) + 1;
      if (end > 0) return this.take(end);
      if (this.held.length > MAX_LINE) throw new DamagedBackup('A line of it is longer than any that was written.');
      if (await this.more()) continue;
      if (this.held.length > 0) throw new DamagedBackup('It is cut off.');
      return undefined;
    }
  }

  /** The next so many bytes, as they come. */
  async *run(count: number): AsyncGenerator<Buffer> {
    for (let missing = count; missing > 0; ) {
      if (this.held.length === 0 && !(await this.more())) throw new DamagedBackup('It is cut off.');
      const part = this.take(Math.min(missing, this.held.length));
      missing -= part.length;
      yield part;
    }
  }

  private take(count: number): Buffer {
    const taken = this.held.subarray(0, count);
    this.held = this.held.subarray(count);
    return taken;
  }
}

function parse<T>(line: Buffer | undefined): Partial<T> {
  if (!line) throw new DamagedBackup('It is cut off.');
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Partial<T>;
  } catch {
    // Said below.
  }
  throw new DamagedBackup('A line of it is not what was written.');
}

function asHeader(value: Partial<Header>): Header {
  if (value.format !== 'mooring-backup') throw new DamagedBackup('It is not a backup of Mooring.');
  if (value.version !== 1)
    throw new DamagedBackup('It was made by a newer version of Mooring; restore it with that one.');
  const { migrations, tables } = value;
  const isWhole =
    Array.isArray(migrations) &&
    migrations.every((name) => typeof name === 'string') &&
    Array.isArray(tables) &&
    tables.every((table) => isTable(table?.name) && isCount(table.rows));
  if (!isWhole) throw new DamagedBackup('Its header was altered.');
  return value as Header;
}

/** Tables of Mooring have such names; those in which a database keeps its own records do not. */
const isTable = (name: unknown): boolean =>
  typeof name === 'string' && /^[a-z][a-z0-9_]{0,62}$/.test(name) && !/^(sqlite|pg|migrations)(_|$)/.test(name);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** What a backup consists of. Content must be read to its end, or not at all; it fails there if it was altered. */
export type Part =
  | { header: Header }
  | { frame: RowsFrame; rows: Buffer }
  | { frame: BlobFrame; content: AsyncIterable<Buffer> };

/** Reads a backup; it ends without an error only if all of it was there, as it was written. */
export async function* readArchive(file: string): AsyncGenerator<Part> {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  try {
    yield* readParts(new ByteReader(gunzip));
  } catch (error) {
    throw explain(error);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

function explain(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return new DamagedBackup('It is cut off.');
  if (code.startsWith('Z_')) return new DamagedBackup('It is not a backup of Mooring, or it was altered.');
  return error;
}

function asFrame({ table, rows, blob, type, bytes }: Partial<RowsFrame & BlobFrame>): Frame {
  if (isCount(bytes)) {
    if (typeof blob === 'string' && typeof type === 'string') return { blob, type, bytes };
    if (typeof table === 'string' && isCount(rows) && bytes <= MAX_FRAME) return { table, rows, bytes };
  }
  throw new DamagedBackup('It was altered.');
}

/** The content of a frame; checks its seal when it has been read. */
async function* unseal(reader: ByteReader, frame: Frame, total: Hash): AsyncGenerator<Buffer> {
  const own = createHash('sha256');
  for await (const chunk of reader.run(frame.bytes)) {
    own.update(chunk);
    total.update(chunk);
    yield chunk;
  }
  const seal = await reader.line();
  if (parse<Footer>(seal).sha256 !== own.digest('hex')) {
    const what = 'blob' in frame ? `The file ${frame.blob} was` : `Rows of the table ${frame.table} were`;
    throw new DamagedBackup(`${what} altered.`);
  }
  total.update(seal as Buffer);
}

async function* readParts(reader: ByteReader): AsyncGenerator<Part> {
  const total = createHash('sha256');
  const first = await reader.line();
  const header = asHeader(parse<Header>(first));
  total.update(first as Buffer);
  yield { header };
  for (let frames = 0; ; frames++) {
    const line = await reader.line();
    const described = parse<RowsFrame & BlobFrame & Footer>(line);
    if (described.end) {
      const isComplete = described.frames === frames && described.sha256 === total.digest('hex');
      if (!isComplete || (await reader.line())) throw new DamagedBackup('It was altered.');
      return;
    }
    const frame = asFrame(described);
    total.update(line as Buffer);
    const content = unseal(reader, frame, total);
    if ('table' in frame) yield { frame, rows: Buffer.concat(await Array.fromAsync(content)) };
    else yield { frame, content };
    // Does nothing if it was read.
    for await (const _ of content);
  }
}
