/**
 * Shares a read among the requests that arrive in one tick of the event loop; it is sent after the last of them arrived,
 * so nobody gets an answer older than their question.
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
