const MAX_ENTRIES = 500;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Remembers pages as the bytes that were sent, as long as no event has changed. Each use reads the version first, and a
 * page counts for the version that was read before it was made.
 */
export function createPageCache(versionNow: () => Promise<number>) {
  const pages = new Map<string, Buffer>();
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

  return async (key: string, make: () => Promise<string>): Promise<Buffer> => {
    const current = await versionNow();
    if (current !== version) {
      pages.clear();
      bytes = 0;
      version = current;
    }
    const hit = pages.get(key);
    if (hit) return hit;
    const page = Buffer.from(await make());
    if (version === current) keep(key, page);
    return page;
  };
}

export type PageCache = ReturnType<typeof createPageCache>;
