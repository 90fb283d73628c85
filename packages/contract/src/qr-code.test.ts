import { describe, expect, it } from 'vitest';
import { computeErrorCorrection, type QrCode, qrCode, qrPath } from './qr-code.ts';

/** The standard's table for level M: total codewords, blocks, and error correction codewords per block. */
const published: Record<number, [all: number, blocks: number, ecc: number]> = {
  1: [26, 1, 10],
  2: [44, 1, 16],
  3: [70, 1, 26],
  4: [100, 2, 18],
  5: [134, 2, 24],
  6: [172, 4, 16],
  7: [196, 4, 18],
  8: [242, 4, 22],
  9: [292, 5, 22],
  10: [346, 5, 26],
  11: [404, 5, 30],
  14: [581, 9, 24],
  20: [1085, 16, 26],
};

/** The format information of level M, by mask, as in the standard's table. */
const formats = [
  0b101010000010010, 0b101000100100101, 0b101111001111100, 0b101101101001011, 0b100010111111001, 0b100000011001110,
  0b100111110010111, 0b100101010100000,
];
const masks = [
  (row: number, column: number) => (row + column) % 2 === 0,
  (row: number) => row % 2 === 0,
  (_: number, column: number) => column % 3 === 0,
  (row: number, column: number) => (row + column) % 3 === 0,
  (row: number, column: number) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row: number, column: number) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row: number, column: number) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row: number, column: number) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

const centres: Record<number, number[]> = {
  1: [],
  2: [6, 18],
  3: [6, 22],
  4: [6, 26],
  5: [6, 30],
  6: [6, 34],
  7: [6, 22, 38],
  8: [6, 24, 42],
  9: [6, 26, 46],
  10: [6, 28, 50],
  11: [6, 30, 54],
  14: [6, 26, 46, 66],
  20: [6, 34, 62, 90],
};

/** Reads a code as a scanner does. Written from the standard, independently of the encoder. */
function read(code: QrCode): string {
  const size = code.length;
  const version = (size - 17) / 4;
  const isDark = (row: number, column: number) => code[row]?.[column] === true;
  const cells: [number, number][] = [];
  for (let column = 0; column <= 5; column++) cells.push([8, column]);
  cells.push([8, 7], [8, 8], [7, 8]);
  for (let row = 5; row >= 0; row--) cells.push([row, 8]);
  const format = Number.parseInt(cells.map(([row, column]) => (isDark(row, column) ? '1' : '0')).join(''), 2);
  const mask = formats.indexOf(format);
  const isMasked = masks[mask];
  const [all, blocks, ecc] = published[version] ?? [0, 0, 0];
  if (!isMasked || all === 0) throw new Error(`version ${version}, format ${format.toString(2)}`);
  const at = centres[version] ?? [];
  const isMark = (row: number, column: number): boolean => {
    const inCorner = (row < 9 && column < 9) || (row < 9 && column >= size - 8) || (row >= size - 8 && column < 9);
    const inVersion =
      version >= 7 &&
      ((row < 6 && column >= size - 11 && column < size - 8) || (column < 6 && row >= size - 11 && row < size - 8));
    const inSquare = at.some((y) =>
      at.some((x) => {
        const isFinder = (y === 6 && x === 6) || (y === 6 && x === at.at(-1)) || (y === at.at(-1) && x === 6);
        return !isFinder && Math.abs(row - y) <= 2 && Math.abs(column - x) <= 2;
      }),
    );
    return inCorner || inVersion || inSquare || row === 6 || column === 6;
  };
  const bits: string[] = [];
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let step = 0; step < size; step++) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (!isMark(row, column)) bits.push(isDark(row, column) !== isMasked(row, column) ? '1' : '0');
      }
    }
    isUp = !isUp;
  }
  const codewords = Array.from({ length: all }, (_, n) => Number.parseInt(bits.slice(n * 8, n * 8 + 8).join(''), 2));
  const dataCodewords = all - blocks * ecc;
  const short = Math.floor(dataCodewords / blocks);
  const parts = Array.from({ length: blocks }, (_, n) => ({
    data: [] as number[],
    length: n < blocks - (dataCodewords % blocks) ? short : short + 1,
    ecc: [] as number[],
  }));
  let next = 0;
  for (let n = 0; n <= short; n++)
    for (const part of parts) if (n < part.length) part.data.push(codewords[next++] ?? -1);
  for (let n = 0; n < ecc; n++) for (const part of parts) part.ecc.push(codewords[next++] ?? -1);
  for (const part of parts) expect(part.ecc).toEqual(computeErrorCorrection(part.data, ecc));
  const data = parts
    .flatMap((part) => part.data)
    .map((codeword) => codeword.toString(2).padStart(8, '0'))
    .join('');
  expect(data.slice(0, 4)).toBe('0100');
  const head = version < 10 ? 12 : 20;
  const length = Number.parseInt(data.slice(4, head), 2);
  const bytes = Uint8Array.from({ length }, (_, n) => Number.parseInt(data.slice(head + n * 8, head + n * 8 + 8), 2));
  return new TextDecoder().decode(bytes);
}

describe('A QR code', () => {
  it("has the error correction of the standard's example", () => {
    const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
    expect(computeErrorCorrection(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
  });

  it.each([
    ['short', 'hi'],
    ['an address', 'https://mooring.example/install/orgs/saltmarsh/apps/ferry/distribution_groups/Beta'],
    ['other letters', 'https://mooring.example/install/users/zoë/apps/日本'],
    ['the most of version 7', 'a'.repeat(122)],
    ['two bytes of length', 'b'.repeat(200)],
    ['long', 'c'.repeat(360)],
    ['the most', 'd'.repeat(666)],
  ])('can be decoded: %s', (_, text) => {
    expect(read(qrCode(text))).toBe(text);
  });

  it('has finder patterns and timing patterns', () => {
    const code = qrCode('hi');
    const corner = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];
    const part = (top: number, left: number) =>
      corner.map((_, y) => corner.map((__, x) => (code[top + y]?.[left + x] ? '1' : '0')).join(''));
    expect([part(0, 0), part(0, 14), part(14, 0)]).toEqual([corner, corner, corner]);
    expect(code[6]?.slice(7, 14)).toEqual([false, true, false, true, false, true, false]);
  });

  it('throws if the text is too long for any code', () => {
    expect(() => qrCode('x'.repeat(667))).toThrow(RangeError);
  });

  it('is drawn with the quiet zone that scanners need', () => {
    const { size, path } = qrPath(qrCode('hi'));
    expect(size).toBe(29);
    expect(path.startsWith('M4 4h1v1h-1z')).toBe(true);
  });
});
