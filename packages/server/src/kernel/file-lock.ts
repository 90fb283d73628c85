import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE, SECOND } from './clock.ts';
import { createPrivateFile } from './private-files.ts';

export interface Waiting {
  /** What the holder of the lock does, as in "another process … ". */
  doing: string;
  /** Told once when it takes longer than a moment. */
  onWait?: ((message: string) => void) | undefined;
  sayAfterMs?: number;
  limitMs?: number;
}

const BUSY = 5;

/**
 * One process of this machine at a time. The lock is SQLite's, on an empty file of its own: the system holds it, so it ends
 * with its process, however that ends, and no process number has to be believed.
 */
export async function exclusively<T>(file: string, waiting: Waiting, work: () => Promise<T>): Promise<T> {
  createPrivateFile(file);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    await waitForLock(() => tryLock(lock), { ...waiting, doing: `${waiting.doing} and holds ${file}` });
    return await work();
  } finally {
    lock.close();
  }
}

/** Tries until the lock is there: says so when that takes longer than a moment, and gives up after a limit. */
export async function waitForLock(
  tryOnce: () => boolean | Promise<boolean>,
  { doing, onWait, sayAfterMs = 2 * SECOND, limitMs = 5 * MINUTE }: Waiting,
): Promise<void> {
  const since = performance.now();
  for (let isReported = false; !(await tryOnce()); ) {
    const waited = performance.now() - since;
    if (waited >= limitMs) {
      const seconds = Math.round(limitMs / SECOND);
      throw new Error(`another process ${doing}, for more than ${seconds} s. Let it end or stop it, then try again.`);
    }
    if (!isReported && waited >= sayAfterMs) {
      isReported = true;
      onWait?.(`waiting for another process, which ${doing}`);
    }
    await sleep(20);
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    // Nothing is ever written, not even a journal.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === BUSY) return false;
    throw error;
  }
}
