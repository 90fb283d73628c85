/** Requests take their turn between writes of so many. */
const WRITTEN_AT_ONCE = 500;

/** Collects the newest value for each key and hands them over now and then, so that nobody waits for the write. */
export interface Batch {
  put(key: string, value: number): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export interface BatchOptions {
  everyMs: number;
  /** Beyond this many keys nothing is kept until the next flush: what is collected here may be lost, memory may not. */
  maxKeys: number;
  write: (entries: [string, number][]) => Promise<void>;
  onError: (error: unknown) => void;
}

export function createBatch({ everyMs, maxKeys, write, onError }: BatchOptions): Batch {
  let pending = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    if (pending.size === 0) return writing;
    const entries = [...pending];
    pending = new Map();
    for (let at = 0; at < entries.length; at += WRITTEN_AT_ONCE) {
      const some = entries.slice(at, at + WRITTEN_AT_ONCE);
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
