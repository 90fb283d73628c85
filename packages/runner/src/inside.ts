import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * The bytes of a file that a suite made, as long as it lies in its folder: a link, also one in place of a folder and put
 * there meanwhile, would show the suite what only this user may read.
 */
export async function readInside(folder: string, file: string, maxBytes: number): Promise<Buffer | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (!handle) return undefined;
  try {
    const opened = await handle.stat();
    const real = await realpath(file);
    const there = await stat(real);
    const isIt = there.ino === opened.ino && there.dev === opened.dev;
    if (!opened.isFile() || opened.size > maxBytes || !isIt) return undefined;
    if (!real.startsWith(`${await realpath(folder)}${path.sep}`)) return undefined;
    const bytes = Buffer.alloc(opened.size);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
