import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTick } from 'node:timers/promises';
import { WriteCoalescer, type WriteGroup } from '../../kernel/concurrency/write-coalescer.ts';

/**
 * A group accepts no more transactions after this time: its members wait for the commit, and other processes for the
 * lock.
 */
const GROUP_MS = 10;

interface Transaction<T = unknown> {
  work(): Promise<T>;
  /** Set once the work is done. The caller gets it after the commit. */
  result: PromiseSettledResult<T> | undefined;
}

/**
 * Commits transactions that arrive at the same time together, because syncing the disk is the expensive part. A failed
 * transaction is rolled back alone, by its savepoint. No caller gets a result before the commit.
 * `begin` takes the write lock; `acquire` waits until no other code writes, and returns the function that releases it.
 */
export function createGroupCommit(
  database: DatabaseSync,
  { begin, acquire }: { begin: () => Promise<void>; acquire: () => Promise<() => void> },
) {
  async function attempt(transaction: Transaction): Promise<void> {
    database.exec('SAVEPOINT one');
    try {
      const value = await transaction.work();
      database.exec('RELEASE one');
      transaction.result = { status: 'fulfilled', value };
    } catch (reason) {
      // A full disk rolls back the whole group, not only one transaction.
      if (!database.isTransaction) throw reason;
      database.exec('ROLLBACK TO one; RELEASE one');
      transaction.result = { status: 'rejected', reason };
    }
  }

  /** The oldest waiting transaction, or one that arrives in this tick of the event loop. */
  async function takeNext(group: WriteGroup<Transaction>): Promise<Transaction | undefined> {
    const waiting = group.take();
    if (waiting) return waiting;
    await nextTick();
    return group.take();
  }

  async function commit(group: WriteGroup<Transaction>): Promise<void> {
    await begin();
    try {
      const start = performance.now();
      do {
        const transaction = await takeNext(group);
        if (!transaction) break;
        await attempt(transaction);
      } while (performance.now() - start < GROUP_MS);
      database.exec('COMMIT');
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  const transactions = new WriteCoalescer<Transaction>({
    maxWaitMs: 0,
    maxItems: Number.POSITIVE_INFINITY,
    async write(group) {
      const release = await acquire();
      try {
        await commit(group);
      } finally {
        release();
      }
    },
  });

  return async <T>(work: () => Promise<T>): Promise<T> => {
    const transaction: Transaction<T> = { work, result: undefined };
    await transactions.add(transaction as Transaction);
    const { result } = transaction;
    if (result?.status !== 'fulfilled') throw result?.reason;
    return result.value;
  };
}
