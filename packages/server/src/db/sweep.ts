import type { Db } from './open.ts';
import { tx } from './tx.ts';

const BATCH = 1000;

/** Deletes what is old, a batch in each transaction, so that no write waits for all of it; says how much that was. */
export async function sweep(
  deps: { db: Db },
  deleteBatch: (db: Db, limit: number) => Promise<number>,
): Promise<number> {
  for (let deleted = 0; ; ) {
    const count = await tx(deps, ({ db }) => deleteBatch(db, BATCH));
    deleted += count;
    if (count < BATCH) return deleted;
  }
}
