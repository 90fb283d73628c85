import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { exclusively } from '../../kernel/concurrency/file-lock.ts';
import { createPrivateFile } from '../../kernel/files/private-files.ts';
import { foldText } from '../../kernel/text/search-key.ts';
import { type Connection, type Engine, MIGRATING, type Prepared, type Result, type Snapshot } from './connection.ts';
import { createGroupCommit } from './group-commit.ts';
import { shareTurns, type Turns } from './sqlite-turns.ts';

/**
 * With 5 million tokens, a 64 MB page cache and memory mapping keep a lookup within 1.3 times that of 5 thousand.
 * Deleted data is overwritten: a link whose email was sent must not stay readable in the file.
 */
const pragmas = `
  PRAGMA busy_timeout = 5000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
  PRAGMA mmap_size = 2147418112;
`;

class SqliteConnection implements Connection {
  readonly database: DatabaseSync;
  readonly turns: Turns;
  private readonly prepared: StatementSync[] = [];

  constructor(file: string, cacheMb: number, extra: string) {
    // The -wal and -shm files get the mode of this one.
    createPrivateFile(file);
    this.database = new DatabaseSync(file);
    this.turns = shareTurns(file);
    patiently(() => this.database.exec(`${pragmas} PRAGMA cache_size = -${cacheMb * 1024}; ${extra}`));
    this.database.function('folded', { deterministic: true }, (text) =>
      text === null ? null : foldText(String(text)),
    );
  }

  async run({ id, sql, returnsRows }: Prepared, values: readonly unknown[]): Promise<Result> {
    let statement = this.prepared[id];
    if (!statement) {
      statement = this.database.prepare(sql);
      this.prepared[id] = statement;
    }
    return execute(statement, returnsRows, values);
  }

  async runOnce(query: CompiledQuery): Promise<Result> {
    const statement = this.database.prepare(query.sql);
    return execute(statement, statement.columns().length > 0, query.parameters);
  }
}

/** Has its own connection: in WAL mode a read transaction sees one state and blocks no writer. */
class SqliteSnapshot extends SqliteConnection implements Snapshot {
  constructor(file: string, cacheMb: number) {
    super(file, cacheMb, 'PRAGMA query_only = ON;');
    // A snapshot starts with its first read.
    this.database.exec('BEGIN; SELECT count(*) FROM sqlite_schema;');
  }

  async *pages({ sql }: CompiledQuery, size: number): AsyncGenerator<Result['rows']> {
    let page: Result['rows'] = [];
    for (const row of this.database.prepare(sql).iterate()) {
      page.push(row);
      if (page.length < size) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }

  async close(): Promise<void> {
    if (this.database.isOpen) this.database.close();
  }
}

function execute(statement: StatementSync, returnsRows: boolean, values: readonly unknown[]): Result {
  const bound = values as SQLInputValue[];
  if (returnsRows) return { rows: statement.all(...bound) as Result['rows'], affected: 0 };
  return { rows: [], affected: Number(statement.run(...bound).changes) };
}

/** How long a transaction waits for one of another process. */
const BUSY_MS = 5000;
const BUSY = 5;

const isBusy = (error: unknown): boolean => (error as { errcode?: number }).errcode === BUSY;

/** SQLite does not wait if two processes open a new file and switch it to WAL at the same time, so retry. */
function patiently(work: () => void): void {
  const until = Date.now() + BUSY_MS;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/** Takes the write lock. Waits without blocking the event loop, unlike SQLite's own busy timeout. */
async function begin({ database, turns }: SqliteConnection): Promise<void> {
  if (turns.isAnyoneWaiting()) await turns.letOthers();
  const until = Date.now() + BUSY_MS;
  try {
    for (;;) {
      try {
        database.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() > until) throw error;
        turns.wait();
        await sleep(1 + Math.random() * 4);
      }
    }
  } finally {
    turns.done();
  }
}

/** Admits one caller at a time, in the order of arrival. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return async (): Promise<() => void> => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    return resolve;
  };
}

/**
 * Uses two connections: transactions take turns on the writer and share commits; all other queries read committed data
 * on the reader. The reader refuses writes, so a write outside a transaction fails in the first test that runs it.
 */
export function openSqlite(
  file: string,
  { cacheMb, onWait }: { cacheMb: number; onWait: (message: string) => void },
): Engine {
  const writer = new SqliteConnection(file, cacheMb, 'PRAGMA busy_timeout = 0;');
  const reader = new SqliteConnection(file, cacheMb, 'PRAGMA query_only = ON;');
  const acquire = createQueue();
  const transaction = createGroupCommit(writer.database, { begin: () => begin(writer), acquire });

  return {
    name: 'sqlite',
    reader,
    transaction: (work) => transaction(() => work(writer)),
    snapshot: async () => new SqliteSnapshot(file, cacheMb),
    async examine() {
      const get = (query: string) => Object.values(reader.database.prepare(query).get() ?? {})[0];
      const found = reader.database
        .prepare('PRAGMA quick_check')
        .all()
        .map((row) => String(row.quick_check));
      return {
        server: `SQLite ${get('SELECT sqlite_version()')}`,
        problems: found.filter((line) => line !== 'ok'),
        now: Number(get("SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)")),
      };
    },
    alone: (work) => exclusively(`${file}-lock`, { doing: MIGRATING, onWait }, work),
    dialect: () => nodeSqliteDialect(writer, acquire),
    async close() {
      const release = await acquire();
      reader.database.close();
      writer.database.close();
      release();
    },
  };
}

/**
 * SQLite also rolls back schema changes, although Kysely does not assume so: a migration applies completely or not at
 * all.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Kysely dialect for `node:sqlite`. */
const nodeSqliteDialect = (connection: SqliteConnection, acquire: () => Promise<() => void>): Dialect => ({
  createAdapter: () => new TransactionalSqliteAdapter(),
  createDriver: () => new NodeSqliteDriver(connection, acquire),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

class NodeSqliteDriver implements Driver {
  private readonly connection: DatabaseConnection;
  private readonly writer: SqliteConnection;
  private readonly acquire: () => Promise<() => void>;
  private release: () => void = () => undefined;

  constructor(connection: SqliteConnection, acquire: () => Promise<() => void>) {
    this.acquire = acquire;
    this.writer = connection;
    this.connection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        const { rows, affected } = await connection.runOnce(query);
        return { rows: rows as R[], numAffectedRows: BigInt(affected) };
      },
      streamQuery() {
        throw new Error('Streaming is not supported: read a page at a time.');
      },
    };
  }

  async init() {}
  async destroy() {}

  /** Statements outside a transaction rely on the busy timeout of SQLite to wait for other processes. */
  async acquireConnection() {
    this.release = await this.acquire();
    this.writer.database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    return this.connection;
  }

  async releaseConnection() {
    this.writer.database.exec('PRAGMA busy_timeout = 0');
    this.release();
  }

  async beginTransaction() {
    await begin(this.writer);
  }

  async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('COMMIT'));
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('ROLLBACK'));
  }
}
