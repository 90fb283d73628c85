import { mkdir, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Folders, SuiteBroken, type Work } from './adapters/adapter.ts';
import type { TestOptions } from './test-options.ts';

const MIB = 1_048_576;

export type SuiteFolders = Folders & { app: string };

export async function createFolders(job: string): Promise<SuiteFolders> {
  const box = path.join(job, 'box');
  const folders = {
    box,
    suite: path.join(box, 'suite'),
    app: path.join(box, 'app'),
    output: path.join(box, 'output'),
    screenshots: path.join(box, 'screenshots'),
    home: path.join(box, 'home'),
    logs: path.join(job, 'logs'),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  return folders;
}

/** Checks that downloading the suite doesn't fill the disk. */
export async function checkFreeSpace({ folder, limits }: TestOptions, { files }: Work): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size + (limits?.disk.leaveBytes ?? 0) > bavail * bsize)
    throw new SuiteBroken(
      `The files of the suite need ${Math.ceil(size / MIB)} MiB, but the disk of the runner is too full.`,
    );
}
