import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { DialectName } from '../db/drivers/connection.ts';
import { parseJson } from '../kernel/text/json.ts';

/**
 * A backup is gzip over lines of JSON, so that `zcat` shows it: a header; frames, each a line that describes it, its
 * content, and a line with the content's sha256; and a last line with the sha256 of everything before it. Tables come
 * before blobs.
 */
export interface Header {
  format: 'mooring-backup';
  version: 1;
  made_at: string;
  program: string;
  source: DialectName;
  migrations: string[];
  /** In an order that satisfies foreign keys when loading. */
  tables: { name: string; rows: number }[];
}

/** Rows of one table: one JSON object per line. */
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

/** The file is not a backup, is incomplete, or was altered. */
export class DamagedBackup extends Error {
  override name = 'DamagedBackup';
}

const MAX_LINE = 1024 * 1024;
const MAX_FRAME = 64 * 1024 * 1024;

const encodeLine = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

export interface Content {
  frame: Frame;
  content: Iterable<Buffer> | AsyncIterable<Buffer>;
}

/** Yields the bytes of a backup, before compression. */
export async function* writeArchive(header: Header, frames: AsyncIterable<Content>): AsyncGenerator<Buffer> {
  const total = createHash('sha256');
  const counted = (bytes: Buffer): Buffer => {
    total.update(bytes);
    return bytes;
  };
  let count = 0;
  yield counted(encodeLine(header));
  for await (const { frame, content } of frames) {
    count += 1;
    yield counted(encodeLine(frame));
    const own = createHash('sha256');
    let missing = frame.bytes;
    for await (const chunk of content) {
      own.update(chunk);
      missing -= chunk.length;
      yield counted(chunk);
    }
    if (missing !== 0) throw new Error(`Expected ${frame.bytes} bytes of content, but ${missing} are missing.`);
    yield counted(encodeLine({ sha256: own.digest('hex') }));
  }
  yield encodeLine({ end: true, frames: count, sha256: total.digest('hex') } satisfies Footer);
}

/** Reads lines and byte ranges from a stream, with little memory. */
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

  /** Reads a line with its newline; undefined at the end of the stream. */
  async line(): Promise<Buffer | undefined> {
    for (;;) {
      const end = this.held.indexOf(0x0a) + 1;
      if (end > 0) return this.take(end);
      if (this.held.length > MAX_LINE) throw new DamagedBackup('The file has a line that is too long.');
      if (await this.more()) continue;
      if (this.held.length > 0) throw new DamagedBackup('The file is truncated.');
      return undefined;
    }
  }

  /** Yields the next `count` bytes, in chunks as they arrive. */
  async *run(count: number): AsyncGenerator<Buffer> {
    for (let missing = count; missing > 0; ) {
      if (this.held.length === 0 && !(await this.more())) throw new DamagedBackup('The file is truncated.');
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
  if (!line) throw new DamagedBackup('The file is truncated.');
  try {
    const value: unknown = parseJson(line.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Partial<T>;
  } catch {
    // The error follows below.
  }
  throw new DamagedBackup('The file was altered.');
}

function asHeader(value: Partial<Header>): Header {
  if (value.format !== 'mooring-backup') throw new DamagedBackup('The file is not a Mooring backup.');
  if (value.version !== 1)
    throw new DamagedBackup('It was made by a newer version of Mooring. Restore it with that version.');
  const { migrations, tables } = value;
  const isWhole =
    Array.isArray(migrations) &&
    migrations.every((name) => typeof name === 'string') &&
    Array.isArray(tables) &&
    tables.every((table) => isTable(table?.name) && isCount(table.rows));
  if (!isWhole) throw new DamagedBackup('The header was altered.');
  return value as Header;
}

/** Checks the format of a table name, and excludes the internal tables of databases and migrations. */
const isTable = (name: unknown): boolean =>
  typeof name === 'string' && /^[a-z][a-z0-9_]{0,62}$/.test(name) && !/^(sqlite|pg|migrations)(_|$)/.test(name);

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Parts of a backup. Content must be read to its end or not at all; reading it fails if it was altered. */
export type Part =
  | { header: Header }
  | { frame: RowsFrame; rows: Buffer }
  | { frame: BlobFrame; content: AsyncIterable<Buffer> };

/** Reads a backup. Ends without an error only if the file is complete and unaltered. */
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
  if (code === 'Z_BUF_ERROR') return new DamagedBackup('The file is truncated.');
  if (code.startsWith('Z_')) return new DamagedBackup('The file is not a Mooring backup, or was altered.');
  return error;
}

function asFrame({ table, rows, blob, type, bytes }: Partial<RowsFrame & BlobFrame>): Frame {
  if (isCount(bytes)) {
    if (typeof blob === 'string' && typeof type === 'string') return { blob, type, bytes };
    if (typeof table === 'string' && isCount(rows) && bytes <= MAX_FRAME) return { table, rows, bytes };
  }
  throw new DamagedBackup('The file was altered.');
}

/** Yields the content of a frame, then checks its sha256. */
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
      if (!isComplete || (await reader.line())) throw new DamagedBackup('The file was altered.');
      return;
    }
    const frame = asFrame(described);
    total.update(line as Buffer);
    const content = unseal(reader, frame, total);
    if ('table' in frame) yield { frame, rows: Buffer.concat(await Array.fromAsync(content)) };
    else yield { frame, content };
    // Reads content that the caller skipped.
    for await (const _ of content);
  }
}
