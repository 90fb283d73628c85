/** How many may wait, and what whoever comes after them is told. */
export interface Queue {
  longest: number;
  full(): Error;
}

/** Lets some work run at a time, and the rest wait in the order of arrival. */
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
      // Whoever is next takes this turn over.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
