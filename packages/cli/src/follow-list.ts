import { explainUnreachable } from './connection.ts';
import { keepLooking, untilStopped } from './keep-looking.ts';
import type { Column, Output } from './output.ts';

/** How long a server that is away is left alone. */
const AGAIN = 1000;
/** More rows than this are not looked through again for one that changed. */
const MOST_KNOWN = 5000;

interface Row {
  id: string;
}

export interface FollowedList<T extends Row> {
  /** The list, newest first, page by page. */
  pages(signal: AbortSignal): AsyncIterable<readonly T[]>;
  /** Says something when the list may have changed, and once at its beginning; it ends by itself. */
  watch(signal: AbortSignal): Promise<AsyncIterable<unknown>>;
  columns: readonly Column<T>[];
  /** Whose list it is. */
  of: string;
  server: string;
  out: Output;
}

/** Tells rows that were not there before, or have changed, oldest first. */
export function createChanges<T extends Row>() {
  const known = new Map<string, string>();
  /** Reads on until a page holds something known: what came at once may fill several. */
  return async (pages: AsyncIterable<readonly T[]>): Promise<T[]> => {
    const isFirst = known.size === 0;
    const read: T[] = [];
    for await (const page of pages) {
      read.push(...page);
      if (isFirst || page.some(({ id }) => known.has(id))) break;
    }
    const changed = read.filter((row) => known.get(row.id) !== JSON.stringify(row)).reverse();
    for (const row of changed) {
      known.delete(row.id);
      known.set(row.id, JSON.stringify(row));
    }
    for (const id of known.keys()) {
      if (known.size <= MOST_KNOWN) break;
      known.delete(id);
    }
    return changed;
  };
}

/** Prints the newest of a list, and then what is new or changes, until somebody ends it. */
export function followList<T extends Row>({ pages, watch, columns, of, server, out }: FollowedList<T>): Promise<void> {
  return untilStopped(async (signal) => {
    const changes = createChanges<T>();
    const look = async () => {
      for (const row of await changes(pages(signal))) out.line(row, row, columns);
    };
    await look();
    out.note(`Following ${of} on ${server}; Ctrl-C ends it.`);
    const follow = async () => {
      try {
        for await (const _ of await watch(signal)) await look();
      } catch (error) {
        throw explainUnreachable(error, server);
      }
    };
    await keepLooking({ look: follow, interval: AGAIN, signal, server, out });
  });
}
