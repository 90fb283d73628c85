/** Reads the chunks of a PNG, in their order. */
export function readChunks(bytes: Buffer): { type: string; data: Buffer }[] {
  const chunks = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

const paeth = (left: number, up: number, corner: number): number => {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
};

/** Reverses the filter of each row, in place. */
export function unfilter(lines: Buffer, stride: number, pixel: number): void {
  for (let at = 0; at + stride < lines.length + 1 && at < lines.length; at += stride + 1) {
    const filter = lines[at] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const place = at + 1 + x;
      const left = x >= pixel ? (lines[place - pixel] ?? 0) : 0;
      const up = at > 0 ? (lines[place - stride - 1] ?? 0) : 0;
      const corner = at > 0 && x >= pixel ? (lines[place - stride - 1 - pixel] ?? 0) : 0;
      const add = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      lines[place] = ((lines[place] ?? 0) + add) & 0xff;
    }
    lines[at] = 0;
  }
}
