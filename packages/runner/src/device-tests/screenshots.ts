import path from 'node:path';
import { readInside } from '../files/read-inside.ts';
import type { TestOptions } from './test-options.ts';

const MAX_SCREENSHOT_BYTES = 10 * 1_048_576;
const MAX_SCREENSHOTS = 2000;

const detectImageExtension = (bytes: Buffer): string | undefined => {
  if (bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n') return 'png';
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff ? 'jpg' : undefined;
};

/** Returns a function that uploads a screenshot and returns its name on the server. */
export function createScreenshotUploader(
  box: string,
  { write, upload }: Pick<TestOptions, 'write' | 'upload'>,
): (file: string) => Promise<string | undefined> {
  let count = 0;
  return async (file) => {
    const content = count < MAX_SCREENSHOTS ? await readInside(box, file, MAX_SCREENSHOT_BYTES) : undefined;
    const extension = content && detectImageExtension(content);
    if (!content || !extension) {
      write(
        `## Skipped ${path.basename(file)}: not a PNG or JPEG in the folder of the suite, too large, or one of too many.\n`,
      );
      return undefined;
    }
    count += 1;
    const name = `screenshot-${String(count).padStart(4, '0')}.${extension}`;
    return (await upload({ kind: 'screenshot', name, content })) ? name : undefined;
  };
}
