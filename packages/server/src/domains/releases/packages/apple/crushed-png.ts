import { inflateRawSync } from 'node:zlib';
import { createPng, PNG_SIGNATURE } from '../../../../kernel/files/png.ts';
import { readChunks, unfilter } from '../png-chunks.ts';

/** Size of an icon of 2048 × 2048 pixels. */
const MAX_BYTES = 16 * 1024 * 1024 + 2048;

/**
 * Converts a PNG from Apple's tools, which swap color channels, premultiply alpha and omit the zlib header, into a standard
 * one. Returns any other image unchanged.
 */
export function plainPng(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return bytes;
  const chunks = readChunks(bytes);
  if (chunks[0]?.type !== 'CgBI') return bytes;
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  // Apple's tools only write 8-bit RGBA.
  if (!header || header.length < 13 || header[8] !== 8 || header[9] !== 6 || header[12] !== 0) return bytes;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const stride = width * 4;
  if ((stride + 1) * height > MAX_BYTES) return bytes;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  let lines: Buffer;
  try {
    lines = inflateRawSync(packed, { maxOutputLength: MAX_BYTES });
  } catch {
    // The icon is optional.
    return bytes;
  }
  unfilter(lines, stride, 4);
  for (let y = 0; y < height; y += 1) {
    for (let at = y * (stride + 1) + 1; at < (y + 1) * (stride + 1); at += 4) {
      const [blue = 0, green = 0, red = 0, alpha = 0] = lines.subarray(at, at + 4);
      const whole = (value: number) => (alpha === 0 ? 0 : Math.min(255, Math.round((value * 255) / alpha)));
      lines[at] = whole(red);
      lines[at + 1] = whole(green);
      lines[at + 2] = whole(blue);
    }
  }
  return createPng(header, lines);
}
