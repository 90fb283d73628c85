import { sql } from 'kysely';
import type { Db } from './open.ts';
import { lockRows } from './portable.ts';
import { statement } from './statement.ts';

const readEpoch = statement((q) => q.selectFrom('authority').select('epoch').where('id', '=', 1));
const nextEpoch = statement((q) =>
  q.updateTable('authority').set({ epoch: sql<number>`epoch + 1` }).where('id', '=', 1),
);

/**
 * Tells every process, by the transaction it runs in, that remembered credentials no longer hold.
 * Call it last in a verb that takes rights away or changes what an actor shows: on PostgreSQL the row is then locked.
 */
export const changeAuthority = (ctx: { db: Db }): Promise<number> => nextEpoch.run(ctx.db);

const lockEpoch = statement((q, _p: Record<never, never>, dialect) =>
  lockRows(dialect, q.selectFrom('authority').select('epoch').where('id', '=', 1)),
);

/** Makes transactions that must not overlap, on any process, take turns. */
export const lockAuthority = async (ctx: { db: Db }): Promise<void> => {
  await lockEpoch.first(ctx.db);
};

const read = async (db: Db): Promise<number> => (await readEpoch.first(db))?.epoch ?? 0;

/**
 * Reads the epoch as it is now. Every request asks, so the requests that arrive in one turn of the event loop share one
 * query, which is sent after the last of them arrived: nobody gets an answer older than their question.
 */
export function authorityReader(db: Db): () => Promise<number> {
  let shared: Promise<number> | undefined;
  return () => {
    shared ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        shared = undefined;
        read(db).then(resolve, reject);
      });
    });
    return shared;
  };
}
