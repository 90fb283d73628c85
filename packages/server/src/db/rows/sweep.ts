import type { Db } from '../open.ts';
import { tx } from '../tx.ts';

const BATCH = 1000;

/**
 * Deletes old rows, one batch per transaction, so that other writes do not wait for all of it. Returns the number of
 * deleted rows.
 */
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
