import { chmod, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

/** Restores permissions of folders that a job removed. Does not follow links. */
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

async function retryRemoval(folder: string): Promise<void> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    // Don't keep the process alive for this: the next start of the runner removes the rest.
    await setTimeout(wait, undefined, { ref: false });
    if (await isRemoved(folder)) return;
  }
}

/**
 * Removes the folder of a job. If that fails, for example because a process still writes to it, the removal is retried in the
 * background.
 */
export async function removeFolder(folder: string): Promise<void> {
  if (!(await isRemoved(folder))) void retryRemoval(folder);
}

/** Removes the current entries of a folder, but not entries created meanwhile. */
export async function removeBelow(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) await removeFolder(path.join(folder, name));
}
