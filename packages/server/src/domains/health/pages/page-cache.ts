import { createFairPool } from '../../../kernel/concurrency/fair-pool.ts';
import { unavailable } from '../../../kernel/errors.ts';

const MAX_ENTRIES = 500;
const MAX_BYTES = 16 * 1024 * 1024;
/** Pages are large while they are rendered; a low limit reduces garbage collection. */
const MAX_MAKING = 4;
/** More requests would wait for seconds and take memory. */
const MAX_WAITING = 200;

/**
 * Caches rendered pages until an event changes. Each request reads the version first; a page is valid for the version that was
 * read before it was rendered. Concurrent requests for the same page share one rendering. Owners take turns; see `workOwner`.
 */
export function createPageCache(versionNow: () => Promise<number>) {
  const pages = new Map<string, Buffer>();
  const making = new Map<string, Promise<Buffer>>();
  const pool = createFairPool({
    slots: MAX_MAKING,
    slotsPerOwner: MAX_MAKING,
    queue: {
      maxPerOwner: MAX_WAITING,
      full: () => unavailable('Too many concurrent requests for pages of health events. Retry in a second.'),
    },
  });
  let bytes = 0;
  let version = Number.NaN;

  function store(key: string, page: Buffer): void {
    if (page.length > MAX_BYTES / 4 || pages.has(key)) return;
    pages.set(key, page);
    bytes += page.length;
    for (const [oldest, { length }] of pages) {
      if (pages.size <= MAX_ENTRIES && bytes <= MAX_BYTES) break;
      pages.delete(oldest);
      bytes -= length;
    }
  }

  /** Stores the page for the version that was read before it was rendered. */
  async function start(key: string, make: () => Promise<Buffer | string>): Promise<Buffer> {
    const current = version;
    const made = make().then((page) => (typeof page === 'string' ? Buffer.from(page) : page));
    making.set(key, made);
    try {
      const page = await made;
      if (version === current) store(key, page);
      return page;
    } finally {
      if (making.get(key) === made) making.delete(key);
    }
  }

  return async (key: string, owner: string, make: () => Promise<Buffer | string>): Promise<Buffer> => {
    const current = await versionNow();
    if (current !== version) {
      pages.clear();
      making.clear();
      bytes = 0;
      version = current;
    }
    const find = () => pages.get(key) ?? making.get(key);
    // A queued page is not shared: its owner may have many others queued before it.
    return find() ?? pool(owner, async () => find() ?? start(key, make));
  };
}

export type PageCache = ReturnType<typeof createPageCache>;
