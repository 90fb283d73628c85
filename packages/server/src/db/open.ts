import type { Compilable, Kysely } from 'kysely';
import { SECOND } from '../kernel/clock.ts';
import { builders } from './builders.ts';
import type { Connection, DialectName, Examination, Prepared, Result } from './connection.ts';
import { appliedMigrations, migrate, pendingMigrations } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** The one handle: inside a transaction it is that transaction's, outside it only reads. */
export interface Db {
  readonly dialect: DialectName;
  readonly inTransaction: boolean;
  run(prepared: Prepared, values: readonly unknown[]): Promise<Result>;
  /** For the few queries whose shape differs from call to call; the normal way is `statement()`. */
  query<R>(build: (q: Kysely<Tables>) => Compilable<R>): Promise<R[]>;
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs something quick once the transaction is committed; never if it is undone. */
  afterCommit(work: () => void): void;
}

export interface Database extends Db {
  /** Brings the schema up to date, or up to a migration; says which ones it applied. */
  migrate(upTo?: string): Promise<string[]>;
  /** Migrations that the database has, also those that this program does not know. */
  appliedMigrations(): Promise<string[]>;
  /** Migrations that this program has and the database lacks. */
  pendingMigrations(): Promise<string[]>;
  /** One unchanging state to read, however long that takes, beside whatever others write. */
  snapshot(): Promise<SnapshotDb>;
  examine(): Promise<Examination>;
  close(): Promise<void>;
}

export interface SnapshotDb {
  readonly dialect: DialectName;
  query<R>(build: (q: Kysely<Tables>) => Compilable<R>): Promise<R[]>;
  pages(build: (q: Kysely<Tables>) => Compilable, size: number): AsyncIterable<Result['rows']>;
  /** Lets it go; again does nothing. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** A `postgres://` address, or the path of a SQLite file. */
  location: string;
  poolSize?: number;
  /** After so long PostgreSQL gives a statement up; 0 lets it take its time. */
  statementTimeout?: number;
  /** Told how long each statement took. */
  onQuery?: (seconds: number) => void;
  onError?: (error: Error) => void;
  /** Told when another process is waited for. */
  onWait?: (message: string) => void;
}

export const isPostgres = (location: string): boolean => /^postgres(ql)?:\/\//.test(location);

export function openDatabase({
  location,
  poolSize = 10,
  statementTimeout = 30 * SECOND,
  onQuery = () => undefined,
  onError = () => undefined,
  onWait = () => undefined,
}: DatabaseOptions): Database {
  const engine = isPostgres(location)
    ? openPostgres({ url: location, poolSize, statementTimeout, onError, onWait })
    : openSqlite(location, onWait);

  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await work();
    } finally {
      onQuery((performance.now() - start) / 1000);
    }
  };
  const outermost = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    let committed: (() => void)[] = [];
    const result = await engine.transaction((connection) => {
      // A second attempt starts afresh.
      committed = [];
      return work(handle(connection, committed));
    });
    for (const then of committed) then();
    return result;
  };
  const handle = (connection: Connection, committed?: (() => void)[]): Db => {
    const db: Db = {
      dialect: engine.name,
      inTransaction: committed !== undefined,
      run: (prepared, values) => timed(() => connection.run(prepared, values)),
      query: async <R>(build: (q: Kysely<Tables>) => Compilable<R>) =>
        (await timed(() => connection.runOnce(build(builders[engine.name]).compile()))).rows as R[],
      transaction: (work) => (committed ? work(db) : outermost(work)),
      afterCommit: (work) => {
        if (!committed) throw new Error('afterCommit was called outside a transaction');
        committed.push(work);
      },
    };
    return db;
  };

  return {
    ...handle(engine.reader),
    migrate: (upTo) => migrate(engine, upTo),
    appliedMigrations: () => appliedMigrations(engine),
    async snapshot() {
      const snapshot = await engine.snapshot();
      return {
        dialect: engine.name,
        query: async <R>(build: (q: Kysely<Tables>) => Compilable<R>) =>
          (await snapshot.runOnce(build(builders[engine.name]).compile())).rows as R[],
        pages: (build, size) => snapshot.pages(build(builders[engine.name]).compile(), size),
        close: () => snapshot.close(),
      };
    },
    examine: () => engine.examine(),
    pendingMigrations: () => pendingMigrations(engine),
    close: () => engine.close(),
  };
}
