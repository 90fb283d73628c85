import { Unreadable } from '../../../workers/unreadable.ts';
import { readZip, type ZipLimits } from '../../../workers/zip.ts';

/** Nothing is inflated but what is asked for, and of that only so much. */
const limits: ZipLimits = { maxEntries: 200_000, maxBytes: 64 * 1024 ** 3, skipsLinks: true };

export interface Archive {
  /** Every file, in its order. */
  names: readonly string[];
  /** The contents of those files that are there. */
  read(wanted: readonly string[], maxBytes?: number): Promise<Map<string, Buffer>>;
}

const MIB = 1024 * 1024;

/** An archive of which some files are read; each call goes through it once. */
export async function openArchive(file: string): Promise<Archive> {
  const names: string[] = [];
  await readZip(file, limits, async ({ path }) => {
    names.push(path);
  });
  return {
    names,
    async read(wanted, maxBytes = 64 * MIB) {
      const found = new Map<string, Buffer>();
      const left = new Set(wanted);
      await readZip(file, limits, async ({ path, size, content }) => {
        if (!left.delete(path)) return;
        if (size > maxBytes) throw new Unreadable(`${path} in it is larger than ${maxBytes} bytes.`);
        const chunks: Buffer[] = [];
        for await (const chunk of content()) chunks.push(chunk);
        found.set(path, Buffer.concat(chunks));
      });
      return found;
    },
  };
}
