import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Unreadable } from '../../../workers/unreadable.ts';
import { readZip, type ZipLimits, type ZippedFile } from '../../../workers/zip.ts';

/** Decompresses only requested files, up to a limit. */
const limits: ZipLimits = { maxEntries: 200_000, maxBytes: 64 * 1024 ** 3, skipsLinks: true };

export interface Archive {
  /** Names of all files, in their order. */
  names: readonly string[];
  /** Reads the files that exist. */
  read(paths: readonly string[], maxBytes?: number): Promise<Map<string, Buffer>>;
  /** Reads ranges of one file, as far as they exist, keeping only those in memory. */
  readParts(path: string, parts: readonly { at: number; length: number }[], maxBytes: number): Promise<Buffer[]>;
  /** Writes one file to the disk. */
  copy(path: string, target: string, maxBytes: number): Promise<void>;
}

const MIB = 1024 * 1024;

function refuseLarger({ path, size }: ZippedFile, maxBytes: number): void {
  if (size > maxBytes) throw new Unreadable(`${path} in the package is larger than ${maxBytes} bytes.`);
}

/** Opens an archive for reading some of its files; each call reads it once from start to end. */
export async function openArchive(file: string): Promise<Archive> {
  const names: string[] = [];
  await readZip(file, limits, async ({ path }) => {
    names.push(path);
  });
  const each = async (paths: readonly string[], maxBytes: number, work: (file: ZippedFile) => Promise<void>) => {
    const left = new Set(paths);
    await readZip(file, limits, async (zipped) => {
      if (!left.delete(zipped.path)) return;
      refuseLarger(zipped, maxBytes);
      await work(zipped);
    });
  };
  return {
    names,
    async read(paths, maxBytes = 64 * MIB) {
      const found = new Map<string, Buffer>();
      await each(paths, maxBytes, async ({ path, size, content }) => {
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
            const slice = chunk.subarray(Math.max(0, part.at - at), Math.max(0, part.at + part.length - at));
            // A slice would keep the whole chunk in memory.
            if (slice.length > 0) found[number]?.push(Buffer.from(slice));
          }
          at += chunk.length;
        }
      });
      return found.map((slices) => Buffer.concat(slices));
    },
    copy: (path, target, maxBytes) =>
      each([path], maxBytes, ({ content }) =>
        pipeline(content(), createWriteStream(target, { flags: 'wx', mode: 0o600 })),
      ),
  };
}
