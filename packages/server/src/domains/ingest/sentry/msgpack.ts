import { isObject } from './envelope-reader.ts';
import { type Fields, toText } from './sentry-values.ts';

const MAX_DEPTH = 64;
const MAX_VALUES = 50_000;

class Unreadable extends Error {}

/** Reads MessagePack: native code saves its event in this format while the app crashes. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  #take(size: number): Buffer {
    const part = this.#bytes.subarray(this.#at, this.#at + size);
    if (part.length < size) throw new Unreadable('it ends too early');
    this.#at += size;
    return part;
  }

  /** A length or a number of `size` bytes. */
  #unsigned(size: number): number {
    const part = this.#take(size);
    return size === 8 ? Number(part.readBigUInt64BE()) : part.readUIntBE(0, size);
  }

  #list(length: number, depth: number): unknown[] {
    // A short text can declare billions of items at each of its levels, so no memory is reserved for a declared length.
    if (length > MAX_VALUES - this.#values) throw new Unreadable('it has too many values or levels');
    const list: unknown[] = [];
    while (list.length < length) list.push(this.read(depth + 1));
    return list;
  }

  #map(length: number, depth: number): Fields {
    const pairs = this.#list(2 * length, depth);
    return Object.fromEntries(Array.from({ length }, (_, at) => [toText(pairs[2 * at]) ?? '', pairs[2 * at + 1]]));
  }

  #text = (length: number): string => this.#take(length).toString('utf8');

  #skip(size: number): undefined {
    this.#take(size);
  }

  read(depth = 0): unknown {
    this.#values += 1;
    if (depth > MAX_DEPTH || this.#values > MAX_VALUES) throw new Unreadable('it has too many values or levels');
    const type = this.#unsigned(1);
    if (type < 0x80) return type;
    if (type < 0x90) return this.#map(type & 0x0f, depth);
    if (type < 0xa0) return this.#list(type & 0x0f, depth);
    if (type < 0xc0) return this.#text(type & 0x1f);
    if (type >= 0xe0) return type - 0x100;
    switch (type) {
      case 0xc0:
        return null;
      case 0xc2:
      case 0xc3:
        return type === 0xc3;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#skip(this.#unsigned(2 ** (type - 0xc4)));
      case 0xc7:
      case 0xc8:
      case 0xc9:
        return this.#skip(1 + this.#unsigned(2 ** (type - 0xc7)));
      case 0xca:
        return this.#take(4).readFloatBE();
      case 0xcb:
        return this.#take(8).readDoubleBE();
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:
        return this.#unsigned(2 ** (type - 0xcc));
      case 0xd0:
      case 0xd1:
      case 0xd2:
        return this.#take(2 ** (type - 0xd0)).readIntBE(0, 2 ** (type - 0xd0));
      case 0xd3:
        return Number(this.#take(8).readBigInt64BE());
      case 0xd4:
      case 0xd5:
      case 0xd6:
      case 0xd7:
      case 0xd8:
        return this.#skip(1 + 2 ** (type - 0xd4));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(2 ** (type - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#list(this.#unsigned(type === 0xdc ? 2 : 4), depth);
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(type === 0xde ? 2 : 4), depth);
      default:
        throw new Unreadable('it has a byte of no type');
    }
  }
}

/** Reads consecutive objects, up to the first part that cannot be read: a crash may cut the file. */
export function readMsgpack(bytes: Uint8Array): Fields[] {
  const reader = new Reader(bytes);
  const found: Fields[] = [];
  try {
    while (!reader.isAtEnd) {
      const value = reader.read();
      if (isObject(value)) found.push(value);
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
  return found;
}
