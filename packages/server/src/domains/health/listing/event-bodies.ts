import { isAlikeForAll, nameVendor } from '../events/rendering.ts';
import type { FoundEvent, FoundSeq } from './listing.store.ts';

/** What is sent of an event: bytes that are the same for all, or a text with marks where readers differ. */
export type Body = Buffer | string;

export interface KeptEvent {
  sort_at: number;
  name: string;
  body: Body;
}

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Keeps what is sent of events as long as none has changed, so that a page of other readers, or with another filter, is put
 * together from what an earlier one was made of. Which state that is, is read together with which events are on the page.
 */
export function createEventBodies(vendor: string) {
  const kept = new Map<number, KeptEvent>();
  let bytes = 0;
  let version = Number.NaN;

  return {
    /** All of them, or nothing if one is not kept. */
    find(found: readonly FoundSeq[]): KeptEvent[] | undefined {
      const events: KeptEvent[] = [];
      for (const one of found) {
        const event = one.version === version ? kept.get(one.seq) : undefined;
        if (!event) return undefined;
        events.push(event);
      }
      return events;
    },
    keep(found: readonly FoundEvent[]): void {
      const newest = found[0]?.version ?? version;
      // One that waited for its answer while others have seen more keeps nothing.
      if (newest < version) return;
      if (newest !== version || bytes >= MAX_BYTES) {
        kept.clear();
        bytes = 0;
        version = newest;
      }
      for (const { seq, sort_at, name, body: text } of found) {
        if (kept.has(seq)) continue;
        const body = isAlikeForAll(text) ? Buffer.from(nameVendor(text, vendor)) : text;
        kept.set(seq, { sort_at, name, body });
        bytes += body.length;
      }
    },
  };
}

export type EventBodies = ReturnType<typeof createEventBodies>;
