import { encodeFrames } from './encoding.ts';
import { recordFrames } from './frames.ts';

// Runs in the sandbox, because the suite controls the messages of the browser.
const [, , command, folder = '', width = '', height = '', ...rest] = process.argv;
const screen = { width: Number(width), height: Number(height) };
if (command === 'record') await recordFrames(Number(rest[0]), folder, screen);
else {
  const [until = '', chromium = '', target = ''] = rest;
  const count = await encodeFrames({ folder, chromium, screen, until: Number(until), target });
  process.stdout.write(`Encoded ${count} frames.\n`);
}
