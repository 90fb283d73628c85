import type { Db } from './open.ts';

/**
 * Runs `work` in a transaction, with a ctx that shadows the outer one. Joins a transaction that is already open.
 * Nothing slow or remote belongs inside: on SQLite all other writers wait.
 */
export const tx = <C extends { db: Db }, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> =>
  ctx.db.transaction((db) => work({ ...ctx, db }));
