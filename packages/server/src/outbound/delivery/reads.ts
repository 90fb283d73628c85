type ReadMany<T> = (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>;

/** What is read for all deliveries that are taken together. */
export interface Reads {
  /** Reads under a key once for all of them. */
  once<T>(key: string, read: () => Promise<T>): Promise<T>;
  /** Reads by their ids, in one go, all that they ask for in the same moment. */
  among<T>(key: string, id: string, read: ReadMany<T>): Promise<T | undefined>;
}

export function createReads(): Reads {
  const known = new Map<string, Promise<unknown>>();
  const batches = new Map<string, { ids: Set<string>; found: Promise<ReadonlyMap<string, unknown>> }>();

  const once: Reads['once'] = <T>(key: string, read: () => Promise<T>) => {
    const value = known.get(key) ?? read();
    known.set(key, value);
    // Whoever has the key knows what is read under it.
    return value as Promise<T>;
  };

  function batchFor<T>(key: string, read: ReadMany<T>) {
    const ids = new Set<string>();
    const send = async () => {
      // Whoever asks after this begins another one.
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
