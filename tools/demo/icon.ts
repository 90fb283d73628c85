import { png } from '../samples/images.ts';

const SIZE = 120;

/** A sea under a sky, in colors derived from the app's name. */
export function drawIcon(name: string): Buffer {
  const hue = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0) * 29, 0) % 360;
  const sky = colour(hue, 0.55);
  const sea = colour(hue, 0.35);
  const sun = colour((hue + 50) % 360, 0.8);
  const row = 1 + SIZE * 3;
  const pixels = Buffer.alloc(row * SIZE);
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      const wave = SIZE * 0.62 + 6 * Math.sin(x / 9);
      const isSun = Math.hypot(x - SIZE * 0.64, y - SIZE * 0.36) < SIZE * 0.15;
      pixels.set(y > wave ? sea : isSun ? sun : sky, y * row + 1 + x * 3);
    }
  }
  return png(SIZE, SIZE, pixels, 'colour');
}

function colour(hue: number, lightness: number): number[] {
  const strength = 0.6 * Math.min(lightness, 1 - lightness);
  const part = (offset: number): number => {
    const at = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - strength * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [part(0), part(8), part(4)];
}
