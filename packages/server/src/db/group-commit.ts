import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTick } from 'node:timers/promises';

/** A group takes no more once it has worked so long: those in it wait for its commit, other processes for the lock. */
const GROUP_MS = 10;

interface Waiting {
  /** Does the work; says how to tell its outcome once it is on the disk. */
  attempt(): Promise<() => void>;
  refuse(error: unknown): void;
}

/**
 * Transactions that are wanted at the same time share one commit, because waiting for the disk is what costs. Each is undone
 * alone when it fails, by its savepoint, and nobody is told anything before the commit.
 * `begin` takes the write lock; `acquire` waits until nobody else writes, and gives what releases it.
 */
export function createGroupCommit(
  database: DatabaseSync,
  { begin, acquire }: { begin: () => Promise<void>; acquire: () => Promise<() => void> },
) {
  const waiting: Waiting[] = [];
  let isDraining = false;

  /** The one that waits longest, or one that comes in this tick of the event loop. */
  async function next(): Promise<Waiting | undefined> {
    if (waiting.length === 0) await nextTick();
    return waiting.shift();
  }

  async function group(): Promise<void> {
    const taken: Waiting[] = [];
    const outcomes: (() => void)[] = [];
    try {
      await begin();
    } catch (error) {
      for (const one of waiting.splice(0)) one.refuse(error);
      return;
    }
    try {
      const start = performance.now();
      do {
        const one = await next();
        if (!one) break;
        taken.push(one);
        outcomes.push(await one.attempt());
      } while (performance.now() - start < GROUP_MS);
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      for (const one of taken) one.refuse(error);
      return;
    }
    for (const tell of outcomes) tell();
  }

  async function drain(): Promise<void> {
    isDraining = true;
    while (waiting.length > 0) {
      const release = await acquire();
      await group();
      release();
    }
    isDraining = false;
  }

  return <T>(work: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.push({
        async attempt() {
          database.exec('SAVEPOINT one');
          try {
            const result = await work();
            database.exec('RELEASE one');
            return () => resolve(result);
          } catch (error) {
            // A full disk undoes the whole group, not only the one that met it.
            if (!database.isTransaction) throw error;
            database.exec('ROLLBACK TO one; RELEASE one');
            return () => reject(error);
          }
        },
        refuse: reject,
      });
      if (!isDraining) void drain();
    });
}
