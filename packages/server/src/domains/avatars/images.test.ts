import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gif, jpeg, png, webp } from '../../../../../tools/samples/images.ts';
import { readImage } from './images.ts';

test.each([
  ['png', png(3, 200)],
  ['gif', gif(3, 200)],
  ['gif', gif(3, 200, '87a')],
  ['jpg', jpeg(3, 200)],
  ['jpg', jpeg(3, 200, 0xc2)],
  ['webp', webp.lossy(3, 200)],
  ['webp', webp.lossless(3, 200)],
  ['webp', webp.extended(3, 200)],
])('recognizes a %s with its size (%#)', (kind, bytes) => {
  expect(readImage(bytes)).toEqual({ kind, width: 3, height: 200 });
});

test('reads the maximum sizes of each type', () => {
  expect(readImage(webp.lossless(16_384, 16_384))).toMatchObject({ width: 16_384, height: 16_384 });
  expect(readImage(webp.extended(16_777_216, 1))).toMatchObject({ width: 16_777_216, height: 1 });
  expect(readImage(jpeg(65_535, 1))).toMatchObject({ width: 65_535, height: 1 });
});

test.each([
  ['nothing', ''],
  ['text', 'hello'],
  ['HTML', '<!doctype html><script>alert(1)</script>'],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script/></svg>'],
  ['a PDF', '%PDF-1.7'],
  ['a BMP', 'BM\x46\0\0\0'],
  ['a PNG without its size', png(1, 1).subarray(0, 20)],
  ['a PNG that begins with something else', Buffer.concat([png(1, 1).subarray(0, 8), Buffer.alloc(40)])],
  ['a PNG without width', png(0, 5)],
  ['a GIF without height', gif(5, 0)],
  ['a JPEG without a frame', jpeg(1, 1).subarray(0, 8)],
  ['a JPEG whose first frame is a table', jpeg(1, 1, 0xc4)],
  ['a WebP of an unknown form', Buffer.from('RIFF\x10\0\0\0WEBPVP9 \0\0\0\0')],
  ['sound', Buffer.from('RIFF\x10\0\0\0WAVEfmt ')],
])('rejects %s', (_what, bytes) => {
  expect(readImage(Buffer.from(bytes as string))).toBeUndefined();
});

test('never throws on malformed bytes', () => {
  const starts = [png(1, 1), gif(1, 1), jpeg(1, 1), webp.lossy(1, 1), webp.lossless(1, 1), webp.extended(1, 1)];
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.nat(40), fc.uint8Array({ maxLength: 60 }), (start, cut, rest) => {
      const image = readImage(Buffer.concat([start.subarray(0, cut), rest]));
      if (image) expect(Math.min(image.width, image.height)).toBeGreaterThan(0);
    }),
  );
});
