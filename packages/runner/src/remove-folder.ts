import { chmod, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;

/** Folders that a job closed for everybody are opened first; links are left alone. */
async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await openFolders(path.join(folder, entry.name));
}

async function isRemoved(folder: string): Promise<boolean> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 }).then(() => true);
  return remove().catch(async () => {
    await openFolders(folder);
    return remove().catch(() => false);
  });
}

async function goOn(folder: string): Promise<void> {
  for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    // Nothing waits for it: what is left when the runner ends is removed when it starts.
    await setTimeout(wait, undefined, { ref: false });
    if (await isRemoved(folder)) return;
  }
}

/**
 * Removes what a job left, whatever it did to it. What cannot be removed at once, as somebody who is not gone yet still
 * writes to it, is tried again and again while the runner goes on.
 */
export async function removeFolder(folder: string): Promise<void> {
  if (!(await isRemoved(folder))) void goOn(folder);
}

/** Everything in a folder, each by itself: what is made there meanwhile stays. */
export async function removeBelow(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) await removeFolder(path.join(folder, name));
}
