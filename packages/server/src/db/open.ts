import type { Compilable, Kysely } from 'kysely';
import { SECOND } from '../kernel/clock.ts';
import { createBuilder } from './builders.ts';
import type { Connection, Result } from './connection.ts';
import type { Database, Db, QueryTables } from './handle.ts';
import { appliedMigrations, migrate, pendingMigrations } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { type Writing, writingOf } from './remembered-tables.ts';
import { openSqlite } from './sqlite.ts';
import type { VersionName } from './tables.ts';
import { raiseVersions } from './versions.ts';

export type { Database, Db, SnapshotDb } from './handle.ts';

export interface DatabaseOptions {
  /** A `postgres://` address, or the path of a SQLite file. */
  location: string;
  poolSize?: number;
  /** How much of the file each connection to SQLite keeps in memory; less for one that only adds rows. */
  cacheMb?: number;
  /** After so long PostgreSQL gives a statement up; 0 lets it take its time. */
  statementTimeout?: number;
  /** Told how long each statement took. */
  onQuery?: (seconds: number) => void;
  onError?: (error: Error) => void;
  /** Told when another process is waited for. */
  onWait?: (message: string) => void;
}

/** What a transaction leads to once it is committed, and only then. */
interface Transaction {
  raised: Set<VersionName>;
  committed: (() => void)[];
}

export const isPostgres = (location: string): boolean => /^postgres(ql)?:\/\//.test(location);

export function openDatabase({
  location,
  poolSize = 10,
  cacheMb = 64,
  statementTimeout = 30 * SECOND,
  onQuery = () => undefined,
  onError = () => undefined,
  onWait = () => undefined,
}: DatabaseOptions): Database {
  const engine = isPostgres(location)
    ? openPostgres({ url: location, poolSize, statementTimeout, onError, onWait })
    : openSqlite(location, { cacheMb, onWait });

  const builder = createBuilder<QueryTables>(engine.name);
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await work();
    } finally {
      onQuery((performance.now() - start) / 1000);
    }
  };
  const outermost = async <T>(work: (db: Db) => Promise<T>, { hasVersions } = { hasVersions: true }): Promise<T> => {
    let committed: Transaction['committed'] = [];
    const result = await engine.transaction(async (connection) => {
      // A second attempt starts afresh.
      const current: Transaction = { raised: new Set(), committed: [] };
      committed = current.committed;
      const db = handle(connection, current);
      const result = await work(db);
      // Last, because on PostgreSQL whoever raises the same version waits from here to the end.
      if (hasVersions) await raiseVersions(db, current.raised);
      return result;
    });
    for (const then of committed) then();
    return result;
  };
  const handle = (connection: Connection, current?: Transaction): Db => {
    const execute = async ({ isWrite, raises }: Writing, work: () => Promise<Result>): Promise<Result> => {
      if (isWrite && !current)
        throw new Error('Something was to be written outside a transaction: the database is readonly there');
      const result = await timed(work);
      if (result.affected > 0 || result.rows.length > 0) for (const name of raises) current?.raised.add(name);
      return result;
    };
    const db: Db = {
      dialect: engine.name,
      inTransaction: current !== undefined,
      run: (prepared, values) => execute(prepared.writing, () => connection.run(prepared, values)),
      query: async <R>(build: (q: Kysely<QueryTables>) => Compilable<R>) => {
        const compiled = build(builder).compile();
        return (await execute(writingOf(compiled.query), () => connection.runOnce(compiled))).rows as R[];
      },
      transaction: (work) => (current ? work(db) : outermost(work)),
      afterCommit: (work) => {
        if (!current) throw new Error('afterCommit was called outside a transaction');
        current.committed.push(work);
      },
    };
    return db;
  };

  return {
    ...handle(engine.reader),
    transaction: outermost,
    migrate: (upTo) => migrate(engine, upTo),
    appliedMigrations: () => appliedMigrations(engine),
    async snapshot() {
      const snapshot = await engine.snapshot();
      return {
        dialect: engine.name,
        query: async <R>(build: (q: Kysely<QueryTables>) => Compilable<R>) =>
          (await snapshot.runOnce(build(builder).compile())).rows as R[],
        pages: (build, size) => snapshot.pages(build(builder).compile(), size),
        close: () => snapshot.close(),
      };
    },
    examine: () => engine.examine(),
    pendingMigrations: () => pendingMigrations(engine),
    close: () => engine.close(),
  };
}
