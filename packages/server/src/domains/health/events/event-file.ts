import { Buffer } from 'node:buffer';

/** One element of a file of events: the text of an event, or why it cannot be read. */
export interface FilePart {
  bytes?: Buffer;
  problem?: string;
  /** The rest of the file cannot be read. */
  isLast?: true;
  /** Offset of its end in the file. */
  end: number;
}

type Chunks = AsyncIterable<Buffer>;

/** Collects the bytes of one event over several chunks. Beyond the limit it only counts them. */
class Collector {
  private chunks: Buffer[] = [];
  private length = 0;
  private readonly maxBytes: number;
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  add(bytes: Buffer): void {
    this.length += bytes.length;
    if (this.length > this.maxBytes) this.chunks = [];
    else if (bytes.length > 0) this.chunks.push(bytes);
  }

  take(end: number): FilePart {
    const { chunks, length, maxBytes } = this;
    this.drop();
    if (length > maxBytes) return { end, problem: `The event is larger than the maximum of ${maxBytes} bytes.` };
    return { end, bytes: chunks.length === 1 ? chunks[0] : Buffer.concat(chunks) };
  }

  drop(): void {
    this.chunks = [];
    this.length = 0;
  }
}

const isBlank = (bytes: Buffer | undefined): boolean => bytes !== undefined && bytes.toString('latin1').trim() === '';

/** Reads one event per line. */
export async function* eventsOnLines(chunks: Chunks, maxBytes: number): AsyncGenerator<FilePart> {
  const line = new Collector(maxBytes);
  let offset = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, start)) {
      line.add(chunk.subarray(start, at));
      start = at + 1;
      const part = line.take(offset + start);
      if (!isBlank(part.bytes)) yield part;
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

/**
 * Before or after a document; in an object that is a page or an event; in a list; in an event of a list; after the list of a
 * page.
 */
type State = 'outside' | 'object' | 'list' | 'item' | 'rest';

/**
 * Finds the events in JSON without reading it whole: in a page `{ "value": [event…] }`, in an array, or one after the other.
 * Only looks at brackets and strings; the reader of each event validates its JSON.
 */
export async function* eventsInJson(chunks: Chunks, maxBytes: number): AsyncGenerator<FilePart> {
  const part = new Collector(maxBytes);
  let state: State = 'outside';
  let isPage = false;
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  /** The latest string directly in an object, as far as it can be `"value"`, and whether it is the preceding key. */
  let literal: number[] = [];
  let isValue = false;
  let offset = 0;

  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (isString) {
        if (state === 'object' && depth === 1 && literal.length < 8) literal.push(byte);
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isString = false;
        continue;
      }
      if (state === 'outside') {
        if (blanks.has(byte) || mark[offset + at] === byte) continue;
        if (byte !== openObject && byte !== openArray) {
          const problem = `The file stops being valid JSON at byte ${offset + at}. Nothing after that was read.`;
          yield { end: offset + at, problem, isLast: true };
          return;
        }
        state = byte === openArray ? 'list' : 'object';
        isPage = false;
        depth = byte === openArray ? 0 : 1;
        start = at;
        literal = [];
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
        literal = [quote];
      } else if (byte === openObject || byte === openArray) {
        if (state === 'object' && depth === 1 && byte === openArray && isValue) {
          part.drop();
          state = 'list';
          isPage = true;
          continue;
        }
        depth += 1;
      } else if (state === 'item' && depth === 0 && (byte === comma || byte === closeArray)) {
        part.add(chunk.subarray(start, at));
        yield part.take(offset + at);
        state = byte === comma ? 'list' : isPage ? 'rest' : 'outside';
        depth = 1;
      } else if (byte === closeObject || byte === closeArray) {
        depth -= 1;
        if (depth === 0 && state === 'object') {
          part.add(chunk.subarray(start, at + 1));
          yield part.take(offset + at + 1);
        }
        if (depth === 0 && state !== 'item') state = 'outside';
      } else if (state === 'object' && depth === 1) {
        if (byte === colon) isValue = VALUE.equals(Buffer.from(literal));
        else if (byte === comma) isValue = false;
      }
    }
    if (state === 'object' || state === 'item') part.add(chunk.subarray(start));
    offset += chunk.length;
  }
  if (state !== 'outside')
    yield { end: offset, problem: 'The file is incomplete: it ends before its JSON does.', isLast: true };
}
