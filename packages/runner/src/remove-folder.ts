import { chmod, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** Folders that a job closed for everybody are opened first; links are left alone. */
async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await openFolders(path.join(folder, entry.name));
}

/** Removes what a job left, whatever it did to it. What cannot be removed is tried again when the runner starts. */
export async function removeFolder(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  await remove().catch(async () => {
    await openFolders(folder);
    await remove().catch(() => undefined);
  });
}
