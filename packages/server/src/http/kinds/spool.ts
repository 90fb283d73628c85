import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { IncomingFile } from './incoming-file.ts';

/** A file that was received completely, and can be read from disk repeatedly. */
export interface SpooledFile {
  type: string;
  bytes: number;
  sha256: string;
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

const CHUNK = 65_536;

/**
 * Writes a file to disk before it is processed. Slow processing would otherwise exceed the time limit for receiving a
 * request, and an upload that breaks off must change nothing.
 */
export async function spool(file: IncomingFile, folder: string): Promise<SpooledFile> {
  const name = path.join(folder, `body-${randomUUID()}.tmp`);
  const handle = await open(name, 'wx+', 0o600);
  // Without a name, the file is deleted with the process, however that ends.
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
        if (bytesRead === 0) throw new Error('a spooled body was truncated');
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    },
    close: () => handle.close(),
  };
}
