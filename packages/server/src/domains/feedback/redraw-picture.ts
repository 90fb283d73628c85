import sharp from 'sharp';
import { Unreadable } from '../../workers/unreadable.ts';

/** Of the picture as it was sent: phones have cameras of up to 50 megapixels. */
export const MAX_PIXELS = 60_000_000;
/** The longer side of the new picture. */
const MAX_SIDE = 2560;

export interface Redrawn {
  type: 'image/png' | 'image/jpeg';
  bytes: Uint8Array;
  width: number;
  height: number;
}

// Only the readers of these four formats exist in this process: none for SVG, PDF or other formats that can do more than show.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
});
sharp.cache(false);
sharp.concurrency(1);

/**
 * Draws a picture again: upright, in sRGB, without metadata, and no larger than a screen needs. Nothing of the sent bytes remains. Runs in a
 * separate process, because pictures come from anyone.
 */
export default async ({ bytes }: { bytes: Uint8Array }): Promise<Redrawn> => {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'truncated', animated: false });
    const { format } = await image.metadata();
    const upright = image
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .toColorspace('srgb');
    // Screenshots stay sharp as PNG; photos would be many times larger.
    const isJpeg = format === 'jpeg';
    const encoded = isJpeg ? upright.jpeg({ quality: 85 }) : upright.png({ compressionLevel: 8 });
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
    return { type: isJpeg ? 'image/jpeg' : 'image/png', bytes: data, width: info.width, height: info.height };
  } catch (error) {
    const { message } = error as Error;
    if (/pixel limit/i.test(message)) throw new Unreadable(`The picture has more than ${MAX_PIXELS} pixels.`);
    throw new Unreadable('The picture is damaged, or not a PNG, JPEG, GIF or WebP.');
  }
};
