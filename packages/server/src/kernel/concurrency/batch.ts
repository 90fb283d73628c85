/** Rows per write, so that requests get their turn between writes. */
const BATCH_SIZE = 500;

/** Collects the newest value of each key and writes them periodically, so that no caller waits for the write. */
export interface Batch<V = number> {
  put(key: string, value: V): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export interface BatchOptions<V = number> {
  everyMs: number;
  /**
   * Maximum number of pending keys; further ones are dropped, because losing them is better than running out of memory.
   */
  maxKeys: number;
  write: (entries: [string, V][]) => Promise<void>;
  onError: (error: unknown) => void;
}

export function createBatch<V = number>({ everyMs, maxKeys, write, onError }: BatchOptions<V>): Batch<V> {
  let pending = new Map<string, V>();
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    if (pending.size === 0) return writing;
    const entries = [...pending];
    pending = new Map();
    for (let at = 0; at < entries.length; at += BATCH_SIZE) {
      const some = entries.slice(at, at + BATCH_SIZE);
      writing = writing.then(() => write(some)).catch(onError);
    }
    return writing;
  };
  const timer = setInterval(flush, everyMs).unref();

  return {
    put(key, value) {
      if (pending.size < maxKeys || pending.has(key)) pending.set(key, value);
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
