import { isAlikeForAll, nameVendor } from '../events/rendering.ts';
import type { FoundEvent, FoundSeq } from './listing.store.ts';

/** The content of an event: bytes if it is the same for all readers, or a text with marks where readers differ. */
export type Body = Buffer | string;

export interface StoredEventBody {
  sort_at: number;
  name: string;
  body: Body;
}

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Caches the content of events until one changes, so that pages for other readers or filters reuse it. The version is read
 * together with the events of the page.
 */
export function createEventBodies(vendor: string) {
  const bodies = new Map<number, StoredEventBody>();
  let bytes = 0;
  let version = Number.NaN;

  return {
    /** Returns all bodies, or undefined if one is not cached. */
    find(found: readonly FoundSeq[]): StoredEventBody[] | undefined {
      const events: StoredEventBody[] = [];
      for (const one of found) {
        const event = one.version === version ? bodies.get(one.seq) : undefined;
        if (!event) return undefined;
        events.push(event);
      }
      return events;
    },
    add(found: readonly FoundEvent[]): void {
      const newest = found[0]?.version ?? version;
      // Its result is older than the cache, so it is not cached.
      if (newest < version) return;
      if (newest !== version || bytes >= MAX_BYTES) {
        bodies.clear();
        bytes = 0;
        version = newest;
      }
      for (const { seq, sort_at, name, body: text } of found) {
        if (bodies.has(seq)) continue;
        const body = isAlikeForAll(text) ? Buffer.from(nameVendor(text, vendor)) : text;
        bodies.set(seq, { sort_at, name, body });
        bytes += body.length;
      }
    },
  };
}

export type EventBodies = ReturnType<typeof createEventBodies>;
