import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE, SECOND } from '../clock.ts';
import { createPrivateFile } from '../files/private-files.ts';

export interface Waiting {
  /** Activity of the process that holds the lock, as in "another process is …". */
  doing: string;
  /** Called once if the lock is not free within a moment. */
  onWait?: ((message: string) => void) | undefined;
  sayAfterMs?: number;
  limitMs?: number;
}

const BUSY = 5;

/**
 * Admits one process of this machine at a time. Uses SQLite's lock on an empty file: the operating system releases it
 * however the process ends, which a file with a process ID does not ensure.
 */
export async function exclusively<T>(file: string, waiting: Waiting, work: () => Promise<T>): Promise<T> {
  createPrivateFile(file);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    await waitForLock(() => tryLock(lock), { ...waiting, doing: `${waiting.doing} with the lock ${file}` });
    return await work();
  } finally {
    lock.close();
  }
}

/** Retries until it has the lock. Reports a longer wait, and fails at the limit. */
export async function waitForLock(
  tryOnce: () => boolean | Promise<boolean>,
  { doing, onWait, sayAfterMs = 2 * SECOND, limitMs = 5 * MINUTE }: Waiting,
): Promise<void> {
  const since = performance.now();
  for (let isReported = false; !(await tryOnce()); ) {
    const waited = performance.now() - since;
    if (waited >= limitMs) {
      const seconds = Math.round(limitMs / SECOND);
      throw new Error(
        `another process has been ${doing} for more than ${seconds} s. Wait for it or stop it, then retry.`,
      );
    }
    if (!isReported && waited >= sayAfterMs) {
      isReported = true;
      onWait?.(`waiting for another process, which is ${doing}`);
    }
    await sleep(20);
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    // Nothing is ever written to the file, not even a journal.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === BUSY) return false;
    throw error;
  }
}
