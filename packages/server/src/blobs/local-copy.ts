import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { makeWorkFolder } from '../kernel/files/work-folders.ts';
import type { BlobStore } from './blobs.ts';

/**
 * Creates a temporary folder for `work` and deletes it afterwards. The next start removes folders of killed processes.
 */
export async function withFolder<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeWorkFolder(dataDir);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies a blob to a file, for programs and threads that need one. */
export async function copyBlob(blobs: BlobStore, key: string, file: string): Promise<void> {
  const blob = await blobs.get(key);
  if (!blob) throw new Error(`blob ${key} does not exist`);
  await pipeline(blob.stream, createWriteStream(file, { mode: 0o600 }));
}
