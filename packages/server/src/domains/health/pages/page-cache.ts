import { unavailable } from '../../../kernel/errors.ts';
import { createSemaphore } from '../../../kernel/semaphore.ts';

const MAX_ENTRIES = 500;
const MAX_BYTES = 16 * 1024 * 1024;
/** Pages in the making are large; few at a time leave far less to the garbage collector. */
const MAX_MAKING = 4;
/** Whoever comes after these would wait for seconds, and hold what they asked with. */
const MAX_WAITING = 200;

/**
 * Remembers pages as the bytes that were sent, as long as no event has changed. Each use reads the version first, and a
 * page counts for the version that was read before it was made. Who asks for a page that is being made gets that one.
 */
export function createPageCache(versionNow: () => Promise<number>) {
  const pages = new Map<string, Buffer>();
  const making = new Map<string, Promise<Buffer>>();
  const whenFree = createSemaphore(MAX_MAKING, {
    longest: MAX_WAITING,
    full: () => unavailable('Too many different pages of health events are asked for at once; try again in a second.'),
  });
  let bytes = 0;
  let version = Number.NaN;

  function keep(key: string, page: Buffer): void {
    if (page.length > MAX_BYTES / 4 || pages.has(key)) return;
    pages.set(key, page);
    bytes += page.length;
    for (const [oldest, { length }] of pages) {
      if (pages.size <= MAX_ENTRIES && bytes <= MAX_BYTES) break;
      pages.delete(oldest);
      bytes -= length;
    }
  }

  return async (key: string, make: () => Promise<Buffer | string>): Promise<Buffer> => {
    const current = await versionNow();
    if (current !== version) {
      pages.clear();
      making.clear();
      bytes = 0;
      version = current;
    }
    const hit = pages.get(key) ?? making.get(key);
    if (hit) return hit;
    const made = whenFree(async () => {
      const page = await make();
      return typeof page === 'string' ? Buffer.from(page) : page;
    });
    making.set(key, made);
    try {
      const page = await made;
      if (version === current) keep(key, page);
      return page;
    } finally {
      if (making.get(key) === made) making.delete(key);
    }
  };
}

export type PageCache = ReturnType<typeof createPageCache>;
