import { qrCode } from '@mooring/contract';
import { pngOf } from '../../../kernel/png.ts';

const MARGIN = 4;

/** The code of an address, one pixel each module: mail programs show no other drawings. */
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
  // One bit of grey, and nothing else that is unusual.
  header[8] = 1;
  return pngOf(header, lines);
}
