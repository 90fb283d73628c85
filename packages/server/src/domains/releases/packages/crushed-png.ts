import { inflateRawSync } from 'node:zlib';
import { PNG_SIGNATURE, pngOf } from '../../../kernel/png.ts';
import { chunksOf, unfilter } from './png-chunks.ts';

/** Of an icon of 2048 dots a side. */
const MOST_BYTES = 16 * 1024 * 1024 + 2048;

/**
 * Apple's tools leave PNGs that nobody else can read: colours in another order, multiplied with their opacity, without the
 * header of zlib. This makes a plain one of such; any other comes back as it is.
 */
export function plainPng(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return bytes;
  const chunks = chunksOf(bytes);
  if (chunks[0]?.type !== 'CgBI') return bytes;
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  // Eight bits of red, green, blue and opacity are all that those tools write.
  if (!header || header.length < 13 || header[8] !== 8 || header[9] !== 6 || header[12] !== 0) return bytes;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const stride = width * 4;
  if ((stride + 1) * height > MOST_BYTES) return bytes;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  let lines: Buffer;
  try {
    lines = inflateRawSync(packed, { maxOutputLength: MOST_BYTES });
  } catch {
    // The app is sound without its icon.
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
  return pngOf(header, lines);
}
