type ReadMany<T> = (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>;

/** Shares reads among deliveries that are claimed together. */
export interface Reads {
  /** Reads a value once per key. */
  once<T>(key: string, read: () => Promise<T>): Promise<T>;
  /** Reads values by ID; IDs that are requested at the same time share one query. */
  among<T>(key: string, id: string, read: ReadMany<T>): Promise<T | undefined>;
}

export function createReads(): Reads {
  const cached = new Map<string, Promise<unknown>>();
  const batches = new Map<string, { ids: Set<string>; found: Promise<ReadonlyMap<string, unknown>> }>();

  const once: Reads['once'] = <T>(key: string, read: () => Promise<T>) => {
    const value = cached.get(key) ?? read();
    cached.set(key, value);
    // The key determines the type.
    return value as Promise<T>;
  };

  function batchFor<T>(key: string, read: ReadMany<T>) {
    const ids = new Set<string>();
    const send = async () => {
      // Later requests start another batch.
      batches.delete(key);
      return read([...ids]);
    };
    const batch = { ids, found: Promise.resolve().then(send) };
    batches.set(key, batch);
    return batch;
  }

  return {
    once,
    among: <T>(key: string, id: string, read: ReadMany<T>) =>
      once(`${key} ${id}`, () => {
        const { ids, found } = batches.get(key) ?? batchFor(key, read);
        ids.add(id);
        return found.then((values) => values.get(id) as T | undefined);
      }),
  };
}
