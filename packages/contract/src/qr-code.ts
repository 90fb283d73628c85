/**
 * QR codes by ISO/IEC 18004, limited to byte mode, error correction level M and the length of a URL. A code is a list
 * of rows; true is a dark module.
 */
export type QrCode = boolean[][];

/** By version, at level M: error correction codewords per block, and the number of blocks. */
const versions: readonly (readonly [ecc: number, blocks: number])[] = [
  [10, 1],
  [16, 1],
  [26, 1],
  [18, 2],
  [24, 2],
  [16, 4],
  [18, 4],
  [22, 4],
  [22, 5],
  [26, 5],
  [30, 5],
  [22, 8],
  [22, 9],
  [24, 9],
  [24, 10],
  [28, 10],
  [28, 11],
  [26, 13],
  [26, 14],
  [26, 16],
];

const getSize = (version: number): number => 17 + 4 * version;

/** The centers of the alignment patterns, in both directions. */
function listAlignments(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const last = getSize(version) - 7;
  const step = Math.ceil((last - 6) / (count - 1) / 2) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => last - step * (count - 2 - at))];
}

/** The number of codewords of a version: all modules except function patterns and format information. */
function countCodewords(version: number): number {
  const alignments = listAlignments(version).length;
  const squares = alignments === 0 ? 0 : 25 * (alignments ** 2 - 3) - 10 * (alignments - 2);
  const modules = getSize(version) ** 2 - 3 * 64 - 31 - 2 * (getSize(version) - 16) - squares - (version >= 7 ? 36 : 0);
  return Math.floor(modules / 8);
}

const lengthBits = (version: number): number => (version < 10 ? 8 : 16);

// Arithmetic in GF(256), for the error correction.
const powers: number[] = [1];
for (let at = 1; at < 255; at++) {
  const next = (powers[at - 1] ?? 0) << 1;
  powers.push(next > 255 ? next ^ 0x11d : next);
}
const logs = new Map(powers.map((value, at) => [value, at]));
const times = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : (powers[((logs.get(a) ?? 0) + (logs.get(b) ?? 0)) % 255] ?? 0);

function buildGenerator(degree: number): number[] {
  let generator = [1];
  for (let at = 0; at < degree; at++) {
    const root = powers[at] ?? 0;
    generator = [...generator, 0].map((value, n) => value ^ times(root, generator[n - 1] ?? 0));
  }
  return generator.slice(1);
}

/** Computes the Reed-Solomon error correction codewords. */
export function computeErrorCorrection(data: readonly number[], degree: number): number[] {
  const generator = buildGenerator(degree);
  const rest = Array.from({ length: degree }, () => 0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    for (const [at, value] of generator.entries()) rest[at] = (rest[at] ?? 0) ^ times(value, factor);
  }
  return rest;
}

function encodeData(bytes: Uint8Array, version: number, capacity: number): number[] {
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let at = count - 1; at >= 0; at--) bits.push((value >> at) & 1);
  };
  put(0b0100, 4);
  put(bytes.length, lengthBits(version));
  for (const byte of bytes) put(byte, 8);
  put(0, Math.min(4, capacity * 8 - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  const data = Array.from({ length: bits.length / 8 }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8).join(''), 2),
  );
  for (let pad = 0xec; data.length < capacity; pad ^= 0xec ^ 0x11) data.push(pad);
  return data;
}

/** Interleaves the data and error correction codewords of all blocks. */
function codewords(bytes: Uint8Array, version: number): number[] {
  const [ecc, count] = versions[version - 1] ?? [0, 1];
  const all = countCodewords(version);
  const data = encodeData(bytes, version, all - ecc * count);
  const short = Math.floor(all / count) - ecc;
  const long = all % count;
  const blocks = Array.from({ length: count }, (_, at) => {
    const isLong = at >= count - long;
    const from = at * short + Math.max(0, at - (count - long));
    return data.slice(from, from + short + (isLong ? 1 : 0));
  });
  const corrections = blocks.map((block) => computeErrorCorrection(block, ecc));
  const inTurns = (lists: number[][], length: number) =>
    Array.from({ length }, (_, at) => lists.flatMap((list) => (at < list.length ? [list[at] ?? 0] : []))).flat();
  return [...inTurns(blocks, short + 1), ...inTurns(corrections, ecc)];
}

/** The remainder of a polynomial division of bit strings (BCH code of format and version). */
function remainder(value: number, degree: number, generator: number): number {
  let rest = value;
  for (let at = 0; at < degree; at++) rest = (rest << 1) ^ ((rest >> (degree - 1)) * generator);
  return rest;
}

type Cells = (boolean | undefined)[][];

function drawPatterns(version: number): Cells {
  const size = getSize(version);
  const cells: Cells = Array.from({ length: size }, () => Array.from({ length: size }));
  const set = (x: number, y: number, isDark: boolean) => {
    const row = cells[y];
    if (row && x >= 0 && x < size) row[x] = isDark;
  };
  for (let at = 0; at < size; at++) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  const square = (x: number, y: number, radius: number) => {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(x + dx, y + dy, radius === 4 ? ring !== 2 && ring !== 4 : ring !== 1);
      }
    }
  };
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    square(x, y, 4);
  }
  const centres = listAlignments(version);
  for (const x of centres) {
    for (const y of centres) {
      const isCorner = (x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6);
      if (!isCorner) square(x, y, 2);
    }
  }
  if (version >= 7) {
    const mark = (version << 12) | remainder(version, 12, 0x1f25);
    for (let at = 0; at < 18; at++) {
      const isDark = ((mark >> at) & 1) === 1;
      const [a, b] = [size - 11 + (at % 3), Math.floor(at / 3)];
      set(a, b, isDark);
      set(b, a, isDark);
    }
  }
  return cells;
}

function putFormat(cells: Cells, mask: number): void {
  const size = cells.length;
  // Level M is encoded as 0, so the mask is the whole value.
  const bits = ((mask << 10) | remainder(mask, 10, 0x537)) ^ 0x5412;
  const set = (x: number, y: number, at: number) => {
    const row = cells[y];
    if (row) row[x] = ((bits >> at) & 1) === 1;
  };
  for (let at = 0; at < 6; at++) set(8, at, at);
  set(8, 7, 6);
  set(8, 8, 7);
  set(7, 8, 8);
  for (let at = 9; at < 15; at++) set(14 - at, 8, at);
  for (let at = 0; at < 8; at++) set(size - 1 - at, 8, at);
  for (let at = 8; at < 15; at++) set(8, size - 15 + at, at);
  const row = cells[size - 8];
  if (row) row[8] = true;
}

/** The free modules in reading order: two-column zigzags, up and down. */
function* freeCells(cells: Cells): Generator<[x: number, y: number]> {
  const size = cells.length;
  for (let right = size - 1, isUp = true; right >= 1; right -= 2, isUp = !isUp) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (cells[y]?.[x] === undefined) yield [x, y];
    }
  }
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

const finders = ['10111010000', '00001011101'];

/** The penalty score of a mask: long runs, uniform areas, patterns like finders, imbalance of dark and light. */
function computePenalty(code: QrCode): number {
  const size = code.length;
  let penalty = 0;
  let dark = 0;
  for (let at = 0; at < size; at++) {
    const row = Array.from({ length: size }, (_, n) => (code[at]?.[n] ? '1' : '0')).join('');
    const column = Array.from({ length: size }, (_, n) => (code[n]?.[at] ? '1' : '0')).join('');
    for (const line of [row, column]) {
      for (const [run] of line.matchAll(/0{5,200}|1{5,200}/g)) penalty += run.length - 2;
      for (const finder of finders) penalty += 40 * (line.split(finder).length - 1);
    }
    for (let n = 0; n < size; n++) {
      const here = code[at]?.[n];
      if (here) dark += 1;
      const others = [code[at]?.[n + 1], code[at + 1]?.[n], code[at + 1]?.[n + 1]];
      if (others.every((one) => one === here)) penalty += 3;
    }
  }
  return penalty + 10 * Math.floor(Math.abs((dark * 20) / size ** 2 - 10));
}

/** Encodes a text. Throws if it is too long for a code that phones read well; no URL of this server is. */
export function qrCode(text: string): QrCode {
  const bytes = new TextEncoder().encode(text);
  const version = versions.findIndex(([ecc, blocks], at) => {
    const capacity = (countCodewords(at + 1) - ecc * blocks) * 8 - 4 - lengthBits(at + 1);
    return bytes.length * 8 <= capacity;
  });
  if (version < 0) throw new RangeError('The text is too long for a QR code.');
  const data = codewords(bytes, version + 1);
  const blank = drawPatterns(version + 1);
  putFormat(blank, 0);
  const free = [...freeCells(blank)];
  const drawn = masks.map((isMasked, mask): QrCode => {
    const cells = blank.map((row) => [...row]);
    putFormat(cells, mask);
    for (const [at, [x, y]] of free.entries()) {
      const bit = (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1) === 1;
      const row = cells[y];
      if (row) row[x] = bit !== isMasked(x, y);
    }
    return cells.map((row) => row.map((cell) => cell === true));
  });
  const scored = drawn.map((code) => ({ code, penalty: computePenalty(code) }));
  return scored.reduce((best, one) => (one.penalty < best.penalty ? one : best)).code;
}

/** An SVG path with one unit per module, and the quiet zone of four modules that scanners need. */
export const qrPath = (code: QrCode): { path: string; size: number } => ({
  size: code.length + 8,
  path: code.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x + 4} ${y + 4}h1v1h-1z`] : []))).join(''),
});
