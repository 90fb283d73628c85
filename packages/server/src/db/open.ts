import type { Compilable, Kysely } from 'kysely';
import { SECOND } from '../kernel/clock.ts';
import { createBuilder } from './builders.ts';
import type { Connection, Result } from './drivers/connection.ts';
import { openPostgres } from './drivers/postgres.ts';
import { openSqlite } from './drivers/sqlite.ts';
import type { Database, Db, QueryTables } from './handle.ts';
import { appliedMigrations, migrate, pendingMigrations } from './migrate.ts';
import { analyzeWrite, type Writing } from './remembered-tables.ts';
import type { VersionName } from './tables.ts';
import { raiseVersions } from './versions.ts';

export type { Database, Db, SnapshotDb } from './handle.ts';

export interface DatabaseOptions {
  /** A `postgres://` URL, or the path of a SQLite file. */
  location: string;
  poolSize?: number;
  /** Page cache of each SQLite connection; less is enough for one that only adds rows. */
  cacheMb?: number;
  /** Timeout of a statement on PostgreSQL, in ms; 0 is none. */
  statementTimeout?: number;
  /** Receives the duration of each statement. */
  onQuery?: (seconds: number) => void;
  onError?: (error: Error) => void;
  /** Receives a message while another process is waited for. */
  onWait?: (message: string) => void;
}

/** Effects of a transaction that take place only after its commit. */
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
      // A retry starts with no effects.
      const current: Transaction = { raised: new Set(), committed: [] };
      committed = current.committed;
      const db = handle(connection, current);
      const result = await work(db);
      // Last, because on PostgreSQL a transaction that raises the same version waits from here until the commit.
      if (hasVersions) await raiseVersions(db, current.raised);
      return result;
    });
    for (const then of committed) then();
    return result;
  };
  const handle = (connection: Connection, current?: Transaction): Db => {
    const execute = async ({ isWrite, raises }: Writing, work: () => Promise<Result>): Promise<Result> => {
      if (isWrite && !current) throw new Error('A write needs a transaction: outside one, the database is read-only');
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
        return (await execute(analyzeWrite(compiled.query), () => connection.runOnce(compiled))).rows as R[];
      },
      transaction: (work) => (current ? work(db) : outermost(work)),
      afterCommit: (work) => {
        if (!current) throw new Error('afterCommit needs a transaction');
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
