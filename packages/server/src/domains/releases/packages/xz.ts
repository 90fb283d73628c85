import { Unreadable } from '../../../workers/unreadable.ts';

const damaged = () => new Unreadable('The xz data in the package is damaged.');

/** Bits of the LZMA range coder: each bit is decoded with a probability, which it then adapts. */
class Bits {
  readonly #bytes: Buffer;
  #at: number;
  #range = 0xffffffff;
  #code = 0;

  constructor(bytes: Buffer) {
    if (bytes.length < 5) throw damaged();
    this.#bytes = bytes;
    this.#code = bytes.readUInt32BE(1);
    this.#at = 5;
  }

  #normalize(): void {
    if (this.#range >= 0x1000000) return;
    const next = this.#bytes[this.#at];
    if (next === undefined) throw damaged();
    this.#at += 1;
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | next) >>> 0;
  }

  bit(chances: Uint16Array, index: number): number {
    this.#normalize();
    const chance = chances[index] ?? 0;
    const bound = (this.#range >>> 11) * chance;
    if (this.#code < bound) {
      this.#range = bound;
      chances[index] = chance + ((2048 - chance) >> 5);
      return 0;
    }
    this.#range -= bound;
    this.#code -= bound;
    chances[index] = chance - (chance >> 5);
    return 1;
  }

  /** Bits with equal probability. */
  direct(count: number): number {
    let value = 0;
    for (let number = 0; number < count; number += 1) {
      this.#normalize();
      this.#range >>>= 1;
      const isSet = this.#code >= this.#range;
      if (isSet) this.#code -= this.#range;
      value = value * 2 + (isSet ? 1 : 0);
    }
    return value;
  }

  tree(chances: Uint16Array, from: number, count: number): number {
    let node = 1;
    for (let number = 0; number < count; number += 1) node = (node << 1) | this.bit(chances, from + node);
    return node - (1 << count);
  }

  reverseTree(chances: Uint16Array, from: number, count: number): number {
    let [node, value] = [1, 0];
    for (let number = 0; number < count; number += 1) {
      const bit = this.bit(chances, from + node);
      node = (node << 1) | bit;
      value |= bit << number;
    }
    return value;
  }
}

const even = (count: number) => new Uint16Array(count).fill(1024);
/** Two choices, then eight short and eight medium lengths for each of 16 positions, and 256 long ones. */
const LENGTHS = 2 + 128 + 128 + 256;

function readLength(bits: Bits, chances: Uint16Array, place: number): number {
  if (bits.bit(chances, 0) === 0) return bits.tree(chances, 2 + place * 8, 3);
  if (bits.bit(chances, 1) === 0) return 8 + bits.tree(chances, 130 + place * 8, 3);
  return 16 + bits.tree(chances, 258, 8);
}

/** Initial probabilities; the data can request a reset. */
const freshChances = (literals: number) => ({
  literal: even(0x300 << literals),
  isMatch: even(192),
  isRepeat: even(12),
  isOlder: even(12),
  isOlderStill: even(12),
  isOldest: even(12),
  isLong: even(192),
  slot: even(4 * 64),
  distance: even(128),
  align: even(16),
  length: even(LENGTHS),
  repeatLength: even(LENGTHS),
});

/** LZMA2 in xz: compressed or plain chunks, each with its size. */
class Lzma2 {
  out = Buffer.alloc(64 * 1024);
  length = 0;
  readonly #most: number;
  #start = 0;
  #lc = 0;
  #lp = 0;
  #pb = 0;
  #chances = freshChances(0);
  #state = 0;
  #distances = [0, 0, 0, 0];

  constructor(most: number) {
    this.#most = most;
  }

  #grow(size: number): void {
    if (this.length + size > this.#most)
      throw new Unreadable(`The xz data in the package expands to more than ${this.#most} bytes.`);
    if (this.length + size <= this.out.length) return;
    const larger = Buffer.alloc(Math.max(this.out.length * 2, this.length + size));
    this.out.copy(larger, 0, 0, this.length);
    this.out = larger;
  }

  /** Reads from an offset to the end of the last chunk. */
  read(bytes: Buffer, from: number): number {
    for (let at = from; ; ) {
      const control = bytes.readUInt8(at);
      if (control === 0) return at + 1;
      if (control < 0x80) {
        if (control > 2) throw damaged();
        const size = bytes.readUInt16BE(at + 1) + 1;
        const plain = bytes.subarray(at + 3, at + 3 + size);
        if (plain.length < size) throw damaged();
        this.#grow(size);
        if (control === 1) this.#start = this.length;
        plain.copy(this.out, this.length);
        this.length += size;
        at += 3 + size;
      } else {
        const size = (((control & 0x1f) << 16) | bytes.readUInt16BE(at + 1)) + 1;
        const packed = bytes.readUInt16BE(at + 3) + 1;
        const reset = (control >> 5) & 3;
        this.#grow(size);
        if (reset === 3) this.#start = this.length;
        const body = at + (reset >= 2 ? 6 : 5);
        if (reset >= 2) this.#setProperties(bytes.readUInt8(at + 5));
        if (reset >= 1) this.#reset();
        this.#unpack(new Bits(bytes.subarray(body, body + packed)), this.length + size);
        at = body + packed;
      }
    }
  }

  #setProperties(value: number): void {
    this.#lc = value % 9;
    this.#lp = Math.floor(value / 9) % 5;
    this.#pb = Math.floor(value / 45);
    if (this.#pb > 4 || this.#lc + this.#lp > 4) throw damaged();
  }

  #reset(): void {
    this.#chances = freshChances(this.#lc + this.#lp);
    this.#state = 0;
    this.#distances = [0, 0, 0, 0];
  }

  #back(distance: number): number {
    if (distance >= this.length - this.#start) throw damaged();
    return this.out[this.length - distance - 1] ?? 0;
  }

  #unpack(bits: Bits, end: number): void {
    const chances = this.#chances;
    while (this.length < end) {
      const place = (this.length - this.#start) & ((1 << this.#pb) - 1);
      const state = this.#state;
      if (bits.bit(chances.isMatch, state * 16 + place) === 0) this.#literal(bits);
      else if (bits.bit(chances.isRepeat, state) === 0) {
        const length = readLength(bits, chances.length, place);
        this.#distances = [this.#readDistance(bits, length), ...this.#distances.slice(0, 3)];
        this.#state = state < 7 ? 7 : 10;
        this.#copy(length + 2, end);
      } else if (this.#isShort(bits, place)) {
        this.#state = state < 7 ? 9 : 11;
        this.#copy(1, end);
      } else {
        const length = readLength(bits, chances.repeatLength, place);
        this.#state = state < 7 ? 8 : 11;
        this.#copy(length + 2, end);
      }
    }
  }

  /** Selects one of the last distances; returns whether it is a single byte. */
  #isShort(bits: Bits, place: number): boolean {
    const { isOlder, isOlderStill, isOldest, isLong } = this.#chances;
    const state = this.#state;
    if (bits.bit(isOlder, state) === 0) return bits.bit(isLong, state * 16 + place) === 0;
    const which = bits.bit(isOlderStill, state) === 0 ? 1 : 2 + bits.bit(isOldest, state);
    const [chosen = 0] = this.#distances.splice(which, 1);
    this.#distances.unshift(chosen);
    return false;
  }

  #literal(bits: Bits): void {
    const { literal } = this.#chances;
    const at = this.length - this.#start;
    const before = at === 0 ? 0 : (this.out[this.length - 1] ?? 0);
    const from = (((at & ((1 << this.#lp) - 1)) << this.#lc) + (before >> (8 - this.#lc))) * 0x300;
    let symbol = 1;
    if (this.#state >= 7) {
      let match = this.#back(this.#distances[0] ?? 0);
      while (symbol < 0x100) {
        const expected = (match >> 7) & 1;
        match <<= 1;
        const bit = bits.bit(literal, from + ((1 + expected) << 8) + symbol);
        symbol = (symbol << 1) | bit;
        if (bit !== expected) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | bits.bit(literal, from + symbol);
    this.out[this.length] = symbol & 0xff;
    this.length += 1;
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
  }

  #readDistance(bits: Bits, length: number): number {
    const slot = bits.tree(this.#chances.slot, Math.min(length, 3) * 64, 6);
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1;
    const start = (2 | (slot & 1)) * 2 ** count;
    if (slot < 14) return start + bits.reverseTree(this.#chances.distance, start - slot, count);
    return start + bits.direct(count - 4) * 16 + bits.reverseTree(this.#chances.align, 0, 4);
  }

  #copy(count: number, end: number): void {
    const [distance = 0] = this.#distances;
    if (this.length + count > end) throw damaged();
    for (let number = 0; number < count; number += 1) {
      this.out[this.length] = this.#back(distance);
      this.length += 1;
    }
  }
}

const MAGIC = Buffer.from('fd377a585a00', 'hex');
const HAS_SIZES = 0xc0;
const ONE_FILTER = 0x3f;
const LZMA2 = 0x21;

/** Decompresses the first block of an xz file, up to a limit; does not verify checksums. */
export function unxz(bytes: Buffer, most: number): Buffer {
  if (!bytes.subarray(0, 6).equals(MAGIC)) throw damaged();
  const header = 12;
  const headerSize = (bytes.readUInt8(header) + 1) * 4;
  const flags = bytes.readUInt8(header + 1);
  let at = header + 2;
  // Both sizes are optional, as variable-length integers.
  for (const size of [0x40, 0x80]) {
    if (!(flags & HAS_SIZES & size)) continue;
    while (bytes.readUInt8(at) & 0x80) at += 1;
    at += 1;
  }
  if (headerSize === 4 || flags & ONE_FILTER || bytes.readUInt8(at) !== LZMA2) throw damaged();
  const reader = new Lzma2(most);
  reader.read(bytes, header + headerSize);
  return reader.out.subarray(0, reader.length);
}
