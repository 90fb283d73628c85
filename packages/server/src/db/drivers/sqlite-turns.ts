import { setTimeout as sleep } from 'node:timers/promises';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** A thread that has not retried for this time no longer counts as waiting. */
const WAITING_MS = 50;
/** How long to wait for other threads before trying for the lock anyway. */
const POLITE_MS = 20;

/** Time in ms, truncated to fit an Int32; 0 means never. */
const now = (): number => Date.now() % 2 ** 31 || 1;

/** Threads of this process that want the write lock of a database. */
export interface Turns {
  isAnyoneWaiting(): boolean;
  /** Call before trying for the lock: waits a while for other threads. */
  letOthers(): Promise<void>;
  /** Call after a failed attempt. */
  wait(): void;
  /** Call once the lock is taken, or after the last attempt. */
  done(): void;
}

/**
 * SQLite's lock goes to the thread that tries at the moment it is released. A thread that writes without a pause would
 * keep it, since others only retry from time to time. So all threads share an integer: the time of the last failed
 * attempt.
 */
export function shareTurns(file: string): Turns {
  const key = `mooring.sqlite-turns:${file}`;
  const existing = getEnvironmentData(key);
  const shared = existing instanceof SharedArrayBuffer ? existing : new SharedArrayBuffer(4);
  if (shared !== existing) setEnvironmentData(key, shared);
  const waitingSince = new Int32Array(shared);
  let isWaiting = false;
  const isAnyoneWaiting = (): boolean => {
    const at = Atomics.load(waitingSince, 0);
    return at !== 0 && Math.abs(now() - at) < WAITING_MS;
  };
  return {
    isAnyoneWaiting,
    async letOthers() {
      for (const until = performance.now() + POLITE_MS; isAnyoneWaiting() && performance.now() < until; )
        await sleep(1);
    },
    wait() {
      isWaiting = true;
      Atomics.store(waitingSince, 0, now());
    },
    done() {
      if (isWaiting) Atomics.store(waitingSince, 0, 0);
      isWaiting = false;
    },
  };
}
