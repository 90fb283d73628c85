import { Buffer } from 'node:buffer';

/** A piece of a file of events: the text of one, or what is wrong with it. */
export interface Piece {
  bytes?: Buffer;
  problem?: string;
  /** Nothing after it can be read. */
  isLast?: true;
  /** Where it ends in the file. */
  end: number;
}

type Chunks = AsyncIterable<Buffer>;

/** Collects the bytes of a piece over chunks, up to a limit; what is longer is counted only. */
class Collector {
  private held: Buffer[] = [];
  private length = 0;
  private readonly maxBytes: number;
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  add(bytes: Buffer): void {
    this.length += bytes.length;
    if (this.length > this.maxBytes) this.held = [];
    else if (bytes.length > 0) this.held.push(bytes);
  }

  take(end: number): Piece {
    const { held, length, maxBytes } = this;
    this.drop();
    if (length > maxBytes) return { end, problem: `It is larger than the ${maxBytes} bytes that an event may have.` };
    return { end, bytes: held.length === 1 ? held[0] : Buffer.concat(held) };
  }

  drop(): void {
    this.held = [];
    this.length = 0;
  }
}

const isBlank = (bytes: Buffer | undefined): boolean => bytes !== undefined && bytes.toString('latin1').trim() === '';

/** One event on each line. */
export async function* eventsOnLines(chunks: Chunks, maxBytes: number): AsyncGenerator<Piece> {
  const line = new Collector(maxBytes);
  let offset = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, start)) {
      line.add(chunk.subarray(start, at));
      start = at + 1;
      const piece = line.take(offset + start);
      if (!isBlank(piece.bytes)) yield piece;
    }
    line.add(chunk.subarray(start));
    offset += chunk.length;
  }
  const last = line.take(offset);
  if (!isBlank(last.bytes)) yield last;
}

const code = (sign: string): number => sign.charCodeAt(0);
const [quote, backslash, comma, colon] = [code('"'), code('\\'), code(','), code(':')];
const [openObject, closeObject, openArray, closeArray] = [code('{'), code('}'), code('['), code(']')];
const blanks = new Set([9, 10, 13, 32]);
const mark = [0xef, 0xbb, 0xbf];
const VALUE = Buffer.from('"value"');

/** Before or after a document; in an object that is a page or an event; in a list; in an event of one; in the end of a page. */
type State = 'outside' | 'object' | 'list' | 'item' | 'rest';

/**
 * Finds the events in JSON without reading it whole: in a page `{ "value": [event…] }`, in an array, or one after the
 * other. Only brackets and strings are looked at; whether a piece is JSON is for its reader to say.
 */
export async function* eventsInJson(chunks: Chunks, maxBytes: number): AsyncGenerator<Piece> {
  const piece = new Collector(maxBytes);
  let state: State = 'outside';
  let isPage = false;
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  /** The last string directly in an object, as far as it can be `"value"`, and whether it is the key just before. */
  let word: number[] = [];
  let isValue = false;
  let offset = 0;

  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (isString) {
        if (state === 'object' && depth === 1 && word.length < 8) word.push(byte);
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isString = false;
        continue;
      }
      if (state === 'outside') {
        if (blanks.has(byte) || mark[offset + at] === byte) continue;
        if (byte !== openObject && byte !== openArray) {
          const problem = `The file is no JSON from byte ${offset + at} on; nothing after it was read.`;
          yield { end: offset + at, problem, isLast: true };
          return;
        }
        state = byte === openArray ? 'list' : 'object';
        isPage = false;
        depth = byte === openArray ? 0 : 1;
        start = at;
        word = [];
        isValue = false;
        continue;
      }
      if (state === 'list') {
        if (blanks.has(byte)) continue;
        if (byte === closeArray) {
          state = isPage ? 'rest' : 'outside';
          depth = 1;
          continue;
        }
        state = 'item';
        depth = 0;
        start = at;
      }
      if (byte === quote) {
        isString = true;
        word = [quote];
      } else if (byte === openObject || byte === openArray) {
        if (state === 'object' && depth === 1 && byte === openArray && isValue) {
          piece.drop();
          state = 'list';
          isPage = true;
          continue;
        }
        depth += 1;
      } else if (state === 'item' && depth === 0 && (byte === comma || byte === closeArray)) {
        piece.add(chunk.subarray(start, at));
        yield piece.take(offset + at);
        state = byte === comma ? 'list' : isPage ? 'rest' : 'outside';
        depth = 1;
      } else if (byte === closeObject || byte === closeArray) {
        depth -= 1;
        if (depth === 0 && state === 'object') {
          piece.add(chunk.subarray(start, at + 1));
          yield piece.take(offset + at + 1);
        }
        if (depth === 0 && state !== 'item') state = 'outside';
      } else if (state === 'object' && depth === 1) {
        if (byte === colon) isValue = VALUE.equals(Buffer.from(word));
        else if (byte === comma) isValue = false;
      }
    }
    if (state === 'object' || state === 'item') piece.add(chunk.subarray(start));
    offset += chunk.length;
  }
  if (state !== 'outside') yield { end: offset, problem: 'The file ends in the middle.', isLast: true };
}
