import type { Compilable, Kysely } from 'kysely';
import type { Db, QueryTables } from '../../src/db/handle.ts';
import type { TestApp } from './app.ts';

const total = async (app: TestApp): Promise<number> =>
  Number(/^mooring_database_query_duration_seconds_count (\d+)/m.exec((await app.call('GET', '/metrics')).body)?.[1]);

/** Counts the queries meanwhile. The first request of a token also looks up its user. */
export async function countQueries(app: TestApp, work: () => Promise<unknown>): Promise<number> {
  const before = await total(app);
  await work();
  return (await total(app)) - before;
}

export interface Reads {
  statements: number;
  rows: number;
}

const countOn = (db: Db, reads: Reads): Db => {
  const count = (rows: readonly unknown[]): void => {
    reads.statements++;
    reads.rows += rows.length;
  };
  return {
    dialect: db.dialect,
    inTransaction: db.inTransaction,
    async run(prepared, values) {
      const result = await db.run(prepared, values);
      count(result.rows);
      return result;
    },
    async query<R>(build: (q: Kysely<QueryTables>) => Compilable<R>) {
      const rows = await db.query(build);
      count(rows);
      return rows;
    },
    transaction: (work) => db.transaction((inner) => work(countOn(inner, reads))),
    afterCommit: (work) => db.afterCommit(work),
  };
};

/** Statements of an operation, including those in its transactions, and the rows they return. */
export async function countReads<C extends { db: Db }>(ctx: C, work: (ctx: C) => Promise<unknown>): Promise<Reads> {
  const reads = { statements: 0, rows: 0 };
  await work({ ...ctx, db: countOn(ctx.db, reads) });
  return reads;
}
