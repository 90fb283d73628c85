import { png } from '../samples/images.ts';

const WIDTH = 108;
const HEIGHT = 234;

/** A screen of the app on a phone: a header, some cards, and a button that moves in each step. */
export function drawScreen(step: string, device: number): Buffer {
  const seed = [...step].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);
  const row = 1 + WIDTH * 3;
  const pixels = Buffer.alloc(row * HEIGHT, 246);
  const paint = (x: number, y: number, width: number, height: number, colour: number[]) => {
    for (let down = y; down < y + height; down += 1)
      for (let right = x; right < x + width; right += 1) pixels.set(colour, down * row + 1 + right * 3);
  };
  for (let y = 0; y < HEIGHT; y += 1) pixels[y * row] = 0;
  paint(0, 0, WIDTH, 12, [22, 50, 79]);
  paint(0, 12, WIDTH, 22, [15 + device * 12, 98, 140]);
  for (let card = 0; card < 4; card += 1) {
    const height = 24 + ((seed >> card) % 3) * 6;
    paint(8, 44 + card * 40, WIDTH - 16, height, [255, 255, 255]);
    paint(14, 50 + card * 40, 24 + ((seed >> (card + 2)) % 5) * 9, 5, [90, 105, 120]);
    paint(14, 59 + card * 40, 60, 3, [190, 198, 206]);
  }
  paint(14 + (seed % 3) * 8, 208, 64, 16, [235, 122, 52]);
  return png(WIDTH, HEIGHT, pixels, 'colour');
}
