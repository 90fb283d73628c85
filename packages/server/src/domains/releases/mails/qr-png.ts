import { qrCode } from '@mooring/contract';
import { createPng } from '../../../kernel/files/png.ts';

const MARGIN = 4;

/** QR code of a URL with one pixel per module: email programs show no SVG. */
export function qrPng(address: string): Buffer {
  const code = qrCode(address);
  const size = code.length + 2 * MARGIN;
  const stride = Math.ceil(size / 8);
  const lines = Buffer.alloc((stride + 1) * size, 0xff);
  for (let y = 0; y < size; y += 1) lines[y * (stride + 1)] = 0;
  for (const [y, row] of code.entries())
    for (const [x, isDark] of row.entries()) {
      if (!isDark) continue;
      const at = (y + MARGIN) * (stride + 1) + 1 + ((x + MARGIN) >> 3);
      lines[at] = (lines[at] ?? 0) & ~(0x80 >> ((x + MARGIN) & 7));
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // One bit of gray, and otherwise default values.
  header[8] = 1;
  return createPng(header, lines);
}
