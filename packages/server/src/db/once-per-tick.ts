/**
 * Shares a read among the requests that arrive in one tick of the event loop. It starts after the last of them, so no
 * caller gets a result older than its request.
 */
export function oncePerTick<T>(read: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  return () => {
    shared ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        shared = undefined;
        read().then(resolve, reject);
      });
    });
    return shared;
  };
}
