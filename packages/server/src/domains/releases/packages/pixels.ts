import { inflateSync } from 'node:zlib';
import { createPng, PNG_SIGNATURE } from '../../../kernel/files/png.ts';
import { readChunks, unfilter } from './png-chunks.ts';

/** Red, green, blue and alpha of each pixel, row by row. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Buffer;
}

/** Icons have a few hundred pixels per side; anything larger is not an icon, or is a bomb. */
const MAX_PIXELS = 1024 * 1024;
/** Bytes per pixel, by color type. */
const channels: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Reads a PNG with 8 bits, not interlaced, as Android's tools write icons; undefined for any other. */
export function readPixels(bytes: Buffer): Pixels | undefined {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return undefined;
  const chunks = readChunks(bytes);
  const findChunk = (requestedType: string) => chunks.find(({ type }) => type === requestedType)?.data;
  const header = findChunk('IHDR');
  if (!header || header.length < 13 || header[8] !== 8 || header[12] !== 0) return undefined;
  const [width, height, kind = 0] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9]];
  const size = channels[kind];
  if (size === undefined || width === 0 || height === 0 || width * height > MAX_PIXELS) return undefined;
  const stride = width * size;
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  let lines: Buffer;
  try {
    lines = inflateSync(packed, { maxOutputLength: (stride + 1) * height });
  } catch {
    return undefined;
  }
  if (lines.length < (stride + 1) * height) return undefined;
  unfilter(lines, stride, size);
  const [palette, opacity] = [findChunk('PLTE') ?? Buffer.alloc(0), findChunk('tRNS') ?? Buffer.alloc(0)];
  const rgba = Buffer.alloc(width * height * 4);
  for (let dot = 0; dot < width * height; dot += 1) {
    const from = Math.floor(dot / width) * (stride + 1) + 1 + (dot % width) * size;
    const [a = 0, b = 0, c = 0, d = 0] = lines.subarray(from, from + size);
    const at = dot * 4;
    if (kind === 3) {
      palette.copy(rgba, at, a * 3, a * 3 + 3);
      rgba[at + 3] = opacity[a] ?? 255;
    } else if (size <= 2) rgba.set([a, a, a, size === 2 ? b : 255], at);
    else rgba.set([a, b, c, size === 4 ? d : 255], at);
  }
  return { width, height, rgba };
}

/** A launcher shows the center of an adaptive icon: 72 of 108. */
const VISIBLE_SHARE = 72 / 108;

/** Renders an adaptive icon like a launcher: foreground over background, cropped to the center. */
export function flatten(front: Pixels, back: Pixels | { color: number }): Buffer {
  const width = Math.max(1, Math.round(front.width * VISIBLE_SHARE));
  const height = Math.max(1, Math.round(front.height * VISIBLE_SHARE));
  const [left, top] = [(front.width - width) >> 1, (front.height - height) >> 1];
  const lines = Buffer.alloc((width * 4 + 1) * height);
  const behind = (x: number, y: number): number[] => {
    if ('color' in back) {
      const { color } = back;
      return [(color >>> 16) & 0xff, (color >>> 8) & 0xff, color & 0xff, color >>> 24];
    }
    const at =
      (Math.floor((y * back.height) / front.height) * back.width + Math.floor((x * back.width) / front.width)) * 4;
    return [...back.rgba.subarray(at, at + 4)];
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = ((y + top) * front.width + x + left) * 4;
      const over = front.rgba.subarray(from, from + 4);
      const under = behind(x + left, y + top);
      const [alpha, rest] = [(over[3] ?? 0) / 255, (under[3] ?? 0) / 255];
      const all = alpha + rest * (1 - alpha);
      const at = y * (width * 4 + 1) + 1 + x * 4;
      for (let part = 0; part < 3; part += 1) {
        const mixed = (over[part] ?? 0) * alpha + (under[part] ?? 0) * rest * (1 - alpha);
        lines[at + part] = all === 0 ? 0 : Math.round(mixed / all);
      }
      lines[at + 3] = Math.round(all * 255);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return createPng(header, lines);
}
