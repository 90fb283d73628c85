import { unavailable } from '../../../kernel/errors.ts';
import { createFairPool } from '../../../kernel/fair-pool.ts';

const MAX_ENTRIES = 500;
const MAX_BYTES = 16 * 1024 * 1024;
/** Pages in the making are large; few at a time leave far less to the garbage collector. */
const MAX_MAKING = 4;
/** Further ones would wait for seconds, and keep their requests in memory. */
const MAX_WAITING = 200;

/**
 * Remembers pages as the bytes that were sent, as long as no event has changed. Each use reads the version first, and a
 * page counts for the version that was read before it was made. Requests for a page that is being made get that one.
 * Owners take turns; see `workOwner`.
 */
export function createPageCache(versionNow: () => Promise<number>) {
  const pages = new Map<string, Buffer>();
  const making = new Map<string, Promise<Buffer>>();
  const pool = createFairPool({
    slots: MAX_MAKING,
    slotsPerOwner: MAX_MAKING,
    queue: {
      maxPerOwner: MAX_WAITING,
      full: () => unavailable('You asked for too many pages of health events concurrently; try again in a second.'),
    },
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

  /** Counts for the version that was read last, which is older than the page. */
  async function start(key: string, make: () => Promise<Buffer | string>): Promise<Buffer> {
    const current = version;
    const made = make().then((page) => (typeof page === 'string' ? Buffer.from(page) : page));
    making.set(key, made);
    try {
      const page = await made;
      if (version === current) keep(key, page);
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
    // A page that only waits is not shared: its owner may have many others in front of it.
    return find() ?? pool(owner, async () => find() ?? start(key, make));
  };
}

export type PageCache = ReturnType<typeof createPageCache>;
