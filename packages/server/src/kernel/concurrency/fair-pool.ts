import { unavailable } from '../errors.ts';

export interface FairPoolOptions {
  /** Work items that run concurrently. */
  slots: number;
  /** Slots that one owner may use. By default one slot stays free for other owners, if there are several. */
  slotsPerOwner?: number;
  /**
   * Limits of queued work items for one owner and (unlimited by default) for all owners, and the error for further
   * ones.
   */
  queue?: { maxPerOwner: number; maxTotal?: number; full(): Error };
}

export interface FairPoolRun {
  /** Removes the work item from the queue when aborted. Work that runs must watch the signal itself. */
  signal?: AbortSignal | undefined;
}

/** For work whose client has closed the connection. Only clients of a stopping server see the message. */
export const canceled = () => unavailable('Canceled because the connection or the server closed. Retry.');

export type FairPool = <T>(owner: string, work: () => Promise<T>, run?: FairPoolRun) => Promise<T>;

interface Waiter {
  start(): void;
}

/**
 * Runs a limited number of work items concurrently. Owners take turns regardless of how many items each has queued, and
 * no owner can occupy all slots.
 */
export function createFairPool({ slots, slotsPerOwner, queue }: FairPoolOptions): FairPool {
  const maxRunning = slotsPerOwner ?? Math.max(1, slots - 1);
  const running = new Map<string, number>();
  // In the order of turns: an owner moves to the end when one of its items starts.
  const waiting = new Map<string, Set<Waiter>>();
  let total = 0;

  const hasSlot = (owner: string): boolean => total < slots && (running.get(owner) ?? 0) < maxRunning;

  function isQueueFull(): boolean {
    if (queue?.maxTotal === undefined) return false;
    let count = 0;
    for (const waiters of waiting.values()) count += waiters.size;
    return count >= queue.maxTotal;
  }

  function occupy(owner: string): void {
    total += 1;
    running.set(owner, (running.get(owner) ?? 0) + 1);
  }

  function release(owner: string): void {
    total -= 1;
    const left = (running.get(owner) ?? 1) - 1;
    if (left > 0) running.set(owner, left);
    else running.delete(owner);
    startNext();
  }

  function startNext(): void {
    for (const [owner, waiters] of waiting) {
      if (!hasSlot(owner)) continue;
      const [next] = waiters;
      waiting.delete(owner);
      if (!next) continue;
      waiters.delete(next);
      if (waiters.size > 0) waiting.set(owner, waiters);
      occupy(owner);
      next.start();
      return;
    }
  }

  function wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
    const waiters = waiting.get(owner) ?? new Set<Waiter>();
    if (queue && (waiters.size >= queue.maxPerOwner || isQueueFull())) return Promise.reject(queue.full());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const cancel = (): void => {
      waiters.delete(waiter);
      if (waiters.size === 0 && waiting.get(owner) === waiters) waiting.delete(owner);
      reject(canceled());
    };
    const waiter: Waiter = {
      start: () => {
        signal?.removeEventListener('abort', cancel);
        resolve();
      },
    };
    signal?.addEventListener('abort', cancel, { once: true });
    waiters.add(waiter);
    waiting.set(owner, waiters);
    return promise;
  }

  return async (owner, work, { signal } = {}) => {
    if (signal?.aborted) throw canceled();
    // Queued items of this owner come first.
    if (hasSlot(owner) && !waiting.has(owner)) occupy(owner);
    else await wait(owner, signal);
    try {
      return await work();
    } finally {
      release(owner);
    }
  };
}
