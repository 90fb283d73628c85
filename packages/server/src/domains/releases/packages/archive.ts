import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Unreadable } from '../../../workers/unreadable.ts';
import { readZip, type ZipLimits, type ZippedFile } from '../../../workers/zip.ts';

/** Nothing is inflated but what is asked for, and of that only so much. */
const limits: ZipLimits = { maxEntries: 200_000, maxBytes: 64 * 1024 ** 3, skipsLinks: true };

export interface Archive {
  /** Every file, in its order. */
  names: readonly string[];
  /** The contents of those files that are there. */
  read(wanted: readonly string[], maxBytes?: number): Promise<Map<string, Buffer>>;
  /** Parts of one file, each as far as it is there; no more of it is kept in memory. */
  readParts(path: string, parts: readonly { at: number; length: number }[], maxBytes: number): Promise<Buffer[]>;
  /** Writes one file to the disk. */
  copy(path: string, target: string, maxBytes: number): Promise<void>;
}

const MIB = 1024 * 1024;

function refuseLarger({ path, size }: ZippedFile, maxBytes: number): void {
  if (size > maxBytes) throw new Unreadable(`${path} in it is larger than ${maxBytes} bytes.`);
}

/** An archive of which some files are read; each call goes through it once. */
export async function openArchive(file: string): Promise<Archive> {
  const names: string[] = [];
  await readZip(file, limits, async ({ path }) => {
    names.push(path);
  });
  const each = async (wanted: readonly string[], maxBytes: number, work: (file: ZippedFile) => Promise<void>) => {
    const left = new Set(wanted);
    await readZip(file, limits, async (zipped) => {
      if (!left.delete(zipped.path)) return;
      refuseLarger(zipped, maxBytes);
      await work(zipped);
    });
  };
  return {
    names,
    async read(wanted, maxBytes = 64 * MIB) {
      const found = new Map<string, Buffer>();
      await each(wanted, maxBytes, async ({ path, size, content }) => {
        const bytes = Buffer.allocUnsafeSlow(size);
        let at = 0;
        for await (const chunk of content()) at += chunk.copy(bytes, at);
        found.set(path, bytes.subarray(0, at));
      });
      return found;
    },
    async readParts(path, parts, maxBytes) {
      const found: Buffer[][] = parts.map(() => []);
      await each([path], maxBytes, async ({ content }) => {
        let at = 0;
        for await (const chunk of content()) {
          for (const [number, part] of parts.entries()) {
            const piece = chunk.subarray(Math.max(0, part.at - at), Math.max(0, part.at + part.length - at));
            // A piece of a chunk keeps all of it.
            if (piece.length > 0) found[number]?.push(Buffer.from(piece));
          }
          at += chunk.length;
        }
      });
      return found.map((pieces) => Buffer.concat(pieces));
    },
    copy: (path, target, maxBytes) =>
      each([path], maxBytes, ({ content }) =>
        pipeline(content(), createWriteStream(target, { flags: 'wx', mode: 0o600 })),
      ),
  };
}
