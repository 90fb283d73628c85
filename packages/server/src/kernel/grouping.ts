import { unavailable } from './errors.ts';

export interface GroupingOptions<T> {
  /** Writes some at once: all of them are on the disk when it resolves. */
  write(items: readonly T[]): Promise<void>;
  /** How long the first waits for others. */
  waitMs?: number;
  most?: number;
  mostWaiting?: number;
}

interface Waiting<T> extends PromiseWithResolvers<void> {
  item: T;
}

/**
 * Collects what is to be written and writes it group by group, one at a time: they share one commit, and waiting for the disk
 * is what costs. If a group fails, each is tried alone, so that one spoils nothing for the others.
 */
export function createGrouping<T>({ write, waitMs = 5, most = 500, mostWaiting = 20_000 }: GroupingOptions<T>) {
  const waiting: Waiting<T>[] = [];
  let isBusy = false;

  async function settle(group: readonly Waiting<T>[]): Promise<void> {
    try {
      await write(group.map(({ item }) => item));
      for (const { resolve } of group) resolve();
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error);
      else for (const one of group) await settle([one]);
    }
  }

  async function drain(): Promise<void> {
    isBusy = true;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    while (waiting.length > 0) await settle(waiting.splice(0, most));
    isBusy = false;
  }

  /** Resolves once it is on the disk. */
  return (item: T): Promise<void> => {
    if (waiting.length >= mostWaiting)
      throw unavailable('More comes than this server can write just now; send it again later.');
    const one: Waiting<T> = { item, ...Promise.withResolvers<void>() };
    waiting.push(one);
    if (!isBusy) void drain();
    return one.promise;
  };
}
