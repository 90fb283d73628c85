import { canceled } from './fair-pool.ts';

interface Entry<T> {
  result: Promise<T>;
  controller: AbortController;
  users: number;
  isDone: boolean;
}

export interface SharedWorkOptions {
  /** Finished results that are kept in memory; the oldest is dropped first. */
  maxEntries: number;
  /** Failures that would only repeat, so they are kept like results. */
  isFinal?(error: unknown): boolean;
}

export type SharedWork<T> = (
  key: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** Rejects when the signal aborts, without stopping the work, which others may wait for. */
function untilAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return result;
  const { promise, reject } = Promise.withResolvers<T>();
  const cancel = () => reject(canceled());
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return Promise.race([result, promise]).finally(() => signal.removeEventListener('abort', cancel));
}

/** Does the work for a key once for all concurrent callers, and stops it when the last one has canceled. */
export function createSharedWork<T>({ maxEntries, isFinal = () => false }: SharedWorkOptions): SharedWork<T> {
  const entries = new Map<string, Entry<T>>();

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): Entry<T> {
    const controller = new AbortController();
    const entry: Entry<T> = { result: work(controller.signal), controller, users: 0, isDone: false };
    const remove = () => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    entry.result.then(
      () => {
        entry.isDone = true;
        if (maxEntries === 0) remove();
      },
      (error: unknown) => {
        entry.isDone = true;
        if (!isFinal(error)) remove();
      },
    );
    controller.signal.addEventListener('abort', remove, { once: true });
    entries.set(key, entry);
    for (const [oldest, { isDone }] of entries) {
      if (entries.size <= maxEntries) break;
      if (isDone) entries.delete(oldest);
    }
    return entry;
  }

  return async (key, signal, work) => {
    const entry = entries.get(key) ?? start(key, work);
    entry.users += 1;
    try {
      return await untilAborted(entry.result, signal);
    } finally {
      entry.users -= 1;
      if (entry.users === 0 && !entry.isDone) entry.controller.abort();
    }
  };
}
