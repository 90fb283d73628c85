import { setTimeout as sleep } from 'node:timers/promises';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** Who has not asked again for so long is waiting no more. */
const WAITING_MS = 50;
/** How long others are let go first; then it is asked for all the same. */
const POLITE_MS = 20;

/** In ms, as much of it as one word holds; 0 is never. */
const now = (): number => Date.now() % 2 ** 31 || 1;

/** Whoever wants the write lock of a database, among all threads of this process. */
export interface Turns {
  isSomebodyWaiting(): boolean;
  /** Before it is asked for: lets those go first, for a while. */
  letOthers(): Promise<void>;
  /** It was asked for in vain. */
  wait(): void;
  /** It was taken, or given up. */
  done(): void;
}

/**
 * SQLite gives its lock to whoever asks in the moment in which it is free: a thread that writes without a pause would have it
 * for ever, as others only ask now and then. One word of memory, which threads that are started later share, says when
 * somebody asked in vain.
 */
export function turnsOf(file: string): Turns {
  const key = `mooring.sqlite-turns:${file}`;
  const known = getEnvironmentData(key);
  const shared = known instanceof SharedArrayBuffer ? known : new SharedArrayBuffer(4);
  if (shared !== known) setEnvironmentData(key, shared);
  const asked = new Int32Array(shared);
  let isWaiting = false;
  const isSomebodyWaiting = (): boolean => {
    const at = Atomics.load(asked, 0);
    return at !== 0 && Math.abs(now() - at) < WAITING_MS;
  };
  return {
    isSomebodyWaiting,
    async letOthers() {
      for (const until = performance.now() + POLITE_MS; isSomebodyWaiting() && performance.now() < until; )
        await sleep(1);
    },
    wait() {
      isWaiting = true;
      Atomics.store(asked, 0, now());
    },
    done() {
      if (isWaiting) Atomics.store(asked, 0, 0);
      isWaiting = false;
    },
  };
}
