import { encodeFrames } from './encoding.ts';
import { keepFrames } from './frames.ts';

// Runs in the sandbox of the suite: what it hears from a browser is what the suite wants it to hear.
const [, , what, folder = '', width = '', height = '', ...rest] = process.argv;
const screen = { width: Number(width), height: Number(height) };
if (what === 'keep') await keepFrames(Number(rest[0]), folder, screen);
else {
  const [until = '', chromium = '', target = ''] = rest;
  const count = await encodeFrames({ folder, chromium, screen, until: Number(until), target });
  process.stdout.write(`${count} pictures\n`);
}
