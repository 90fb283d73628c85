import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { makeWorkFolder } from '../kernel/work-folders.ts';
import type { BlobStore } from './blobs.ts';

/** A folder of its own for `work`, gone after it; what a killed process leaves is swept when a server starts. */
export async function withFolder<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeWorkFolder(dataDir);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Puts a blob into a file, for programs and threads that need one. */
export async function copyBlob(blobs: BlobStore, key: string, file: string): Promise<void> {
  const blob = await blobs.get(key);
  if (!blob) throw new Error(`the blob ${key} is gone`);
  await pipeline(blob.stream, createWriteStream(file, { mode: 0o600 }));
}
