/** Limit of the queue, and the error for further work. */
export interface Queue {
  longest: number;
  full(): Error;
}

/** Limits concurrent work; the rest waits in the order of arrival. */
export function createSemaphore(most: number, queue?: Queue) {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < most) running += 1;
    else if (queue && waiting.length >= queue.longest) throw queue.full();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The next one takes over this slot.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
