import { statfs } from 'node:fs/promises';

const MIB = 1_048_576;

/** Free space on the disk of a folder, in MiB. */
export async function getFreeMb(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return Math.floor((bavail * bsize) / MIB);
}
