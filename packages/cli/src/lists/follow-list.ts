import { explainUnreachable } from '../connection/connection.ts';
import type { Column, Output } from '../terminal/output.ts';
import { poll, untilStopped } from './poll.ts';

/** Pause between attempts while the server is unreachable. */
const RETRY_INTERVAL_MS = 1000;
/** Changes of older rows are not noticed. */
const MAX_REMEMBERED_ROWS = 5000;

interface Row {
  id: string;
}

export interface FollowedList<T extends Row> {
  /** The list, newest first, page by page. */
  pages(signal: AbortSignal): AsyncIterable<readonly T[]>;
  /** Emits an item at the start and whenever the list may have changed. The server ends the stream after a while. */
  watch(signal: AbortSignal): Promise<AsyncIterable<unknown>>;
  columns: readonly Column<T>[];
  /** Names the list in the first note. */
  label: string;
  server: string;
  out: Output;
}

/** Returns a function that finds new and changed rows, oldest first. */
export function createChanges<T extends Row>() {
  const rowsById = new Map<string, string>();
  /** Reads pages until one has a known row: new rows may fill several pages. */
  return async (pages: AsyncIterable<readonly T[]>): Promise<T[]> => {
    const isFirst = rowsById.size === 0;
    const read: T[] = [];
    for await (const page of pages) {
      read.push(...page);
      if (isFirst || page.some(({ id }) => rowsById.has(id))) break;
    }
    const changed = read.filter((row) => rowsById.get(row.id) !== JSON.stringify(row)).reverse();
    for (const row of changed) {
      rowsById.delete(row.id);
      rowsById.set(row.id, JSON.stringify(row));
    }
    for (const id of rowsById.keys()) {
      if (rowsById.size <= MAX_REMEMBERED_ROWS) break;
      rowsById.delete(id);
    }
    return changed;
  };
}

/** Prints the newest page of a list, and then new and changed rows, until the process is interrupted. */
export function followList<T extends Row>({
  pages,
  watch,
  columns,
  label,
  server,
  out,
}: FollowedList<T>): Promise<void> {
  return untilStopped(async (signal) => {
    const changes = createChanges<T>();
    const printChanges = async () => {
      for (const row of await changes(pages(signal))) out.line(row, row, columns);
    };
    await printChanges();
    out.note(`Following ${label} on ${server}. Press Ctrl-C to stop.`);
    const follow = async () => {
      try {
        for await (const _ of await watch(signal)) await printChanges();
      } catch (error) {
        throw explainUnreachable(error, server);
      }
    };
    await poll({ refresh: follow, interval: RETRY_INTERVAL_MS, signal, server, out });
  });
}
