import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { IncomingFile } from './incoming-file.ts';

/** A file that has arrived to its end, read piece by piece from the disk as often as needed. */
export interface SpooledFile {
  type: string;
  bytes: number;
  sha256: string;
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

const CHUNK = 65_536;

/**
 * Puts a file on the disk before it is worked on: work that is slower than the sender would otherwise run into the time
 * that a request may take to arrive, and one that breaks off has changed nothing.
 */
export async function spool(file: IncomingFile, folder: string): Promise<SpooledFile> {
  const name = path.join(folder, `body-${randomUUID()}.tmp`);
  const handle = await open(name, 'wx+', 0o600);
  // Without a name it is gone with the process, however that ends.
  await unlink(name);
  try {
    for await (const chunk of file.content) await handle.appendFile(chunk);
  } catch (error) {
    await handle.close();
    throw error;
  }
  const bytes = file.received;
  return {
    type: file.type,
    bytes,
    sha256: file.sha256(),
    async *chunks() {
      for (let at = 0; at < bytes; ) {
        const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, at);
        if (bytesRead === 0) throw new Error('a body on the disk is shorter than it was');
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    },
    close: () => handle.close(),
  };
}
