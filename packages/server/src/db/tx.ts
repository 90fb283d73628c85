import type { Db } from './open.ts';

/**
 * Runs `work` in a transaction, with a ctx that shadows the outer one. Joins when one is open already.
 * Nothing slow or remote belongs inside: on SQLite every other writer waits.
 */
export const tx = <C extends { db: Db }, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> =>
  ctx.db.transaction((db) => work({ ...ctx, db }));
