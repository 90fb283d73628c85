import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Reads a file only if it is inside the folder. Otherwise a suite could use symbolic links, even ones created during the
 * check, to read files of the runner's user.
 */
export async function readInside(folder: string, file: string, maxBytes: number): Promise<Buffer | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (!handle) return undefined;
  try {
    const opened = await handle.stat();
    const real = await realpath(file);
    const resolved = await stat(real);
    const isSameFile = resolved.ino === opened.ino && resolved.dev === opened.dev;
    if (!opened.isFile() || opened.size > maxBytes || !isSameFile) return undefined;
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
