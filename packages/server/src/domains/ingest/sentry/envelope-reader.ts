import { badRequest } from '../../../kernel/errors.ts';
import { isTooDeep, parseJson } from '../../../kernel/text/json.ts';

type Fields = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An item of an envelope. */
export interface EnvelopeItem {
  type: string;
  header: Fields;
  /** Undefined if the payload was skipped, because of its type or its size. */
  payload: Uint8Array | undefined;
}

export interface EnvelopeReaderOptions {
  /** Bytes of a payload to keep, by the type of its item; a longer one is skipped, and so is any if it is 0. */
  getMaxBytes(type: string, header: Fields): number;
  /** Items that are read; the rest of the envelope is skipped. */
  maxItems: number;
  /** Called for each item, in order. */
  onItem(item: EnvelopeItem): void;
}

const NEWLINE = 10;
const MAX_HEADER = 64 * 1024;
const MAX_HEADER_DEPTH = 32;
const MAX_EMPTY_LINES = 1000;

const malformed = (what: string) => badRequest(`The envelope is malformed: ${what}.`);

function parseHeader(bytes: Uint8Array, what: string): Fields {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  if (isTooDeep(text, MAX_HEADER_DEPTH)) throw malformed(`${what} has more than ${MAX_HEADER_DEPTH} levels`);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw malformed(`${what} is not JSON`);
  }
  if (!isObject(value)) throw malformed(`${what} is not a JSON object`);
  return value;
}

function readLength({ length }: Fields): number | undefined {
  if (length === undefined || length === null) return undefined;
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) {
    throw malformed('the length of an item is not a whole number');
  }
  return length;
}

/** Bytes that arrive in chunks, up to a limit; beyond it nothing is collected. */
class Collected {
  #parts: Uint8Array[] = [];
  #size = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.isOver) this.#parts = [];
    else this.#parts.push(bytes);
  }

  get isOver(): boolean {
    return this.#size > this.#most;
  }

  get bytes(): Uint8Array {
    return this.#parts.length === 1 && this.#parts[0] ? this.#parts[0] : Buffer.concat(this.#parts);
  }
}

/**
 * Reads an envelope that arrives in chunks: a header line, then items with a header line and a payload each. Skipped payloads
 * are never in memory as a whole.
 */
export class EnvelopeReader {
  /** The envelope header, once it was read. */
  header: Fields | undefined;
  /** True if items beyond the limit were skipped. */
  isCut = false;
  readonly #options: EnvelopeReaderOptions;
  #state: 'line' | 'sized' | 'unsized' | 'separator' | 'rest' = 'line';
  #line = new Collected(MAX_HEADER);
  #item: { type: string; header: Fields; collected: Collected | undefined } | undefined;
  #remaining = 0;
  #count = 0;
  #emptyLines = 0;

  constructor(options: EnvelopeReaderOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && this.#state !== 'rest'; ) at = this.#read(chunk, at);
  }

  /** Throws if the envelope is incomplete. */
  end(): void {
    if (this.#state === 'line' && !this.#line.isOver && this.#line.bytes.length > 0) this.#endLine();
    // The last payload may end with the envelope.
    if (this.#state === 'unsized') this.#endItem();
    if (this.#state === 'sized') {
      if (this.#remaining > 0) throw malformed(`an item has ${this.#remaining} bytes less than its length says`);
      this.#endItem();
    }
    if (!this.header) throw malformed('it has no header');
  }

  #read(chunk: Uint8Array, from: number): number {
    if (this.#state === 'sized') {
      const to = Math.min(chunk.length, from + this.#remaining);
      this.#item?.collected?.add(chunk.subarray(from, to));
      this.#remaining -= to - from;
      if (this.#remaining === 0) this.#endItem();
      return to;
    }
    if (this.#state === 'separator') {
      if (chunk[from] !== NEWLINE) throw malformed('an item is longer than its length says');
      this.#state = 'line';
      return from + 1;
    }
    const newline = chunk.indexOf(NEWLINE, from);
    const to = newline < 0 ? chunk.length : newline;
    const part = chunk.subarray(from, to);
    if (this.#state === 'unsized') {
      this.#item?.collected?.add(part);
      if (newline >= 0) {
        this.#endItem();
        this.#state = 'line';
      }
    } else {
      this.#line.add(part);
      if (this.#line.isOver) throw malformed(`a header has more than ${MAX_HEADER} bytes`);
      if (newline >= 0) this.#endLine();
    }
    return newline < 0 ? to : to + 1;
  }

  #endLine(): void {
    const { bytes } = this.#line;
    this.#line = new Collected(MAX_HEADER);
    if (!this.header) {
      this.header = parseHeader(bytes, 'its header');
      return;
    }
    if (bytes.length === 0) {
      this.#emptyLines += 1;
      // A small body could inflate to millions of lines, and each takes time.
      if (this.#emptyLines > MAX_EMPTY_LINES) throw malformed(`it has more than ${MAX_EMPTY_LINES} empty lines`);
      return;
    }
    const header = parseHeader(bytes, 'the header of an item');
    const { type } = header;
    if (typeof type !== 'string') throw malformed('an item has no type');
    this.#count += 1;
    if (this.#count > this.#options.maxItems) {
      this.isCut = true;
      this.#state = 'rest';
      return;
    }
    const length = readLength(header);
    const most = this.#options.getMaxBytes(type, header);
    const isStored = most > 0 && (length ?? 0) <= most;
    this.#item = { type, header, collected: isStored ? new Collected(most) : undefined };
    this.#remaining = length ?? 0;
    this.#state = length === undefined ? 'unsized' : 'sized';
    if (length === 0) this.#endItem();
  }

  #endItem(): void {
    if (!this.#item) return;
    const { type, header, collected } = this.#item;
    this.#item = undefined;
    this.#state = 'separator';
    this.#options.onItem({ type, header, payload: collected && !collected.isOver ? collected.bytes : undefined });
  }
}
